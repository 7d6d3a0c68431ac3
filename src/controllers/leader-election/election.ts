/**
 * The next step of an election. No step remembers those before: what stands in the lease and in its
 * candidates says how far it is.
 */
import type { Lease, LeaseSpec } from '#messages/coordination.v1';
import type { LeaseCandidate } from '#messages/coordination.v1beta1';
import { utcMicros } from '../../base/time/utc-time.ts';
import { OLDEST_EMULATION } from '../../resources/coordination/lease-strategy.ts';
import { agreedStrategy, oldestEmulation } from './candidates.ts';

/** A candidate has so long to answer, and what it has answered counts for so long. */
const ANSWER_MICROS = 5_000_000;
/** A candidate that has not been renewed for so long is none any more. */
const CANDIDATE_MICROS = 30 * 60_000_000;
/** How long the elected one has to renew its lease. */
const LEASE_SECONDS = 5;

export type ElectionStep =
  /** There is no candidate, or none has answered: something has to happen first. */
  | { readonly does: 'rest' }
  /** The lease is held by the best one, or answers are waited for. */
  | { readonly does: 'wait' }
  /** These are asked whether they live. */
  | { readonly does: 'ask'; readonly candidates: readonly LeaseCandidate[] }
  /** This strategy is agreed on, and this one elected by it where it is one of the server's. */
  | { readonly does: 'elect'; readonly strategy: string; readonly electee?: string };

/** Throws where candidates do not agree, and where none has answered. */
export function nextStep(
  candidates: readonly LeaseCandidate[],
  lease: Lease | undefined,
  nowMs: number,
): ElectionStep {
  const now = nowMs * 1_000;
  const living = candidates.filter((one) => !isCandidateOver(one, nowMs));
  if (living.length === 0) return { does: 'rest' };
  if (!isElectionNeeded(living, lease, now)) return { does: 'wait' };
  const asked = living.filter((one) => isToBeAsked(one, now));
  if (asked.length > 0) return { does: 'ask', candidates: asked };
  if (living.some((one) => isWaitedFor(one, now))) return { does: 'wait' };
  const answered = living.filter((one) => hasAnswered(one, now));
  if (answered.length === 0) throw new Error('no available candidates');
  const strategy = agreedStrategy(answered);
  if (strategy !== OLDEST_EMULATION) return { does: 'elect', strategy };
  const electee = oldestEmulation(answered)?.metadata?.name;
  if (electee === undefined) throw new Error('could not find suitable electee');
  return { does: 'elect', strategy, electee };
}

/** Whether it waits for an answer of the candidate: what changes it is no news then. */
export function isAsked({ spec = {} }: LeaseCandidate): boolean {
  const { pingTime, renewTime } = spec;
  return pingTime !== undefined && microsOf(renewTime) < microsOf(pingTime);
}

export function isCandidateOver({ spec = {} }: LeaseCandidate, nowMs: number): boolean {
  return microsOf(spec.renewTime) + CANDIDATE_MICROS < nowMs * 1_000;
}

/** A lease after an election, or undefined where nothing changes; `held` is the one there is. */
export function electedLease(
  held: LeaseSpec | undefined,
  { strategy, electee }: { readonly strategy: string; readonly electee?: string },
  nowMs: number,
): LeaseSpec | undefined {
  const fresh: LeaseSpec = {
    ...(electee !== undefined && { holderIdentity: electee }),
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: utcMicros(nowMs),
    strategy,
  };
  if (held === undefined) return fresh;
  const { holderIdentity = '' } = held;
  const isOther = electee !== undefined && electee !== holderIdentity;
  if (isOther && (holderIdentity === '' || isLeaseOver(held, nowMs * 1_000))) {
    const kept = { ...held, ...fresh };
    delete kept.preferredHolder;
    delete kept.acquireTime;
    return kept;
  }
  const isToMove = isOther && held.preferredHolder !== electee;
  if (held.strategy === strategy && !isToMove) return undefined;
  return { ...held, strategy, ...(isOther && { preferredHolder: electee }) };
}

function isElectionNeeded(
  candidates: readonly LeaseCandidate[],
  lease: Lease | undefined,
  now: number,
): boolean {
  const { holderIdentity = '', ...spec } = lease?.spec ?? {};
  if (holderIdentity === '' || isLeaseOver(spec, now)) return true;
  // From time to time all are asked, so that those that live are not taken for ended ones.
  const isOld = ({ spec: { renewTime } = {} }: LeaseCandidate): boolean =>
    microsOf(renewTime) + CANDIDATE_MICROS / 2 < now;
  if (candidates.some(isOld)) return true;
  if (agreedStrategy(candidates) !== OLDEST_EMULATION) return false;
  const best = oldestEmulation(candidates);
  return best !== undefined && best.metadata?.name !== holderIdentity;
}

/** One that was asked is asked again only after it has answered. */
function isToBeAsked(candidate: LeaseCandidate, now: number): boolean {
  const { pingTime } = candidate.spec ?? {};
  if (isWaitedFor(candidate, now) || hasAnswered(candidate, now)) return false;
  if (pingTime === undefined) return true;
  return microsOf(pingTime) + ANSWER_MICROS < now && !isAsked(candidate);
}

function isWaitedFor(candidate: LeaseCandidate, now: number): boolean {
  return isAsked(candidate) && microsOf(candidate.spec?.pingTime) + ANSWER_MICROS > now;
}

function hasAnswered({ spec = {} }: LeaseCandidate, now: number): boolean {
  return microsOf(spec.renewTime) + ANSWER_MICROS > now;
}

function isLeaseOver({ renewTime, leaseDurationSeconds }: LeaseSpec, now: number): boolean {
  if (renewTime === undefined || leaseDurationSeconds === undefined) return true;
  return microsOf(renewTime) + leaseDurationSeconds * 1_000_000 < now;
}

/** Gives a time of an object as a number; the beginning of all times for none. */
function microsOf(time: string | undefined): number {
  if (time === undefined) return Number.NEGATIVE_INFINITY;
  const [seconds = '', fraction = ''] = time.slice(0, -1).split('.');
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, '0'));
}
