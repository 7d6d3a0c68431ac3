/** Gathers what all policies say of one write: refusals, warnings, and lines for the audit log. */
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { Proposal } from '../../proposal.ts';
import type { ConfiguredBinding, ConfiguredPolicy } from './configured-policy.ts';
import type { Decision, PolicyResult } from './policy-evaluation.ts';
import { countValidation, errorTypeOf } from './policy-metrics.ts';

const FAILURES_KEY = `validation.policy.${ownGroup('admission.cluster.io')}/validation_failure`;
const FAILURES_MAX = 50;
const ANNOTATION_CHARACTERS_MAX = 10 * 1024;

export interface Denial {
  readonly message: string;
  readonly reason: string;
}

/** A member of the list in the annotation for failures. */
interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

const CONSEQUENCES: Readonly<Record<string, 'deny' | 'warn' | 'audit'>> = {
  Deny: 'deny',
  Warn: 'warn',
  Audit: 'audit',
};

function checked(
  { name: policy }: ConfiguredPolicy,
  { name: binding }: ConfiguredBinding,
  { message, ms }: Pick<Decision, 'message' | 'ms'>,
): Parameters<typeof countValidation>[0] {
  return { policy, binding, errorType: errorTypeOf(message), ms };
}

export class PolicyFindings {
  #firstDenied: Denial | undefined;
  readonly #failures: AuditedFailure[] = [];
  /** Those of the policy that is asked now: different values of several bindings stand together. */
  readonly #annotations = new Map<string, Set<string>>();

  get firstDenied(): Denial | undefined {
    return this.#firstDenied;
  }

  /** The policy, or the binding where one is given, cannot be used on a write. */
  misconfigured(
    policy: ConfiguredPolicy,
    binding: ConfiguredBinding | undefined,
    why: string,
  ): void {
    if (policy.failsOpen) return;
    const what = binding === undefined ? 'policy' : 'binding';
    this.#deny(policy, binding, { message: `failed to configure ${what}: ${why}`, reason: '' });
  }

  /** Takes what a policy says with one parameter; warnings are told at once. */
  add(
    policy: ConfiguredPolicy,
    binding: ConfiguredBinding,
    { decisions, annotations }: PolicyResult,
    proposal: Proposal,
  ): void {
    decisions.forEach((decision, at) => {
      if (decision.isDenied) this.#act(policy, binding, decision, at, proposal);
      else if (decision.message !== '')
        countValidation(checked(policy, binding, decision), 'allow');
    });
    for (const { key, value, problem: message, ms } of annotations) {
      if (message !== '') {
        if (policy.failsOpen) continue;
        this.#deny(policy, binding, { message, reason: '' });
        countValidation(checked(policy, binding, { message, ms }), 'deny');
      } else if (value !== '') this.#annotate(key, value.slice(0, ANNOTATION_CHARACTERS_MAX));
    }
  }

  #act(
    policy: ConfiguredPolicy,
    binding: ConfiguredBinding,
    { message, reason, ms }: Decision,
    expressionIndex: number,
    proposal: Proposal,
  ): void {
    const { name, actions } = binding;
    for (const action of actions) {
      const consequence = CONSEQUENCES[action];
      if (consequence !== undefined) {
        countValidation(checked(policy, binding, { message, ms }), consequence);
      }
      if (action === 'Deny') this.#deny(policy, binding, { message, reason });
      else if (action === 'Warn') {
        const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${name}'`;
        proposal.warn(`Validation failed for ${who}: ${message}`);
      } else {
        this.#failures.push({
          message,
          policy: policy.name,
          binding: name,
          expressionIndex,
          validationActions: actions,
        });
      }
    }
  }

  #deny(policy: ConfiguredPolicy, binding: ConfiguredBinding | undefined, denial: Denial): void {
    const bound = binding === undefined ? '' : ` with binding '${binding.name}'`;
    const who = `ValidatingAdmissionPolicy '${policy.name}'${bound}`;
    const { message, reason } = denial;
    this.#firstDenied ??= { message: `${who} denied request: ${message}`, reason };
  }

  #annotate(key: string, value: string): void {
    const values = this.#annotations.get(key);
    if (values === undefined) this.#annotations.set(key, new Set([value]));
    else values.add(value);
  }

  /** All bindings of a policy were asked. */
  endOf(policy: ConfiguredPolicy, proposal: Proposal): void {
    for (const [key, values] of this.#annotations) {
      proposal.annotate(`${policy.name}/${key}`, [...values].join(', '));
    }
    this.#annotations.clear();
  }

  /** All policies were asked. */
  publish(proposal: Proposal): void {
    if (this.#failures.length === 0) return;
    proposal.annotate(FAILURES_KEY, JSON.stringify(this.#failures.slice(0, FAILURES_MAX)));
  }
}
