/** Lets mutating policies change writes. Its code is loaded with the first that may be for one. */
import type { MutatingAdmissionPolicySpec } from '#messages/admissionregistration.v1';
import type { Namespace } from '#messages/core.v1';
import { appendAll } from '../../../base/append-all.ts';
import { jsonValue } from '../../../schema/cel/json-values.ts';
import { OutOfCost, POLICY_COST_MAX } from '../../../schema/cel/request-program.ts';
import { Failure, type Value } from '../../../schema/cel/values.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { StatusError } from '../../../semantics/errors/status.ts';
import type { AdmissionContext } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { Reinvocations } from '../../reinvocations.ts';
import type { ServedKindIndex } from '../../served-kinds.ts';
import { Conversions } from '../../shown-objects.ts';
import { namespaceValue, WriteValues } from '../../write-values.ts';
import { compiledMutations, type CompiledMutation } from './compiled-mutations.ts';
import type { ConfiguredBinding, ConfiguredPolicy } from './configured-policy.ts';
import { mutated, MutationFailed } from './mutation-patch.ts';
import { PolicyInvocations, type PolicyInvocation } from './policy-invocations.ts';
import { countMutation, errorTypeOf, type CheckErrorType } from './policy-metrics.ts';

type Spec = MutatingAdmissionPolicySpec;
type Invocation = PolicyInvocation<Spec>;

/** A reason for which a write is refused. */
interface Problem {
  readonly message: string;
  /** Whether the policy could be asked, and failed. */
  readonly isInvalid: boolean;
}

export class MutationDispatcher {
  readonly #context: AdmissionContext;
  readonly #invocations: PolicyInvocations;
  readonly #reinvocations = new WeakMap<Proposal, Reinvocations>();

  constructor(context: AdmissionContext, kinds: ServedKindIndex) {
    this.#context = context;
    this.#invocations = new PolicyInvocations(context, kinds);
  }

