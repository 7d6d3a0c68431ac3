/** Reads the file of `--audit-policy-file` (src/audit/README.md#policy). */
import { document, listOf, mapOf, members, oneOf, text } from '../admission/check-settings.ts';
import type { SettingRule } from '../admission/check-settings.ts';
import { operatorYaml } from '../codec/yaml/operator-yaml.ts';
import { AUDIT_POLICY_BYTES_MAX } from '../audit/limits.ts';
import { AUDIT_LEVELS, AUDIT_STAGES } from '../audit/policy.ts';
import type { AuditPolicy } from '../audit/policy.ts';
import { AUDIT_VERSIONS, type AuditSettings } from '../audit/settings.ts';
import { ownGroupVersion } from '../semantics/dialect/own-names.ts';
import { invalid, required } from '../semantics/errors/field-error.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../semantics/metadata/names.ts';
import type { AuditOptions } from './audit.ts';
import { ConfigError } from '../base/options/config-error.ts';
import { readOption } from '../base/options/read-option.ts';

/** At most so many errors are told in the one line. */
const TOLD_MAX = 10;

/**
 * The audit settings from the options and the file of the policy; `tell` gets a line about each
 * version that is deprecated. Throws ConfigError that names the file and the member.
 */
export function auditSettings(options: AuditOptions, tell: (line: string) => void): AuditSettings {
  const { policyFile, ...settings } = options;
  const policy = readAuditPolicy(policyFile);
  const [newest, ...old] = VERSIONS;
  const used = [settings.log, settings.webhook].map((one) => one && groupVersion(one.version));
  for (const version of new Set([policy.apiVersion, ...used])) {
    if (version === undefined || !old.includes(version)) continue;
    tell(`"${version}" is deprecated and will be removed in a future release, use "${newest}"`);
  }
  return { ...settings, policy };
}

/** The policy of the file alone. Throws ConfigError that names the file and the member. */
export function readAuditPolicy(file: string): AuditPolicy & { readonly apiVersion: string } {
  const refuse = (why: string): never => {
    throw new ConfigError(`--audit-policy-file: ${file}: ${why}`);
  };
  const policyText = readOption(file, 'the audit policy');
  if (Buffer.byteLength(policyText) > AUDIT_POLICY_BYTES_MAX) {
    refuse(`it has more than ${AUDIT_POLICY_BYTES_MAX} bytes`);
  }
  let content: unknown;
  try {
    content = operatorYaml(policyText);
  } catch (error) {
    return refuse((error as Error).message);
  }
  if (typeof content !== 'object' || content === null) refuse('it must hold a Policy');
  const problems: FieldError[] = [];
  document(VERSIONS, 'Policy', MEMBERS)(content, '', problems);
  if (problems.length > 0) {
    const told = problems.slice(0, TOLD_MAX).map(({ field, message }) => `${field}: ${message}`);
    const more = problems.length - told.length;
    refuse(`${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`);
  }
  return content as ReturnType<typeof readAuditPolicy>;
}

function groupVersion(version: (typeof AUDIT_VERSIONS)[number]): string {
  return ownGroupVersion(`audit.cluster.io/${version}`);
}

const VERSIONS = AUDIT_VERSIONS.map(groupVersion);

const truth: SettingRule = (value, field, errors) => {
  if (value !== undefined && typeof value !== 'boolean') {
    errors.push(invalid(field, value, 'must be true or false'));
  }
};

/** All of several rules, as far as those before find nothing wrong. */
function all(...rules: readonly SettingRule[]): SettingRule {
  return (value, field, errors) => {
    const before = errors.length;
    for (const rule of rules) if (errors.length === before) rule(value, field, errors);
  };
}

const atLeastOne: SettingRule = (value, field, errors) => {
  if (value === undefined || (value as readonly unknown[]).length === 0) {
    errors.push(required(field, 'give at least one rule'));
  }
};

const url: SettingRule = (value, field, errors) => {
  if (typeof value !== 'string') return text(value, field, errors);
  if (value === '*') return;
  if (!value.startsWith('/')) errors.push(invalid(field, value, "must begin with '/'"));
  if (value.slice(0, -1).includes('*')) {
    errors.push(invalid(field, value, "'*' may only be the last character"));
  }
};

const groupName: SettingRule = (value = '', field, errors) => {
  if (value === '') return;
  if (typeof value !== 'string') return text(value, field, errors);
  const why = dnsSubdomain(value);
  if (why.length > 0) errors.push(invalid(field, value, why.join(', ')));
};

const namesNeedResources: SettingRule = (value, field, errors) => {
  const { resources = [], resourceNames = [] } = (value ?? {}) as Record<string, unknown[]>;
  if (resourceNames.length > 0 && resources.length === 0) {
    const why = 'using resourceNames requires at least one resource';
    errors.push(invalid(`${field}.resourceNames`, resourceNames, why));
  }
};

const oneSortOfPaths: SettingRule = (value, field, errors) => {
  const { nonResourceURLs = [], ...rest } = (value ?? {}) as Record<string, unknown[]>;
  const { resources = [], namespaces = [] } = rest;
  if (nonResourceURLs.length === 0 || resources.length + namespaces.length === 0) return;
  const why = 'rules cannot apply to both regular resources and non-resource URLs';
  errors.push(invalid(`${field}.nonResourceURLs`, nonResourceURLs, why));
};

const level: SettingRule = (value, field, errors) => {
  if (value === undefined) errors.push(required(field, `give one of ${AUDIT_LEVELS.join(', ')}`));
  else oneOf(...AUDIT_LEVELS)(value, field, errors);
};

const texts = listOf(text);
const stages = listOf(oneOf(...AUDIT_STAGES));

const GROUP_RESOURCES = all(
  members({ group: groupName, resources: texts, resourceNames: texts }),
  namesNeedResources,
);

const RULE = all(
  members({
    level,
    users: texts,
    userGroups: texts,
    verbs: texts,
    resources: listOf(GROUP_RESOURCES),
    namespaces: texts,
    nonResourceURLs: listOf(url),
    omitStages: stages,
    omitManagedFields: truth,
  }),
  oneSortOfPaths,
);

const MEMBERS = {
  metadata: mapOf(() => undefined),
  rules: all(listOf(RULE), atLeastOne),
  omitStages: stages,
  omitManagedFields: truth,
};
