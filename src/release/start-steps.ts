/** Which steps a start has in a release. */
import { STEP_LIVES } from './data/start-steps.ts';
import type { FeatureGates } from './feature-gates.ts';
import { isIn } from './life.ts';

/** Those of them that the release has, with these features on. */
export function stepsIn(
  steps: readonly string[],
  minor: number,
  gates: FeatureGates,
): readonly string[] {
  return steps.filter((name) => {
    const { gate, ...life } = STEP_LIVES[name] ?? {};
    return isIn(life, minor) && (gate === undefined || gates.has(gate));
  });
}
