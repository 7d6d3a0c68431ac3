/** Evaluates a policy on one write with one parameter (README.md#what-is-decided). */
import type { CheckedProgram } from '../../../schema/cel/checked-program.ts';
import { Failure, type Value } from '../../../schema/cel/values.ts';
import {
  OutOfCost,
  POLICY_COST_MAX,
  type RequestEvaluation,
  type RequestInputs,
} from '../../../schema/cel/request-program.ts';
import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from './compiled-policy.ts';
import type { ConfiguredPolicy } from './configured-policy.ts';

const MESSAGE_BYTES_MAX = 5 * 1024;

/** The verdict of a validation about a write. */
export interface Decision {
  readonly isDenied: boolean;
  /** Why it is denied, or passes though the expression cannot be evaluated; '' for no problem. */
  readonly message: string;
  readonly reason: string;
  /** The evaluation took so long. */
  readonly ms: number;
}

/** The value of an annotation for the audit log; '' for none. */
export interface AnnotationResult {
  readonly key: string;
  readonly value: string;
  /** Why it cannot be told; '' for no problem. */
  readonly problem: string;
  readonly ms: number;
}

export interface PolicyResult {
  /** In the order of the validations; a policy whose conditions do not hold has none. */
  readonly decisions: readonly Decision[];
  readonly annotations: readonly AnnotationResult[];
}

const ADMITTED: Decision = Object.freeze({ isDenied: false, message: '', reason: '', ms: 0 });

/** Evaluates a policy for a write for which its conditions hold. */
export function evaluatePolicy(
  policy: ConfiguredPolicy,
  compiled: CompiledPolicy,
  inputs: RequestInputs,
): PolicyResult {
  // Annotations have a budget of their own.
  const evaluation = compiled.programs.evaluation(inputs, POLICY_COST_MAX);
  const annotations = compiled.programs.evaluation(inputs, POLICY_COST_MAX);
  const failed = (message: string, ms: number): Decision => failedDecision(policy, message, ms);
  try {
    const decisions = compiled.validations.map((validation) =>
      decided(validation, evaluation, failed),
    );
    return {
      decisions,
      annotations: compiled.annotations.map((one) => annotated(one, annotations)),
    };
  } catch (error) {
    if (error instanceof OutOfCost) return failure(policy, error.message);
    throw error;
  }
}

/** Gives the result of a policy for a write that it cannot judge. */
export function failure(policy: ConfiguredPolicy, message: string): PolicyResult {
  return { decisions: [failedDecision(policy, message, 0)], annotations: [] };
}

function failedDecision({ failsOpen }: ConfiguredPolicy, message: string, ms: number): Decision {
  return { isDenied: !failsOpen, message, reason: '', ms };
}

function decided(
  validation: CompiledValidation,
  evaluation: RequestEvaluation,
  failed: (message: string, ms: number) => Decision,
): Decision {
  const startMs = performance.now();
  const value = evaluation.value(validation.program);
  if (value === true) return ADMITTED;
  const ms = performance.now() - startMs;
  if (value instanceof Failure) return failed(value.message, ms);
  const message =
    messageOf(validation.messageProgram, evaluation) ||
    validation.message ||
    `failed expression: ${validation.expression}`;
  return { isDenied: true, message, reason: validation.reason, ms };
}

/** The text that a policy makes for a refusal; '' for one that is none, or too long for a line. */
function messageOf(program: CheckedProgram | undefined, evaluation: RequestEvaluation): string {
  if (program === undefined) return '';
  const value = evaluation.value(program);
  const text = typeof value === 'string' ? value.trim() : '';
  return Buffer.byteLength(text) > MESSAGE_BYTES_MAX || text.includes('\n') ? '' : text;
}

function annotated(
  { key, expression, program }: CompiledAnnotation,
  evaluation: RequestEvaluation,
): AnnotationResult {
  const startMs = performance.now();
  const value: Value = evaluation.value(program);
  const ms = performance.now() - startMs;
  if (value instanceof Failure) return { key, value: '', problem: value.message, ms };
  if (typeof value === 'string') return { key, value: value.trim(), problem: '', ms };
  if (value === null) return { key, value: '', problem: '', ms };
  const problem =
    `valueExpression '${expression}' resulted in unsupported return type. ` +
    'Return type must be either string or null.';
  return { key, value: '', problem, ms };
}
