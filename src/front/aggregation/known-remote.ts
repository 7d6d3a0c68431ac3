/** What another server of the API has, as it was told when it was last asked. */
import {
  discoverRemote,
  groupVersionKey,
  type RemoteDiscovery,
} from '../../aggregation/remote-discovery.ts';
import { REMOTE_REFRESH_MS, REMOTE_RETRY_MS } from '../../aggregation/limits.ts';
import type { RemoteApi } from '../../aggregation/remote-api.ts';
import type { Upstreams } from '../../aggregation/upstreams.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { Timers } from '../../base/time/timers.ts';
import type { RemoteVersion } from '../discovery/discovered-groups.ts';

export interface KnownRemoteOptions {
  readonly api: RemoteApi;
  readonly upstreams: Upstreams;
  readonly timers: Timers;
  /** It has other resources than before, or can be asked no more, or again. */
  readonly onChange: () => void;
}

export class KnownRemote {
  readonly #options: KnownRemoteOptions;
  #api: RemoteApi;
  #discovery: RemoteDiscovery | undefined;
  #isStale = true;
  #failures = 0;
  /** Counts the times that it was asked: an answer to an earlier one does not count. */
  #asked = 0;
  #cancel: (() => void) | undefined;

  constructor(options: KnownRemoteOptions) {
    this.#options = options;
    this.#api = options.api;
  }

  get api(): RemoteApi {
    return this.#api;
  }

  get version(): RemoteVersion {
    const { group, version, groupPriority, versionPriority } = this.#api;
    const resources = this.#discovery?.resources.get(groupVersionKey(group, version)) ?? [];
    return { group, version, groupPriority, versionPriority, resources, isStale: this.#isStale };
  }

  /** Asks at once, again later, and sooner after a failure. */
  refresh(api: RemoteApi = this.#api): void {
    this.#api = api;
    this.#cancel?.();
    void this.#ask(++this.#asked);
  }

  close(): void {
    this.#asked++;
    this.#cancel?.();
  }

  async #ask(number: number): Promise<void> {
    const before = this.version;
    const { upstreams, timers, onChange } = this.#options;
    let found: RemoteDiscovery | undefined;
    try {
      found = await discoverRemote(upstreams, this.#api, this.#discovery);
    } catch {
      // The condition of the APIService says why; what it had before is told as stale.
      found = undefined;
    }
    if (number !== this.#asked) return;
    this.#discovery = found ?? this.#discovery;
    this.#isStale = found === undefined;
    this.#failures = found === undefined ? this.#failures + 1 : 0;
    const retryMs = REMOTE_RETRY_MS * 2 ** (this.#failures - 1);
    const ms = found === undefined ? Math.min(retryMs, REMOTE_REFRESH_MS) : REMOTE_REFRESH_MS;
    this.#cancel = timers.after(ms, () => this.refresh());
    if (!deepEqual(before, this.version)) onChange();
  }
}
