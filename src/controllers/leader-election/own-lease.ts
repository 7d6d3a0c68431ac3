/** The lease by which others see that the controller of elections runs. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Lease } from '#messages/coordination.v1';
import { utcMicros } from '../../base/time/utc-time.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import { ownNamespace } from '../../semantics/dialect/own-names.ts';

const NAME = 'leader-election-controller';

export class OwnLease {
  readonly #leases: ShardObjects;
  readonly #leaseDurationSeconds: number;
  readonly #nowMs: () => number;
  readonly #at = { namespace: ownNamespace('cluster-system'), name: NAME };
  readonly #holderIdentity = `${hostname()}_${randomUUID()}`;

  constructor(leases: ShardObjects, leaseMs: number, nowMs: () => number) {
    this.#leases = leases;
    // Leases are told in whole seconds.
    this.#leaseDurationSeconds = Math.floor(leaseMs / 1_000);
    this.#nowMs = nowMs;
  }

  /** Takes the lease, whoever held it: there is one server. */
  async renew(): Promise<void> {
    const held = await this.#leases.get<Lease>(this.#at);
    const { spec = {} } = held ?? {};
    const now = utcMicros(this.#nowMs());
    const isHeld = spec.holderIdentity === this.#holderIdentity;
    const renewed = {
      holderIdentity: this.#holderIdentity,
      leaseDurationSeconds: this.#leaseDurationSeconds,
      acquireTime: (isHeld ? spec.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + Number(!isHeld && held !== undefined),
    };
    await this.#write(held, { ...spec, ...renewed });
  }

  /** Leaves it to the next one. */
  async release(): Promise<void> {
    const held = await this.#leases.get<Lease>(this.#at);
    if (held?.spec?.holderIdentity !== this.#holderIdentity) return;
    const now = utcMicros(this.#nowMs());
    const { leaseTransitions = 0 } = held.spec;
    const over = { leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
    await this.#write(held, { holderIdentity: '', ...over, leaseTransitions });
  }

  async #write(held: Lease | undefined, spec: Lease['spec']): Promise<void> {
    if (held === undefined) await this.#leases.create(this.#at, { metadata: this.#at, spec });
    else await this.#leases.update(this.#at, { ...held, spec });
  }
}
