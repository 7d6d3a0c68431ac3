/** The expressions of a mutating policy as programs. */
import type { MutatingAdmissionPolicySpec, Mutation } from '#messages/admissionregistration.v1';
import type { CheckedProgram } from '../../../schema/cel/checked-program.ts';
import type { RequestPrograms } from '../../../schema/cel/request-program.ts';
import type { ConfiguredPolicy } from './configured-policy.ts';
import { policyPrograms, type PolicyPrograms } from './policy-programs.ts';

export interface CompiledMutation {
  /** A mutation makes an object that is applied, or a JSON patch. */
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly program: CheckedProgram;
}

export interface CompiledMutations extends PolicyPrograms {
  readonly mutations: readonly CompiledMutation[];
}

const COMPILED = new WeakMap<MutatingAdmissionPolicySpec, CompiledMutations>();

/** Made when a policy is first asked, and kept as long as it stays as it is. */
export function compiledMutations(
  policy: ConfiguredPolicy<MutatingAdmissionPolicySpec>,
): CompiledMutations {
  const { spec } = policy;
  let compiled = COMPILED.get(spec);
  if (compiled === undefined) COMPILED.set(spec, (compiled = compile(policy)));
  return compiled;
}

function compile(policy: ConfiguredPolicy<MutatingAdmissionPolicySpec>): CompiledMutations {
  const compiled = policyPrograms(policy);
  const { mutations = [] } = policy.spec;
  return {
    ...compiled,
    mutations: mutations.flatMap((mutation) => compiledMutation(mutation, compiled.programs)),
  };
}

/** One whose patch is not there does nothing. */
function compiledMutation(
  { patchType, applyConfiguration, jsonPatch }: Mutation,
  programs: RequestPrograms,
): readonly CompiledMutation[] {
  if (patchType === 'JSONPatch' && jsonPatch !== undefined) {
    const { expression = '' } = jsonPatch;
    return [{ type: patchType, program: programs.compilePatch(expression, 'list(JSONPatch)') }];
  }
  if (patchType !== 'ApplyConfiguration' || applyConfiguration === undefined) return [];
  const { expression = '' } = applyConfiguration;
  return [{ type: patchType, program: programs.compilePatch(expression, 'Object') }];
}
