/**
 * One type on a server that shares it with others over etcd: its log, how far its view is, and
 * whose it is. On the server that owns all types it works as on one alone; on the others groups
 * come from etcd, and who must not be told less than the newest waits for it.
 */
import type { Newest } from './freshness.ts';
import { serviceUnavailable } from '../semantics/errors/status.ts';
import type { StatusError } from '../semantics/errors/status.ts';
import type { Clock, VersionClock } from '../sequencer/version-clock.ts';
import type { LogEntry } from '../storage/store.ts';
import type { JournaledLog } from './journaled-log.ts';
import {
  FRESH_MS_MAX,
  GROUP_BYTES_MAX,
  GROUP_WRITES_MAX,
  GROUPS_UNDER_WAY_MAX,
  ISSUED_MS_MAX,
} from './limits.ts';
import { NotOwnerError } from './not-owner-error.ts';
import type { Ownership } from './ownership.ts';
import type { ThreadVersions, TypeVersions } from './thread-versions.ts';
import type { TypeFeed } from './type-feed.ts';

/** The shard of the type, as far as it is told what to do. */
export interface JournaledShard extends TypeVersions {
  /** Takes changes that are in etcd; resolves when they are applied. */
  adopt(entries: readonly LogEntry[]): Promise<void>;
}

export interface JournaledTypeOptions {
  readonly log: JournaledLog;
  readonly feed: TypeFeed;
  readonly clock: VersionClock;
  readonly ownership: Ownership;
  readonly versions: ThreadVersions;
  readonly newest: () => Promise<Newest>;
  /** Told of the shard when there is one. */
  readonly onShard: (shard: TypeVersions) => void;
  readonly onClose: () => void;
  /** A view that etcd contradicts: the server has to begin anew. */
  readonly onBroken: (error: Error) => void;
}

export class JournaledType {
  readonly log: JournaledLog;
  /** The versions of the type. */
  readonly clock: Clock;
  readonly #options: JournaledTypeOptions;
  #shard: JournaledShard | undefined;
  /** Those of the shard, and what is in doubt, which it has given up. */
  readonly #underWay: TypeVersions = {
    oldest: () => this.log.oldestInDoubt ?? this.#shard?.oldest(),
    oldestStaged: () => this.log.oldestInDoubt ?? this.#shard?.oldestStaged(),
  };
  #adopted: Promise<void> = Promise.resolve();
  #adopting = 0;
  #viewRevision: number;
  #safeRv = 0;
  #isOwn = false;

  constructor(options: JournaledTypeOptions) {
    const { log, clock, versions, feed } = options;
    this.#options = options;
    this.#viewRevision = feed.revision;
    this.log = log;
    // What is found in the end comes after all that was told of until then.
    const oldestInDoubt = (): number => log.oldestInDoubt ?? Infinity;
    this.clock = {
      take: () => versions.take(),
      current: () => (this.#isOwn ? Math.min(clock.current(), oldestInDoubt() - 1) : this.#safeRv),
      leased: () => (this.#isOwn ? clock.leased() : Number.MAX_SAFE_INTEGER),
    };
  }

  /** How much one transaction may hold, and how many may be under way. */
  readonly groups = {
    writesMax: GROUP_WRITES_MAX,
    bytesMax: GROUP_BYTES_MAX,
    underWayMax: GROUPS_UNDER_WAY_MAX,
  };

  /** Whether writes are decided here. */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  /** Whether reads need not wait: nobody can have a newer state. */
  get isNewest(): boolean {
    return this.#isOwn && this.#options.ownership.isSure && !this.log.isInDoubt;
  }

  /** Why nothing can be written at present. */
  refusal(): StatusError | undefined {
    if (!this.#isOwn) return serviceUnavailable('another server owns the types');
    return this.log.isInDoubt ? unsure() : undefined;
  }

  /** All groups of the type up to this revision are in the view. */
  viewRevision(): number {
    const { ownership, feed } = this.#options;
    // Before it is known that nothing is under way: what begins after that is newer.
    const { seen } = ownership;
    let revision = this.#viewRevision;
    if (this.#isOwn) revision = this.log.isIdle ? seen : this.log.viewRevision;
    else if (this.#shard !== undefined && this.#adopting === 0) ({ revision } = feed);
    return (this.#viewRevision = Math.max(this.#viewRevision, revision));
  }

  /** Something is committed, and not under way any more. */
  committed(): void {
    this.#options.versions.look();
  }

  /** The shard has read the view: what comes from etcd goes there from now on. */
  attach(shard: JournaledShard): void {
    const { feed, versions, onShard } = this.#options;
    this.#shard = shard;
    onShard(this.#underWay);
    versions.join(this.#underWay);
    feed.follow(({ entries, safeRv }) => {
      this.#adopt(entries);
      this.#safeRv = Math.max(this.#safeRv, safeRv);
    });
  }

  /** Takes what an append has brought to etcd that was given up; resolves when it is applied. */
  async found(entries: readonly LogEntry[]): Promise<void> {
    this.#adopt(entries);
    await this.#adopted;
  }

  /** The server owns all types since the revision `fence`. */
  async own(fence: number): Promise<void> {
    const { feed, log } = this.#options;
    await feed.whenAt(fence);
    await this.#adopted;
    if (this.#isOwn) return;
    feed.close();
    log.continueAfter(feed.groupRevision, feed.lastRv);
    this.#isOwn = true;
  }

  /**
   * Resolves when reads of the type see all that was answered before, on whichever server, and that
   * version if it was issued. Rejects with StatusError 503 where nobody can tell, and
   * with NotOwnerError.
   */
  async whenNewest(atLeast: number): Promise<void> {
    const beganMs = performance.now();
    for (;;) {
      const passedMs = performance.now() - beganMs;
      if (this.isNewest) return;
      if (this.#isOwn && this.#options.ownership.fence === 0) throw new NotOwnerError();
      if (passedMs > FRESH_MS_MAX) throw unsure();
      if (!this.#isOwn) await this.#whenCaughtUp(FRESH_MS_MAX - passedMs);
      const isThere = this.#safeRv >= atLeast || passedMs > ISSUED_MS_MAX;
      if (!this.#isOwn && isThere) return;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }

  close(): void {
    this.#options.feed.close();
    this.#options.onClose();
    this.#options.versions.leave(this.#underWay);
  }

  async #whenCaughtUp(msMax: number): Promise<void> {
    const { newest, feed } = this.#options;
    const caughtUp = newest().then(async ({ revision, safeRv }) => {
      await feed.whenAt(revision);
      await this.#adopted;
      this.#safeRv = Math.max(this.#safeRv, safeRv);
      return true;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), msMax);
    });
    const isInTime = await Promise.race([caughtUp, late]).catch(() => false);
    clearTimeout(timer);
    if (!isInTime) throw unsure();
  }

  #adopt(entries: readonly LogEntry[]): void {
    if (entries.length === 0) return;
    const { onBroken } = this.#options;
    const adopted = this.#shard?.adopt(entries.map((entry) => ({ ...entry, isDecided: true })));
    this.#adopting += 1;
    this.#adopted = (adopted ?? Promise.resolve()).then(() => {
      this.#adopting -= 1;
    }, onBroken);
  }
}

const WAIT_MS = 20;

function unsure() {
  return serviceUnavailable('etcd does not answer: whether this is the newest state is not known');
}
