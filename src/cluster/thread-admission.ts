/** Admission in a thread: its plugins, with the replicas and webhooks that they need. */
import type { Port } from '../actors/port.ts';
import { AdmissionChain, type AdmissionConfig } from '../admission/chain.ts';
import { NamespaceReplica } from '../admission/namespace-replica.ts';
import type { AdmissionContext } from '../admission/plugin.ts';
import { PLUGINS } from '../admission/plugins.ts';
import { ShardObjects } from '../replicas/shard-objects.ts';
import { WebhookServices } from './webhook-services.ts';

export interface ThreadAdmissionOptions extends Omit<
  AdmissionContext,
  'namespaces' | 'objects' | 'webhooks'
> {
  readonly admission: AdmissionConfig;
  /** To the shard of a built-in type. */
  readonly portTo: (resource: string) => Port;
}

export class ThreadAdmission {
  readonly chain: AdmissionChain;
  readonly namespaces: NamespaceReplica;
  /** Calls webhooks. */
  readonly webhooks: WebhookServices;
  /** A client of the shard of a built-in type: made on first use, and one for the thread. */
  readonly objects: (resource: string) => ShardObjects;
  readonly #portTo: (resource: string) => Port;
  readonly #made = new Map<string, ShardObjects>();

  constructor({ admission, portTo, ...given }: ThreadAdmissionOptions) {
    const objects = (this.objects = (resource) => this.#objectsOf(resource));
    this.#portTo = portTo;
    this.namespaces = new NamespaceReplica(given.follow);
    this.webhooks = new WebhookServices(objects, given.nowMs);
    this.chain = new AdmissionChain(admission, PLUGINS, {
      ...given,
      namespaces: this.namespaces,
      objects,
      webhooks: () => this.webhooks.client,
    });
  }

  close(): void {
    this.webhooks.close();
    for (const objects of this.#made.values()) objects.close();
  }

  #objectsOf(resource: string): ShardObjects {
    let objects = this.#made.get(resource);
    if (objects === undefined) {
      objects = new ShardObjects(resource, this.#portTo(resource));
      this.#made.set(resource, objects);
    }
    return objects;
  }
}
