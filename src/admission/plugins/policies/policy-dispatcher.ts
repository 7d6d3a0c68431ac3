/** Holds writes against policies. Its code is loaded with the first that may be for a write. */
import type { ValidatingAdmissionPolicySpec } from '#messages/admissionregistration.v1';
import { jsonValue } from '../../../schema/cel/json-values.ts';
import { StatusError } from '../../../semantics/errors/status.ts';
import type { AdmissionContext } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import type { ServedKindIndex } from '../../served-kinds.ts';
import { Conversions } from '../../shown-objects.ts';
import { namespaceValue, WriteValues } from '../../write-values.ts';
import { compiledPolicy } from './compiled-policy.ts';
import type { ConfiguredPolicy } from './configured-policy.ts';
import { evaluatePolicy, failure, type PolicyResult } from './policy-evaluation.ts';
import { PolicyFindings, type Denial } from './policy-findings.ts';
import { PolicyInvocations, type PolicyInvocation } from './policy-invocations.ts';

type Spec = ValidatingAdmissionPolicySpec;

export class PolicyDispatcher {
  readonly #context: AdmissionContext;
  readonly #invocations: PolicyInvocations;

  constructor(context: AdmissionContext, kinds: ServedKindIndex) {
    this.#context = context;
    this.#invocations = new PolicyInvocations(context, kinds);
  }

  /** Rejects with StatusError: what the first policy refuses with. */
  async dispatch(proposal: Proposal, policies: readonly ConfiguredPolicy<Spec>[]): Promise<void> {
    const conversions = new Conversions();
    const write: PolicyWrite = {
      proposal,
      values: new WriteValues(proposal, conversions, this.#context.authorizer),
    };
    const findings = new PolicyFindings();
    try {
      for (const policy of policies) {
        const found = this.#invocations.of(policy, proposal, (binding, why) =>
          findings.misconfigured(policy, binding, why),
        );
        const invocations = found instanceof Promise ? await found : found;
        for (const invocation of invocations) await this.#ask(invocation, write, findings);
        if (invocations.length > 0) findings.endOf(policy, proposal);
      }
    } finally {
      conversions.release();
    }
    findings.publish(proposal);
    const denied = findings.firstDenied;
    if (denied !== undefined) throw refusal(proposal, denied);
  }

  async #ask(
    invocation: PolicyInvocation<Spec>,
    write: PolicyWrite,
    findings: PolicyFindings,
  ): Promise<void> {
    const { policy, binding } = invocation;
    try {
      const result = await this.#evaluated(invocation, write);
      if (result !== undefined) findings.add(policy, binding, result, write.proposal);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      findings.misconfigured(policy, binding, error.message);
    }
  }

  /** Undefined where the conditions of the policy leave the write out. */
  async #evaluated(
    { policy, matched, param }: PolicyInvocation<Spec>,
    { proposal, values }: PolicyWrite,
  ): Promise<PolicyResult | undefined> {
    const compiled = compiledPolicy(policy);
    const holds = await compiled.conditions.hold(values, matched, param);
    if (typeof holds === 'string') return failure(policy, holds);
    if (!holds) return undefined;
    const namespace = compiled.programs.asksForNamespace
      ? await this.#invocations.namespaceOf(proposal)
      : undefined;
    const inputs = {
      ...(await values.inputs(matched)),
      params: jsonValue(param),
      namespaceObject: namespaceValue(namespace),
    };
    return values.settled(() => evaluatePolicy(policy, compiled, inputs));
  }
}

/** The facts of a write that all policies share. */
interface PolicyWrite {
  readonly proposal: Proposal;
  readonly values: WriteValues;
}

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
};
const INVALID = 'Invalid';
const INVALID_CODE = 422;

/** As the reason of the policy has it: `Invalid` where it gives none. */
function refusal(proposal: Proposal, { message, reason }: Denial): StatusError {
  const { status } = refused(proposal, message);
  const code = CODES[reason] ?? INVALID_CODE;
  return new StatusError(code, reason === '' ? INVALID : reason, status.message ?? '', {
    ...status.details,
    causes: [{ message }],
  });
}
