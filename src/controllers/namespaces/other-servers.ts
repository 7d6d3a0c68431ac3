/**
 * The other servers of the API that may have something in a namespace. APIServices are followed
 * from the first namespace that ends on; as long as none has a service, nothing else is loaded.
 */
import { remoteApiOf, type RemoteApi } from '../../aggregation/remote-api.ts';
import type { AggregationSettings } from '../../aggregation/settings.ts';
import type { Port } from '../../actors/port.ts';
import { assert } from '../../base/assert.ts';
import type { NamespaceContent } from '../../protocol/upkeep-protocol.ts';
import { Informer } from '../informer.ts';
import type { RemoteContent, RemoteType, RemoteTypes } from './remote-content.ts';

const API_SERVICES = 'apiservices.apiregistration.cluster.io';
const NO_TYPES: RemoteTypes = { types: [], failures: [] };

interface Settings {
  readonly aggregation: AggregationSettings;
  readonly nowMs: () => number;
}

export class OtherServers {
  readonly #settings: Settings;
  #portTo: ((resource: string) => Port) | undefined;
  #apis: Promise<Informer<RemoteApi | undefined>> | undefined;
  #content: Promise<RemoteContent> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** From now on they can be asked; `portTo` gives a port to the shard of a type. */
  begin(portTo: (resource: string) => Port): void {
    this.#portTo = portTo;
  }

  /** Their types, as far as they can be asked. */
  async types(): Promise<RemoteTypes> {
    const apis = await (this.#apis ??= follow(this.#port(API_SERVICES)));
    const all = [...apis.values()].filter((api) => api !== undefined);
    return all.length === 0 ? NO_TYPES : (await this.#load()).discover(all);
  }

  /** Deletes all of a namespace. Rejects with what the server says where it does not. */
  async empty(namespace: string, type: RemoteType): Promise<NamespaceContent> {
    return (await this.#load()).empty(namespace, type);
  }

  async close(): Promise<void> {
    (await this.#apis)?.close();
    (await this.#content)?.close();
  }

  #load(): Promise<RemoteContent> {
    const portTo = (type: string): Port => this.#port(type);
    return (this.#content ??= import('./remote-content.ts').then(
      ({ RemoteContent }) => new RemoteContent({ ...this.#settings, portTo }),
    ));
  }

  #port(type: string): Port {
    assert(this.#portTo !== undefined, 'the controller has not begun');
    return this.#portTo(type);
  }
}

async function follow(port: Port): Promise<Informer<RemoteApi | undefined>> {
  const informer = new Informer<RemoteApi | undefined>({
    resource: API_SERVICES,
    port,
    keep: remoteApiOf,
    onChange: () => undefined,
  });
  await informer.start();
  return informer;
}