  /** Rejects with StatusError: with what policies fail, or 500 for what breaks the object. */
  async dispatch(proposal: Proposal, policies: readonly ConfiguredPolicy<Spec>[]): Promise<void> {
    const problems: Problem[] = [];
    const invocations: Invocation[] = [];
    // Who is asked is decided on the object as it came, before any of them has changed it.
    for (const policy of policies) {
      const found = this.#invocations.of(policy, proposal, (binding, why) => {
        const what = binding === undefined ? 'policy' : 'binding';
        add(problems, { policy, binding }, `failed to configure ${what}: ${why}`, false);
      });
      appendAll(invocations, found instanceof Promise ? await found : found);
    }
    if (invocations.length > 0) await this.#invoke(proposal, invocations, problems);
    if (problems.length > 0) throw refusal(proposal, problems);
  }

  async #invoke(
    proposal: Proposal,
    invocations: readonly Invocation[],
    problems: Problem[],
  ): Promise<void> {
    const conversions = new Conversions();
    const values = new WriteValues(proposal, conversions, this.#context.authorizer);
    const run: Run = { proposal, values, conversions, problems, isDirty: false };
    const { isReinvoked, forms } = proposal;
    const again = this.#reinvocations.get(proposal) ?? new Reinvocations();
    this.#reinvocations.set(proposal, again);
    try {
      if (isReinvoked && again.areAwaited) again.resume(await values.text(forms.groupVersion));
      for (const invocation of invocations) {
        if (!(await this.#isTaken(invocation, run))) continue;
        const key = keyOf(invocation);
        if (isReinvoked && !again.isAgain(key)) continue;
        await this.#mutate(invocation, run);
        if (invocation.policy.spec.reinvocationPolicy === 'IfNeeded') again.asked(key);
      }
      // As in the reference, a mutation that was made counts as a change, whatever it has changed.
      if (run.isDirty) {
        again.changed();
        proposal.reinvoke();
      }
      if (!isReinvoked && again.areAwaited) again.leave(await values.text(forms.groupVersion));
    } finally {
      conversions.release();
    }
  }

  /** Whether the conditions of the policy take the write as it is now. */
  async #isTaken(invocation: Invocation, { values, problems }: Run): Promise<boolean> {
    const { policy, matched, param } = invocation;
    const holds = await compiledMutations(policy).conditions.hold(values, matched, param);
    if (typeof holds === 'boolean') return holds;
    add(problems, invocation, holds, true);
    return false;
  }

  /** One after the other; each sees what those before it have made. */
  async #mutate(invocation: Invocation, run: Run): Promise<void> {
    const { programs, mutations } = compiledMutations(invocation.policy);
    const { proposal } = run;
    const namespace = programs.asksForNamespace
      ? await this.#invocations.namespaceOf(proposal)
      : undefined;
    for (const mutation of mutations) {
      if (proposal.object === undefined) continue;
      const startMs = performance.now();
      const count = (errorType: CheckErrorType): void => {
        const { policy, binding } = invocation;
        const ms = performance.now() - startMs;
        countMutation({ policy: policy.name, binding: binding.name, errorType, ms });
      };
      try {
        const value = await this.#evaluated(mutation, invocation, namespace, run);
        await this.#change(mutation, value, invocation, run);
        count('no_error');
      } catch (error) {
        count(errorTypeOf((error as Error).message));
        if (!(error instanceof MutationFailed)) throw error;
        add(run.problems, invocation, error.message, true);
      }
    }
  }

  async #evaluated(
    { program }: CompiledMutation,
    { policy, matched, param }: Invocation,
    namespace: Namespace | undefined,
    { values }: Run,
  ): Promise<Value> {
    if (program.problem !== '') throw new MutationFailed(program.problem);
    const { programs } = compiledMutations(policy);
    const inputs = {
      ...(await values.inputs(matched)),
      params: jsonValue(param),
      namespaceObject: namespaceValue(namespace),
    };
    const value = await values.settled(() => {
      try {
        return programs.evaluation(inputs, POLICY_COST_MAX).value(program);
      } catch (error) {
        if (error instanceof OutOfCost) return new Failure(error.message);
        throw error;
      }
    });
    if (value instanceof Failure) throw new MutationFailed(value.message);
    return value;
  }

  async #change(
    mutation: CompiledMutation,
    value: Value,
    { matched: { groupVersion } }: Invocation,
    run: Run,
  ): Promise<void> {
    const { proposal, values, conversions } = run;
    const { object } = proposal;
    if (object === undefined) return;
    const text = await values.text(groupVersion);
    const about = { proposal, object, groupVersion, text };
    const changed = await conversions.done(() => mutated(mutation, value, about));
    run.isDirty = true;
    if (changed === object) return;
    proposal.object = changed;
    values.forgetObjects();
  }
}

/** All policies that are asked about one write, in one round. */
interface Run {
  readonly proposal: Proposal;
  readonly values: WriteValues;
  readonly conversions: Conversions;
  readonly problems: Problem[];
  /** Whether a mutation was made. */
  isDirty: boolean;
}

interface Failing {
  readonly policy: ConfiguredPolicy<Spec>;
  readonly binding: ConfiguredBinding | undefined;
}

/** Adds a problem of a policy, unless writes pass where it fails. */
function add(
  problems: Problem[],
  { policy, binding }: Failing,
  message: string,
  isInvalid: boolean,
): void {
  if (policy.failsOpen) return;
  const who =
    binding === undefined
      ? `policy ${quoteText(policy.name)}`
      : `policy '${policy.name}' with binding '${binding.name}'`;
  problems.push({ message: `${who} denied request: ${message}`, isInvalid });
}

function keyOf({ policy, binding, param }: Invocation): string {
  const { namespace = '', name = '' } = param?.metadata ?? {};
  return JSON.stringify([policy.name, binding.name, namespace, name]);
}

/** Tells of all problems, and of the first in the message. */
function refusal(proposal: Proposal, problems: readonly Problem[]): StatusError {
  const [first] = problems;
  const { code, status } = refused(proposal, '');
  const reason = first?.isInvalid === true ? 'Invalid' : (status.reason ?? '');
  return new StatusError(code, reason, first?.message ?? '', {
    ...status.details,
    causes: problems.map(({ message }) => ({ message })),
  });
}
