/**
 * The specifications of the objects that flow control cannot do without (README.md#flow-control).
 */
import { deepEqual } from '../../base/deep-equal.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';

import { ownRelease } from '../../release/release.ts';

type Specs = Readonly<Record<string, object>>;

const EXEMPT = 'exempt';

export const FIXED_LEVELS: Specs = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: {
      assuredConcurrencyShares: 5,
      limitResponse: { type: 'Reject' },
      ...(ownRelease().has('nominalConcurrencyShares') && { lendablePercent: 0 }),
    },
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
  if (!Object.hasOwn(fixed, name)) return;
  // The share of the level that is exempt is free.
  const isFree = name === EXEMPT && ownRelease().has('sharesOfExempt') && fixed === FIXED_LEVELS;
  const { exempt: _share, ...rest } = spec as { exempt?: unknown };
  if (deepEqual(isFree ? rest : spec, fixed[name])) return;
  const but = isFree ? " except the 'spec.exempt' field" : '';
  errors.push(invalid('spec', spec, `spec of '${name}'${but} must equal the fixed value`));
}
