/** Which of several LeaseCandidates is the best one, and who says how that is found. */
import type { LeaseCandidate } from '#messages/coordination.v1beta1';
import { ownRelease } from '../../release/release.ts';
import { OLDEST_EMULATION } from '../../resources/coordination/lease-strategy.ts';
import {
  compareSemanticVersions,
  parseVersion,
  type SemanticVersion,
} from '../../resources/coordination/semantic-version.ts';

const ZERO: SemanticVersion = { numbers: [0n, 0n, 0n], preRelease: [] };

/**
 * The strategy on which they agree: from release 1.32 on that of the newest program, before the
 * one that all put first. Throws where there is none. There is at least one candidate.
 */
export function agreedStrategy(candidates: readonly LeaseCandidate[]): string {
  return ownRelease().has('oneStrategyOfCandidates')
    ? ofNewestProgram(candidates)
    : firstOfAll(candidates);
}

/** The one that emulates the oldest version, of these the oldest program, the oldest object. */
export function oldestEmulation(candidates: readonly LeaseCandidate[]): LeaseCandidate | undefined {
  return candidates
    .filter(({ spec = {} }) => {
      const { emulationVersion = '', binaryVersion = '' } = spec;
      return (
        parseVersion(emulationVersion) !== undefined && parseVersion(binaryVersion) !== undefined
      );
    })
    .toSorted(
      (one, other) =>
        compareSemanticVersions(emulated(one), emulated(other)) ||
        compareSemanticVersions(program(one), program(other)) ||
        compareTexts(created(one), created(other)),
    )[0];
}

function ofNewestProgram(candidates: readonly LeaseCandidate[]): string {
  const newest = candidates.reduce((best, one) =>
    compareSemanticVersions(program(one), program(best)) > 0 ? one : best,
  );
  const strategy = strategyOf(newest);
  const other = candidates.find(
    (one) =>
      compareSemanticVersions(program(one), program(newest)) === 0 && strategyOf(one) !== strategy,
  );
  if (other === undefined) return strategy;
  const names = `"${newest.metadata?.name}", "${other.metadata?.name}"`;
  const strategies = `${strategy}, ${strategyOf(other)}`;
  throw new Error(
    `candidates ${names} at same binary version but received differing strategies ${strategies}`,
  );
}

/** The order of each is an order of all: only one strategy may come after no other one. */
function firstOfAll(candidates: readonly LeaseCandidate[]): string {
  const after = new Map<string, Set<string>>();
  for (const { spec = {} } of candidates) {
    for (const [index, strategy] of (spec.preferredStrategies ?? []).entries()) {
      const those = after.get(strategy) ?? new Set();
      after.set(strategy, those);
      const next = spec.preferredStrategies?.[index + 1];
      if (next !== undefined) those.add(next);
    }
  }
  const left = new Map(after);
  const [first, ...others] = without(left);
  if (first === undefined || others.length > 0) throw new Error('invalid strategy');
  for (let front = [first]; front.length > 0; front = without(left)) {
    for (const strategy of front) left.delete(strategy);
  }
  // Those that are left come before themselves.
  if (left.size > 0) throw new Error('invalid strategy');
  return first;
}

/** Those that come after no other one. */
function without(after: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const later = new Set([...after.values()].flatMap((those) => [...those]));
  return [...after.keys()].filter((strategy) => !later.has(strategy));
}

function strategyOf({ spec = {} }: LeaseCandidate): string {
  return spec.strategy ?? OLDEST_EMULATION;
}

function emulated({ spec = {} }: LeaseCandidate): SemanticVersion {
  return parseVersion(spec.emulationVersion ?? '') ?? ZERO;
}

function program({ spec = {} }: LeaseCandidate): SemanticVersion {
  return parseVersion(spec.binaryVersion ?? '') ?? ZERO;
}

function created({ metadata }: LeaseCandidate): string {
  return metadata.creationTimestamp ?? '';
}

function compareTexts(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
