/** The common parts of the kinds of policies and bindings (README.md#policies). */
import type { ParamKind, ParamRef } from '#messages/admissionregistration.v1';
import type { LabelSelector } from '#messages/meta.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { specChanges, type ApiObject, type BuiltInKind, type KindVersion } from '../kind.ts';
import { UNSET } from '../printer-cells.ts';
import { text } from '../printer.ts';

/** The end of names of policies that are read from files. */
export const STATIC_END = `.static.${ownGroup('meta.cluster.io').slice('meta.'.length)}`;
const RESERVED =
  `names ending with "${STATIC_END}" are reserved for static manifest-based configurations and ` +
  'cannot be managed via the API';

/** Members of the definition of each of these kinds. */
export const POLICY_KIND = {
  group: ownGroup('admissionregistration.cluster.io'),
  version: 'v1',
  categories: ['api-extensions'],
  namespaced: false,
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: false,

  createWarnings: ({ metadata }: ApiObject, gates: FeatureGates) =>
    gates.has('ManifestBasedAdmissionControlConfig') ? [] : staticNameWarnings(metadata.name),

  updateWarnings: ({ metadata }: ApiObject) => staticNameWarnings(metadata.name),
} as const satisfies Partial<BuiltInKind>;

function staticNameWarnings(name = ''): string[] {
  const isTold = ownRelease().has('staticPolicyNames') && name.endsWith(STATIC_END);
  return isTold ? [`metadata.name: ${RESERVED}`] : [];
}

/** Adds the problem of the name of a new object, which may be kept for those that are read. */
export function checkStaticName(
  { name = '' }: ApiObject['metadata'],
  gates: FeatureGates,
  errors: FieldError[],
): void {
  if (!gates.has('ManifestBasedAdmissionControlConfig') || !name.endsWith(STATIC_END)) return;
  errors.push(invalid('metadata.name', name, RESERVED));
}

/** Older versions look as the newest one does. */
export const POLICY_VERSIONS: readonly KindVersion[] = [
  { version: 'v1beta1' },
  { version: 'v1alpha1' },
];

/** In the oldest one it need not be said what becomes of requests without parameters. */
export const BINDING_VERSIONS: readonly KindVersion[] = [
  { version: 'v1beta1' },
  {
    version: 'v1alpha1',
    toStored(object) {
      const { paramRef } = (object as { spec?: { paramRef?: ParamRef } }).spec ?? {};
      if (paramRef !== undefined && ownRelease().has('selectedParams')) {
        paramRef.parameterNotFoundAction ??= 'Deny';
      }
      return object;
    },
  },
];

export const PARAM_KIND = text(
  'ParamKind',
  'The kind of the parameters of the policy.',
  'spec.paramKind',
  (kind?: ParamKind) =>
    kind === undefined ? UNSET : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`,
);

export const POLICY_NAME = text(
  'PolicyName',
  'The policy that the binding puts in force.',
  'spec.policyName',
);

export const PARAM_REF = text(
  'ParamRef',
  'The parameters that the policy sees.',
  'spec.paramRef',
  (params?: ParamRef) => {
    if (params?.name) return `${params.namespace || '*'}/${params.name}`;
    return params?.selector === undefined ? UNSET : selectorString(params.selector);
  },
);

/** As the reference prints it. */
function selectorString({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`)
    .join('');
  const requirements = matchExpressions.map(
    ({ key = '', operator = '', values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const shown = `MatchLabels:map[string]string{${labels}}`;
  const list = `MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}}`;
  return `&LabelSelector{${shown},${list},}`;
}
