/** ResourceQuota (README.md#quotas-and-limits). */
import type { ResourceQuota } from '#messages/core.v1';
import {
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  printStrings,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import {
  checkResourceAmount,
  checkResourceName,
  isQuotaResource,
  type ResourceList,
} from './resource-names.ts';
import { RESOURCE_QUOTA_PRINTER } from './resource-quota-printer.ts';
import { checkScopes, checkScopeSelector } from './resource-quota-scopes.ts';

export const RESOURCE_QUOTA = defineKind<ResourceQuota>({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  message: 'core.v1.ResourceQuota',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  freeGenerateName: true,
  checksFinalizerNames: true,
  printer: RESOURCE_QUOTA_PRINTER,

  validate({ spec = {}, status }) {
    const errors: FieldError[] = [];
    checkAmounts(spec.hard, 'spec.hard', errors);
    checkScopes(spec, 'spec.scopes', errors);
    checkScopeSelector(spec, 'spec.scopeSelector.matchExpressions', errors);
    checkAmounts(status?.hard, 'status.hard', errors);
    checkAmounts(status?.used, 'status.used', errors);
    return errors;
  },

  validateUpdate({ spec: { scopes = [] } = {} }, { spec: { scopes: stored = [] } = {} }) {
    const old = new Set(stored);
    const now = new Set(scopes);
    if (old.size === now.size && scopes.every((scope) => old.has(scope))) return [];
    const printed = printStrings(scopes, 'core.ResourceQuotaScope');
    return [invalidPrinted('spec.scopes', printed, FIELD_IMMUTABLE)];
  },
});

function checkAmounts(amounts: ResourceList | undefined, path: string, errors: FieldError[]): void {
  for (const name in amounts) {
    const field = `${path}[${name}]`;
    checkResourceName(name, field, errors);
    if (!name.includes('/') && !isQuotaResource(name)) {
      errors.push(invalid(field, name, 'must be a standard resource for quota'));
    }
    checkResourceAmount(name, amounts[name] ?? '0', field, errors);
  }
}
