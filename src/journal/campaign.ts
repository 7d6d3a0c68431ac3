/**
 * A server of a cluster: it tells that it is there, for as long as its lease lives, and becomes the
 * owner of all types when there is none.
 */
import { EtcdError } from '../etcd/etcd-error.ts';
import type { Compare, EtcdClient, Lease, RunningKeepAlive, RunningWatch } from '../etcd/etcd.ts';
import type { Build } from './cluster-format.ts';
import type { JournalKeys } from './keys.ts';
import { LEASE_MARGIN_MS, RETRY_MS } from './limits.ts';
import { steadyMs, type Ownership } from './ownership.ts';
import type { ObjectsRead } from './view-progress.ts';

/** What a server tells the others of itself. */
export interface ServerFacts extends Build {
  readonly id: string;
  /** Where the others reach it. */
  readonly address: string;
  /** The revision up to which it has seen what becomes of objects, when it told of itself. */
  readonly revision?: number;
  /** As long as its view is not whole. */
  readonly reading?: ObjectsRead;
}

/** What a server has told, as it stands in etcd. */
export function factsOf(value: Uint8Array): ServerFacts {
  return JSON.parse(Buffer.from(value).toString()) as ServerFacts;
}

export interface CampaignOptions {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly ttlSeconds: number;
  readonly self: ServerFacts;
  /** What must hold for this server to take part. */
  readonly mayStand: readonly Compare[];
  /** Another server has become the owner; undefined where there is none. */
  readonly onOwner: (owner: ServerFacts | undefined) => void;
  /** This server has: since the revision `fence`. */
  readonly onOwned: (fence: number) => void;
  /** It has been, and is no more. */
  readonly onLost: (why: string) => void;
  readonly logError: (text: string) => void;
}

/** What servers have in common has changed since this one has read it. */
export class StandError extends Error {
  override readonly name = 'StandError';
}

type State = 'standing' | 'owner' | 'closed';

export class Campaign {
  readonly #options: CampaignOptions;
  #state: State = 'standing';
  #lease: Lease | undefined;
  #renewals: RunningKeepAlive | undefined;
  #watch: RunningWatch | undefined;

  constructor(options: CampaignOptions) {
    this.#options = options;
  }

  get isOwner(): boolean {
    return this.#state === 'owner';
  }

  /**
   * Resolves with whether it has become the owner at once. Rejects with EtcdError, and with
   * StandError.
   */
  async stand(): Promise<boolean> {
    const { client, ttlSeconds, self } = this.#options;
    const lease = await client.leaseGrant({ ttlSeconds });
    this.#lease = lease;
    this.#renewed(lease);
    this.#renewals = client.leaseKeepAlive(lease, {
      renewed: (its) => this.#renewed(its),
      lost: ({ message }) => this.#lost(message),
    });
    await this.#join(self, lease);
    return this.#try();
  }

  async #join(self: ServerFacts, { id: lease }: Lease): Promise<void> {
    const { client, keys, mayStand } = this.#options;
    const value = Buffer.from(JSON.stringify(self));
    const { succeeded } = await client.txn({
      compare: mayStand,
      success: [
        { put: { key: keys.server(self.id), value, lease } },
        { put: { key: keys.joined, value: Buffer.from(self.id) } },
      ],
    });
    if (!succeeded) throw new StandError('what the servers have in common has changed');
  }

  /** Tells the others of this server, for as long as its lease lives. Rejects with EtcdError. */
  async tell(self: ServerFacts): Promise<void> {
    const { client, keys } = this.#options;
    const value = Buffer.from(JSON.stringify(self));
    const { id: lease } = this.#lease ?? {};
    if (lease === undefined || this.#state === 'closed') return;
    await client.txn({ success: [{ put: { key: keys.server(self.id), value, lease } }] });
  }

  /** Lets another server own at once. */
  async resign(): Promise<void> {
    this.close();
    this.#options.ownership.lose();
    if (this.#lease !== undefined) await this.#revoke(this.#lease);
  }

  /** Until etcd has heard of it, or the lease must be over anyway. */
  async #revoke({ id, ttlSeconds }: Lease): Promise<void> {
    const untilMs = performance.now() + ttlSeconds * 1_000;
    for (;;) {
      try {
        await this.#options.client.leaseRevoke(id);
        return;
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        // It is gone: the answer to the question before was lost.
        if (error.sort === 'refused') return;
        if (performance.now() > untilMs) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  close(): void {
    this.#state = 'closed';
    this.#renewals?.close();
    this.#watch?.close();
  }

  /** Becomes the owner if there is none; else it waits until there is none, and tries again. */
  async #try(): Promise<boolean> {
    const { client, keys, self, onOwner, onOwned } = this.#options;
    const lease = this.#lease?.id ?? 0n;
    const { owner: key } = keys;
    const value = Buffer.from(JSON.stringify(self));
    await client
      .txn({
        compare: [{ key, is: '=', createRevision: 0 }],
        success: [{ put: { key, value, lease } }],
      })
      // Whether it was done is looked at.
      .catch(() => undefined);
    const { kvs, revision } = await client.range({ key });
    const [owner] = kvs;
    if (this.#state === 'closed') return false;
    if (owner?.lease === lease) {
      this.#state = 'owner';
      this.#await(revision + 1, () => this.#lost('its key in etcd was changed'));
      onOwned(owner.createRevision);
      return true;
    }
    onOwner(owner && factsOf(owner.value));
    if (owner === undefined) setTimeout(() => this.#tryAgain(), RETRY_MS);
    else this.#await(revision + 1, () => this.#tryAgain());
    return false;
  }

  /** Calls `then` when something has become of the key of the owner. */
  #await(startRevision: number, then: () => void): void {
    const { client, keys } = this.#options;
    const changed = (): void => {
      this.#watch?.close();
      then();
    };
    this.#watch = client.watch(
      { key: keys.owner, startRevision },
      { events: changed, ended: changed },
    );
  }

  #tryAgain(): void {
    if (this.#state !== 'standing') return;
    this.#try().catch(({ message }: Error) => {
      this.#options.logError(`etcd: ${message}`);
      setTimeout(() => this.#tryAgain(), RETRY_MS);
    });
  }

  /**
   * A lease that is not renewed in time may still be there, as long as etcd has no quorum: until
   * etcd has said what became of it nothing is sure, and nobody else owns.
   */
  #renewed({ sentAtMs, ttlSeconds }: Lease): void {
    const leftMs = sentAtMs + ttlSeconds * 1_000 - LEASE_MARGIN_MS - performance.now();
    this.#options.ownership.renew(steadyMs() + leftMs);
  }

  #lost(why: string): void {
    const wasOwner = this.#state === 'owner';
    if (this.#state === 'closed') return;
    this.close();
    this.#options.ownership.lose();
    if (wasOwner) this.#options.onLost(why);
    else this.#standAgain();
  }

  #standAgain(): void {
    this.#state = 'standing';
    this.stand().catch((error: Error) => {
      if (error instanceof StandError) return this.#options.onLost(error.message);
      this.#options.logError(`etcd: ${error.message}`);
      if (this.#state === 'standing') setTimeout(() => this.#standAgain(), RETRY_MS);
    });
  }
}
