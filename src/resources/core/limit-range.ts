/** LimitRange (README.md#quotas-and-limits). */
import type { LimitRange } from '#messages/core.v1';
import {
  addProblems,
  duplicate,
  invalid,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { applyLimitDefaults, checkLimit } from './limit-range-item.ts';

const TYPES: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

export const LIMIT_RANGE = defineKind<LimitRange>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  message: 'core.v1.LimitRange',
  nameRule: 'dnsSubdomain',
  namedByUuid: true,
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,

  applyDefaults({ spec }) {
    for (const limit of spec?.limits ?? []) applyLimitDefaults(limit);
  },

  validate({ spec }) {
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    spec?.limits?.forEach((limit, index) => {
      const field = `spec.limits[${index}]`;
      const { type = '' } = limit;
      checkType(type, `${field}.type`, errors);
      if (seen.has(type)) errors.push(duplicate(`${field}.type`, type));
      seen.add(type);
      checkLimit(limit, field, errors);
    });
    return errors;
  },
});

function checkType(type: string, field: string, errors: FieldError[]): void {
  const problems = qualifiedName(type);
  addProblems(problems, field, type, errors);
  if (problems.length > 0 || type.includes('/') || TYPES.has(type)) return;
  errors.push(invalid(field, type, 'must be a standard limit type or fully qualified'));
}
