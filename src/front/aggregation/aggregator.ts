/**
 * Follows APIServices, and knows which group versions other servers answer for. As long as there is
 * none of these it does nothing, and the code that asks other servers is not loaded.
 */
import { remoteApiOf, type RemoteApi } from '../../aggregation/remote-api.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { Timers } from '../../base/time/timers.ts';
import type { FollowType, TypeIndex } from '../../replicas/follow-type.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { KnownRemote } from './known-remote.ts';
import type { RemoteApis } from './remote-apis.ts';
import type { RemoteWays, RemoteWaysOptions } from './remote-ways.ts';

const API_SERVICES = 'apiservices.apiregistration.cluster.io';

export interface AggregatorOptions extends RemoteWaysOptions {
  readonly timers: Timers;
  /** From now on `current` is another one. */
  readonly onChange: () => void;
}

export class Aggregator implements TypeIndex {
  readonly #options: AggregatorOptions;
  /** By the names of the APIServices. */
  readonly #wanted = new Map<string, RemoteApi>();
  readonly #known = new Map<string, KnownRemote>();
  #ways: Promise<RemoteWays> | undefined;
  #current: RemoteApis | undefined;
  #isClosed = false;

  constructor(options: AggregatorOptions) {
    this.#options = options;
  }

  start(follow: FollowType): void {
    follow(API_SERVICES, this);
  }

  /** Undefined where this server answers for all. */
  get current(): RemoteApis | undefined {
    return this.#current;
  }

  put(object: ApiObject): void {
    const api = remoteApiOf(object);
    if (api === undefined) return this.remove(object);
    if (deepEqual(this.#wanted.get(api.name), api)) return;
    this.#wanted.set(api.name, api);
    void this.#update();
  }

  remove({ metadata }: ApiObject): void {
    if (this.#wanted.delete(metadata.name ?? '')) void this.#update();
  }

  close(): void {
    this.#isClosed = true;
    for (const known of this.#known.values()) known.close();
    void this.#ways?.then((ways) => ways.close());
  }

  async #update(): Promise<void> {
    const ways = await (this.#ways ??= this.#load());
    if (this.#isClosed) return;
    for (const [name, known] of this.#known) {
      if (this.#wanted.has(name)) continue;
      known.close();
      this.#known.delete(name);
    }
    for (const [name, api] of this.#wanted) {
      const known = this.#known.get(name);
      if (known === undefined) {
        const made = ways.newRemote(api, this.#options.timers, () => this.#tell(ways));
        this.#known.set(name, made);
        made.refresh();
      } else if (known.api !== api) known.refresh(api);
    }
    this.#tell(ways);
  }

  #tell(ways: RemoteWays): void {
    this.#current = ways.snapshot([...this.#known.values()]);
    this.#options.onChange();
  }

  async #load(): Promise<RemoteWays> {
    const { RemoteWays } = await import('./remote-ways.ts');
    return new RemoteWays(this.#options);
  }
}
