/** Members whose feature is off are dropped, unless the stored object has them already. */
import type { FeatureGate, FeatureGates } from '../release/feature-gates.ts';

/** Drops a member of `target` in place; `stored` is the old version of that object. */
export function dropDisabledMember<T extends object>(
  gates: FeatureGates,
  gate: FeatureGate,
  holder: T | undefined,
  stored: T | undefined,
  member: keyof T,
): void {
  if (holder === undefined || gates.has(gate) || stored?.[member] !== undefined) return;
  delete holder[member];
}
