/**
 * The specifications of the objects that flow control cannot do without (README.md#flow-control).
 */
import { deepEqual } from '../../base/deep-equal.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';

type Specs = Readonly<Record<string, object>>;

export const FIXED_LEVELS: Specs = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { assuredConcurrencyShares: 5, limitResponse: { type: 'Reject' } },
  },
};

const EVERYTHING = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

function ofGroups(...names: readonly string[]): object {
  return { subjects: names.map((name) => ({ kind: 'Group', group: { name } })), ...EVERYTHING };
}

export const FIXED_SCHEMAS: Specs = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [ofGroups('system:masters')],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [ofGroups('system:unauthenticated', 'system:authenticated')],
  },
};

/** Adds an error for an object with a name in `fixed` but another specification. */
export function checkFixedSpec(
  fixed: Specs,
  name: string,
  spec: object,
  errors: FieldError[],
): void {
  if (!Object.hasOwn(fixed, name) || deepEqual(spec, fixed[name])) return;
  errors.push(invalid('spec', spec, `spec of '${name}' must equal the fixed value`));
}
