/** How a shard calls webhooks: with its own connections, and links to where services are known. */
import type { MessagePort } from 'node:worker_threads';
import { ShardObjects, type ObjectName } from '../replicas/shard-objects.ts';
import { WEBHOOK_MS_MAX } from '../limits.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { CallWebhook } from '../types/custom/converter.ts';
import { ServiceAddresses } from '../webhooks/service-addresses.ts';
import { WebhookClient } from '../webhooks/webhook-client.ts';

export class WebhookServices {
  readonly #links = new Map<string, ShardObjects>();
  readonly #client: WebhookClient;

  constructor(nowMs: () => number) {
    const addresses = new ServiceAddresses(
      { service: (at) => this.#get('services', at), endpoints: (at) => this.#get('endpoints', at) },
      nowMs,
    );
    this.#client = new WebhookClient((service) => addresses.resolve(service));
  }

  readonly callConversion: CallWebhook = async (target, document) => {
    const { body } = await this.#client.call(target, document, WEBHOOK_MS_MAX);
    return body.toString();
  };

  /** Takes the port to the shard of that type. */
  link(type: string, port: MessagePort): void {
    this.#links.get(type)?.close();
    this.#links.set(type, new ShardObjects(type, port));
  }

  close(): void {
    this.#client.close();
    for (const link of this.#links.values()) link.close();
  }

  #get(type: string, at: ObjectName): Promise<ApiObject | undefined> {
    const link = this.#links.get(type);
    if (link === undefined) throw new Error(`no link to the shard of ${type} was given`);
    return link.get(at);
  }
}
