/** Conditions in CEL, by which webhooks and policies choose writes (plugins/policies/README.md). */
import type { MatchCondition } from '#messages/admissionregistration.v1';
import type { CheckedProgram } from '../schema/cel/checked-program.ts';
import { jsonValue } from '../schema/cel/json-values.ts';
import {
  CONDITIONS_COST_MAX,
  OutOfCost,
  type RequestInputs,
  RequestPrograms,
} from '../schema/cel/request-program.ts';
import { Failure } from '../schema/cel/values.ts';
import { countConditions, countExclusion, type Conditioned } from './condition-metrics.ts';
import type { Matched } from './matching.ts';
import type { Proposal } from './proposal.ts';
import { refused } from './refused.ts';
import type { WriteValues } from './write-values.ts';

export class MatchConditions {
  readonly #programs: RequestPrograms;
  readonly #conditions: readonly CheckedProgram[];

  readonly #of: Conditioned;

  constructor(of: Conditioned, conditions: readonly MatchCondition[], programs: RequestPrograms) {
    this.#of = of;
    this.#programs = programs;
    this.#conditions = conditions.map(({ expression = '' }) =>
      programs.compile(expression, ['bool']),
    );
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /**
   * Whether all of them hold: one that does not decides, else those that cannot be evaluated, whose
   * problems are given.
   */
  async hold(values: WriteValues, matched: Matched, params: unknown): Promise<boolean | string> {
    if (this.isEmpty) return true;
    const startMs = performance.now();
    const inputs = { ...(await values.conditionInputs(matched)), params: jsonValue(params) };
    const { holds, errors } = await values.settled(() => this.#held(inputs));
    if (holds !== true) {
      const ms = performance.now() - startMs;
      countConditions(this.#of, values.operation, { errors, ms });
    }
    return holds;
  }

  #held(inputs: RequestInputs): Held {
    const evaluation = this.#programs.evaluation(inputs, CONDITIONS_COST_MAX);
    const problems = new Set<string>();
    let errors = 0;
    try {
      for (const condition of this.#conditions) {
        const value = evaluation.value(condition);
        if (value === false) return { holds: false, errors };
        if (!(value instanceof Failure)) continue;
        problems.add(value.message);
        errors += 1;
      }
    } catch (error) {
      if (error instanceof OutOfCost) return { holds: error.message, errors: 0 };
      throw error;
    }
    return { holds: problems.size === 0 || joined([...problems]), errors };
  }
}

interface Held {
  readonly holds: boolean | string;
  /** How many cannot be evaluated. */
  readonly errors: number;
}

interface ConditionedWebhook {
  readonly name: string;
  readonly conditions: readonly MatchCondition[];
  readonly failsOpen: boolean;
}

const COMPILED = new WeakMap<readonly MatchCondition[], MatchConditions>();

/**
 * Whether the conditions of a webhook take a write. Rejects with StatusError 403 where they cannot
 * be evaluated, and the webhook fails closed.
 */
export async function takes(
  { name, conditions, failsOpen }: ConditionedWebhook,
  type: Conditioned['type'],
  matched: Matched,
  proposal: Proposal,
  values: WriteValues,
): Promise<boolean> {
  const of = { kind: 'webhook', name, type } as const;
  let compiled = COMPILED.get(conditions);
  if (compiled === undefined) {
    compiled = new MatchConditions(of, conditions, new RequestPrograms(false));
    COMPILED.set(conditions, compiled);
  }
  const holds = await compiled.hold(values, matched, undefined);
  if (typeof holds === 'string' && !failsOpen) throw refused(proposal, holds);
  if (holds !== true) countExclusion(of, proposal.operation);
  return holds === true;
}

/** As the reference joins errors. */
function joined(problems: readonly string[]): string {
  const [only = ''] = problems;
  return problems.length === 1 ? only : `[${problems.join(', ')}]`;
}
