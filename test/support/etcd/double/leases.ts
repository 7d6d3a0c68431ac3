/** Leases, their ends, and the keys that go with them. */
import { randomBytes } from 'node:crypto';
import { textOf } from './mvcc.ts';
import type { Mvcc } from './mvcc.ts';
import { LEASE_EXISTS, LEASE_NOT_FOUND, StatusError, TTL_TOO_LARGE } from './status-error.ts';

/** As etcd has it with its usual settings. */
const TTL_SECONDS_MIN = 2;
const TTL_SECONDS_MAX = 9_000_000_000;

/** How often etcd looks for leases that have ended. */
const EXPIRY_CHECK_MS = 500;

interface HeldLease {
  readonly ttlSeconds: number;
  endsAtMs: number;
  readonly keys: Set<string>;
}

export class Leases {
  readonly #mvcc: Mvcc;
  readonly #leases = new Map<bigint, HeldLease>();
  readonly #leaseOf = new Map<string, bigint>();
  readonly #timer: NodeJS.Timeout;

  constructor(mvcc: Mvcc) {
    this.#mvcc = mvcc;
    this.#timer = setInterval(() => this.#expire(), EXPIRY_CHECK_MS).unref();
  }

  grant(wantedSeconds: number, wantedId: bigint): { id: bigint; ttlSeconds: number } {
    if (wantedSeconds > TTL_SECONDS_MAX) throw new StatusError(TTL_TOO_LARGE);
    const id = wantedId === 0n ? BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()) : wantedId;
    if (this.#leases.has(id)) throw new StatusError(LEASE_EXISTS);
    const ttlSeconds = Math.max(wantedSeconds, TTL_SECONDS_MIN);
    this.#leases.set(id, { ttlSeconds, endsAtMs: endOf(ttlSeconds), keys: new Set() });
    return { id, ttlSeconds };
  }

  has(id: bigint): boolean {
    return this.#leases.has(id);
  }

  /** Gives the new time to live, 0 where there is no such lease. */
  renew(id: bigint): number {
    const lease = this.#leases.get(id);
    if (lease === undefined) return 0;
    lease.endsAtMs = endOf(lease.ttlSeconds);
    return lease.ttlSeconds;
  }

  /** All its keys go in one revision. */
  revoke(id: bigint): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) throw new StatusError(LEASE_NOT_FOUND);
    this.#leases.delete(id);
    this.#mvcc.commit((writing) => {
      for (const key of [...lease.keys].sort()) {
        this.#leaseOf.delete(key);
        writing.delete({ key: Buffer.from(key, 'latin1') });
      }
    });
  }

  /** The key goes with this lease from now on, with none where it is 0n. */
  attach(key: Uint8Array, id: bigint): void {
    const text = textOf(key);
    const before = this.#leaseOf.get(text);
    if (before !== undefined) this.#leases.get(before)?.keys.delete(text);
    if (id === 0n) {
      this.#leaseOf.delete(text);
    } else {
      this.#leaseOf.set(text, id);
      this.#leases.get(id)?.keys.add(text);
    }
  }

  /** As a new leader does: each has its whole time again. */
  renewAll(): void {
    for (const id of this.#leases.keys()) this.renew(id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #expire(): void {
    const now = performance.now();
    for (const [id, { endsAtMs }] of this.#leases) if (endsAtMs <= now) this.revoke(id);
  }
}

function endOf(ttlSeconds: number): number {
  return performance.now() + ttlSeconds * 1_000;
}
