/**
 * Calls of the shard of quotas alone (`OwnCall`), beside those of every shard: admission and the
 * controller of quotas make them.
 */
import type { ResourceQuotaSpec } from '#messages/core.v1';
import type { Amounts } from './amounts.ts';

/** A quota by its name, and none that has taken its place. */
interface NamedQuota {
  readonly name: string;
  readonly uid: string;
}

/** The amounts that a write is about to use, in all quotas of a namespace that it counts in. */
export interface QuotaReservation {
  readonly namespace: string;
  /** In the order in which they may refuse it. */
  readonly quotas: readonly NamedQuota[];
  readonly amounts: Amounts;
  readonly dryRun: boolean;
}

/** Why it is refused, or by which id it is settled: 0 where nothing is reserved. */
export type QuotaReserved = { readonly refusal: string } | { readonly id: number };

interface QuotaPlace {
  readonly namespace: string;
  readonly name: string;
}

interface FoundUse extends QuotaPlace {
  /** The number of the recount. */
  readonly id: number;
  readonly found: Amounts;
}

/** A recount of a quota begins: of what it says at that time. */
export interface StartedRecount {
  readonly id: number;
  readonly spec: ResourceQuotaSpec;
}

export interface QuotaCalls {
  /** Answers once what is reserved is committed as used (README.md#reservations). */
  reserve: { request: QuotaReservation; reply: QuotaReserved };
  /** Told when the write that a reservation was for was made, or came to nothing. */
  settle: { request: { readonly id: number; readonly isMade: boolean }; reply: undefined };
  /** Answers with the quota as it is; null when there is none (README.md#recounts). */
  beginRecount: { request: QuotaPlace; reply: StartedRecount | null };
  /** Gives the found use. Answers, once it is committed, whether another recount may find less. */
  endRecount: { request: FoundUse; reply: { readonly isRough: boolean } };
}

/** A client of the shard of quotas, as far as it is needed here. */
export interface QuotaShard {
  callOwn(verb: string, request: unknown): Promise<unknown>;
  tellOwn(verb: string, request: unknown): void;
}

/** Asks that shard. */
export function callQuotas<V extends keyof QuotaCalls>(
  shard: QuotaShard,
  verb: V,
  request: QuotaCalls[V]['request'],
): Promise<QuotaCalls[V]['reply']> {
  return shard.callOwn(verb, request) as Promise<QuotaCalls[V]['reply']>;
}

/** Tells that shard what became of a write. */
export function settleQuotas(shard: QuotaShard, told: QuotaCalls['settle']['request']): void {
  shard.tellOwn('settle' satisfies keyof QuotaCalls, told);
}
