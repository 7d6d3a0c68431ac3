/** Policies that files hold (src/admission/README.md#objects-in-files). */
import type { FeatureGates } from '../../../release/feature-gates.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { STATIC_END } from '../../../resources/admissionregistration/policy-kind.ts';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { document } from '../../check-settings.ts';
import type { ManifestFiles, Manifests, PluginSettings, PluginTools } from '../../plugin.ts';
import { manifestsFolder, readManifests } from '../../static-manifests.ts';

/** The two sorts of policies: the kinds of their settings. */
const SETTINGS = {
  validating: 'ValidatingAdmissionPolicyConfiguration',
  mutating: 'MutatingAdmissionPolicyConfiguration',
} as const;

export type Sort = keyof typeof SETTINGS;

/** The problems of the settings of a plugin of policies. */
export function checkStaticSettings(
  sort: Sort,
  settings: PluginSettings,
  gates: FeatureGates,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const form = ownGroupVersion('apiserver.config.cluster.io/v1');
  document(form, SETTINGS[sort], manifestsFolder(gates))(settings, '', errors);
  return errors;
}

/** Policies and bindings that files hold. Rejects with what is wrong with a file. */
export async function readStaticPolicies(
  sort: Sort,
  from: ManifestFiles,
  tools: PluginTools,
): Promise<Manifests> {
  const plurals = [`${sort}admissionpolicies`, `${sort}admissionpolicybindings`];
  const read = await readManifests(plurals, from, tools, (object, { definition: { kind } }) => {
    if (kind.endsWith('Binding')) checkBinding(object);
    else checkPolicy(object, kind);
  });
  const [policies = [], bindings = []] = read.objects;
  checkBound(policies, bindings);
  return read;
}

type Named = ApiObject & {
  readonly spec?: { policyName?: string; paramKind?: object; paramRef?: object };
};

/** Throws for a binding whose policy no file has. */
function checkBound(policies: readonly ApiObject[], bindings: readonly Named[]): void {
  const names = new Set(policies.map(({ metadata }) => metadata.name));
  for (const { metadata, spec } of bindings) {
    const policy = spec?.policyName;
    if (names.has(policy)) continue;
    const what = `binding ${JSON.stringify(metadata.name)} references policy`;
    throw new Error(
      `${what} ${JSON.stringify(policy)} which does not exist in the manifest directory`,
    );
  }
}

function checkPolicy({ metadata, spec }: Named, kind: string): void {
  if (spec?.paramKind === undefined) return;
  const what = `${kind} ${JSON.stringify(metadata.name)}`;
  throw new Error(`${what}: spec.paramKind is not supported for static manifests`);
}

function checkBinding({ metadata, spec = {} }: Named): void {
  const what = `binding ${JSON.stringify(metadata.name)}`;
  const { policyName = '', paramRef } = spec;
  if (policyName === '') throw new Error(`${what} must reference a policy (spec.policyName)`);
  if (!policyName.endsWith(STATIC_END)) {
    const [shown, end] = [JSON.stringify(policyName), JSON.stringify(STATIC_END)];
    throw new Error(`${what}: spec.policyName ${shown} must end with ${end}`);
  }
  if (paramRef !== undefined) {
    throw new Error(`${what}: spec.paramRef is not supported for static manifests`);
  }
}
