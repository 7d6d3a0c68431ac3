/** The expressions of a policy as programs. */
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '#messages/admissionregistration.v1';
import type { CheckedProgram } from '../../../schema/cel/checked-program.ts';
import type { RequestPrograms } from '../../../schema/cel/request-program.ts';
import type { ConfiguredPolicy } from './configured-policy.ts';
import { policyPrograms, type PolicyPrograms } from './policy-programs.ts';

export interface CompiledValidation {
  readonly program: CheckedProgram;
  /** The text of the expression, trimmed. */
  readonly expression: string;
  /** '' for none. */
  readonly message: string;
  readonly messageProgram: CheckedProgram | undefined;
  /** Why a client is told that it was refused: `Invalid` unless the policy says another. */
  readonly reason: string;
}

export interface CompiledAnnotation {
  readonly key: string;
  readonly expression: string;
  readonly program: CheckedProgram;
}

export interface CompiledPolicy extends PolicyPrograms {
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

const COMPILED = new WeakMap<ValidatingAdmissionPolicySpec, CompiledPolicy>();

/** Made when a policy is first asked, and kept as long as it stays as it is. */
export function compiledPolicy(
  policy: ConfiguredPolicy<ValidatingAdmissionPolicySpec>,
): CompiledPolicy {
  const { spec } = policy;
  let compiled = COMPILED.get(spec);
  if (compiled === undefined) COMPILED.set(spec, (compiled = compile(policy)));
  return compiled;
}

function compile(policy: ConfiguredPolicy<ValidatingAdmissionPolicySpec>): CompiledPolicy {
  const compiled = policyPrograms(policy);
  const { programs } = compiled;
  const { validations = [], auditAnnotations = [] } = policy.spec;
  return {
    ...compiled,
    validations: validations.map((validation) => compiledValidation(validation, programs)),
    annotations: auditAnnotations.map((annotation) => compiledAnnotation(annotation, programs)),
  };
}

function compiledValidation(
  { expression = '', message = '', messageExpression = '', reason = 'Invalid' }: Validation,
  programs: RequestPrograms,
): CompiledValidation {
  return {
    program: programs.compile(expression, ['bool']),
    expression: expression.trim(),
    message: message.trim(),
    messageProgram:
      messageExpression === '' ? undefined : programs.compile(messageExpression, ['string']),
    reason,
  };
}

function compiledAnnotation(
  { key = '', valueExpression = '' }: AuditAnnotation,
  programs: RequestPrograms,
): CompiledAnnotation {
  const program = programs.compile(valueExpression, ['string', 'null_type']);
  return { key, expression: valueExpression, program };
}
