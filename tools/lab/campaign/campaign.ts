/** Runs that go wrong in all the ways to which two runs without faults lead. */
import { ToolError } from '../../backup/tool-error.ts';
import { describe, type Kind, type Plan } from './plan.ts';
import { plansOf, readTypes } from './plans.ts';
import type { Traffic } from './traffic.ts';
import { runTrial, type Trial, type TrialTools } from './trial.ts';

const LINES = 12;

export interface CampaignOptions {
  readonly kinds: readonly Kind[];
  /** Infinity for all plans. */
  readonly limit: number;
}

/** What became of one plan. */
export interface Result {
  readonly plan: Plan;
  /** Unsteady: it has failed, and has not when it was run again. */
  readonly outcome: 'passed' | 'failed' | 'unsteady';
  /** The one that failed, where one did. */
  readonly trial: Trial;
}

export interface Campaign {
  readonly reference: Trial;
  readonly planned: number;
  readonly results: readonly Result[];
}

/** `tell` is given a line for each step. Rejects with ToolError. */
export async function runCampaign(
  tools: TrialTools,
  { kinds, limit }: CampaignOptions,
  tell: (line: string) => void,
): Promise<Campaign> {
  const first = await referenceRun(tools, undefined);
  const types = readTypes(first.traffic, tools.skipped);
  tell(`reference run: ${told(first)}`);
  const reference = await referenceRun(tools, first.traffic, types);
  const { skipped } = tools;
  const all = plansOf(first.traffic, reference.traffic, reference.events, { kinds, skipped });
  const plans = all.slice(0, limit);
  tell(`${all.length} plans, of which ${plans.length} are run`);
  const results: Result[] = [];
  for (const [at, plan] of plans.entries()) {
    const result = await runPlan(tools, plan);
    results.push(result);
    tell(`${at + 1}/${plans.length} ${line(result)}`);
  }
  return { reference, planned: all.length, results };
}

/** A plan that fails is run once more. */
export async function runPlan(tools: TrialTools, plan: Plan): Promise<Result> {
  const trial = await runTrial(tools, plan);
  if (trial.passed) return { plan, outcome: 'passed', trial };
  const again = await runTrial(tools, plan);
  return { plan, outcome: again.passed ? 'unsteady' : 'failed', trial };
}

export function line({ plan, outcome, trial }: Result): string {
  const did = trial.hasActed ? '' : ' (it did not come to it)';
  const says = outcome === 'passed' ? '' : `: ${trial.says}`;
  return `${outcome.padEnd(8)} ${trial.seconds.toFixed(1)} s  ${describe(plan)}${did}${says}`;
}

function told({ traffic, seconds }: Trial): string {
  const own = traffic.asked.filter(({ isController }) => isController);
  const writes = own.filter(({ isWrite }) => isWrite);
  return `${seconds.toFixed(1)} s, ${own.length} requests, ${writes.length} writes`;
}

/** Without faults the state must be right in the end. */
async function referenceRun(
  tools: TrialTools,
  before: Traffic | undefined,
  follows: Parameters<typeof runTrial>[2] = [],
): Promise<Trial> {
  const trial = await runTrial(tools, undefined, follows);
  if (!trial.passed) {
    const last = trial.output.trim().split('\n').slice(-LINES).join('\n');
    const which = before === undefined ? 'the run' : 'the second run';
    throw new ToolError(`${which} without faults fails: ${trial.says}\n${last}`.trim());
  }
  if (trial.traffic.asked.some(({ isController }) => isController)) return trial;
  const agents = new Set(trial.traffic.asked.map(({ user, userAgent }) => `${user}  ${userAgent}`));
  throw new ToolError(
    `no request is the controller's: give --user-agent or --user. These asked:\n` +
      [...agents].sort().join('\n'),
  );
}
