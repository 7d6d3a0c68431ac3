/**
 * The settings of the plugin: resources that nobody may use in a namespace where no quota limits
 * them (src/quota/README.md#what-needs-a-quota).
 */
import type { ScopedResourceSelectorRequirement } from '#messages/core.v1';
import type { Amounts } from '../../../quota/amounts.ts';
import { isInScope } from '../../../quota/scopes.ts';
import type { ScopeFacts } from '../../../quota/scopes.ts';
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { quantitySign } from '../../../codec/leaves/quantity.ts';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';
import { required, type FieldError } from '../../../semantics/errors/field-error.ts';
import type { GroupResource } from '../../../semantics/errors/status.ts';
import { document, listOf, members, text } from '../../check-settings.ts';
import type { PluginSettings } from '../../plugin.ts';

export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  /** Parts of names of resources. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopedResourceSelectorRequirement[];
}

const RULES = document(
  ownGroupVersion('apiserver.config.cluster.io/v1'),
  'ResourceQuotaConfiguration',
  {
    limitedResources: listOf(
      members({
        apiGroup: text,
        resource: given,
        matchContains: listOf(text),
        matchScopes: listOf(members({ scopeName: text, operator: text, values: listOf(text) })),
      }),
    ),
  },
);

/** The problems of the settings. */
export function checkLimitedResources(settings: PluginSettings): FieldError[] {
  const errors: FieldError[] = [];
  if (Object.keys(settings).length > 0) RULES(settings, '', errors);
  return errors;
}

/** The limited resources of settings without problems. */
export function limitedResourcesOf(settings: PluginSettings | undefined): LimitedResource[] {
  return (settings?.['limitedResources'] ?? []) as LimitedResource[];
}

function given(value: unknown, field: string, errors: FieldError[]): void {
  if (value === undefined || value === '') errors.push(required(field, ''));
  else text(value, field, errors);
}

/** The names of what is used and may not be, unless a quota limits it. */
export function namesToCover(
  limited: readonly LimitedResource[],
  { group, resource }: GroupResource,
  usage: Amounts,
): string[] {
  const parts = limited
    .filter((one) => (one.apiGroup ?? '') === group && one.resource === resource)
    .flatMap(({ matchContains = [] }) => matchContains);
  if (parts.length === 0) return [];
  return Object.keys(usage)
    .filter((name) => quantitySign(usage[name] ?? '0') > 0)
    .filter((name) => parts.some((part) => name.includes(part)))
    .sort(compareTexts);
}

/** The scopes that a pod is in and may not be, unless it is in the scope of a quota. */
export function scopesToCover(
  limited: readonly LimitedResource[],
  pod: ScopeFacts | undefined,
): ScopedResourceSelectorRequirement[] {
  const scopes = limited.flatMap(({ matchScopes = [] }) => matchScopes);
  return scopes.filter((scope) => isInScope(scope, pod));
}

/** As the reference prints them. */
export function printScopes(scopes: readonly ScopedResourceSelectorRequirement[]): string {
  const texts = scopes.map(
    ({ scopeName = '', operator = '', values = [] }) =>
      `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  return `[${texts.join(' ')}]`;
}
