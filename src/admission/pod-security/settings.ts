/** The `PodSecurityConfiguration` of the plugin (src/admission/README.md#podsecurity). */
import { ownGroupVersion } from '../../semantics/dialect/own-names.ts';
import { duplicate, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';
import { document, listOf, members, text, type SettingRule } from '../check-settings.ts';
import type { PluginSettings } from '../plugin.ts';
import {
  isLevel,
  isVersion,
  LATEST,
  LEVEL_RULE,
  VERSION_RULE,
  type Level,
  type Mode,
  type Policy,
  type Standard,
} from './levels.ts';

/** The users, namespaces and runtime classes that are not checked. */
export interface Exemptions {
  readonly usernames: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
}

export interface PodSecuritySettings {
  /** Where the labels of a namespace say nothing. */
  readonly defaults: Policy;
  readonly exemptions: Exemptions;
}

const API_VERSIONS = ['v1beta1', 'v1alpha1'].map((version) => {
  return ownGroupVersion(`pod-security.admission.config.cluster.io/${version}`);
});

/** '' is as if it were not there. */
function texts(isRight: (value: string) => boolean, rule: string): SettingRule {
  return (value, field, errors) => {
    if (typeof value !== 'string') text(value, field, errors);
    else if (value !== '' && !isRight(value)) errors.push(invalid(field, value, rule));
  };
}

/** No value twice. */
function distinct(problemsOf: (value: string) => readonly string[]): SettingRule {
  return (list, field, errors) => {
    const seen = new Set<string>();
    const one: SettingRule = (value, at) => {
      if (typeof value !== 'string') return void errors.push(invalid(at, value, 'must be a text'));
      const problems = problemsOf(value);
      if (problems.length > 0) errors.push(invalid(at, value, problems.join(', ')));
      else if (seen.has(value)) errors.push(duplicate(at, value));
      seen.add(value);
    };
    listOf(one)(list, field, errors);
  };
}

const level = texts(isLevel, LEVEL_RULE);
const version = texts(isVersion, VERSION_RULE);
const CONFIGURATION = document(API_VERSIONS, 'PodSecurityConfiguration', {
  defaults: members({
    enforce: level,
    'enforce-version': version,
    audit: level,
    'audit-version': version,
    warn: level,
    'warn-version': version,
  }),
  exemptions: members({
    usernames: distinct((name) => (name === '' ? ['username must not be empty'] : [])),
    namespaces: distinct(dnsLabel),
    runtimeClasses: distinct(dnsSubdomain),
  }),
});

/** The problems of a document; none where it has no members. */
export function checkPodSecuritySettings(settings: PluginSettings): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (Object.keys(settings).length > 0) CONFIGURATION(settings, '', errors);
  return errors;
}

interface Configuration {
  readonly defaults?: Readonly<Record<string, string>>;
  readonly exemptions?: { readonly [Of in keyof Exemptions]?: readonly string[] };
}

/** The settings of a document that was checked; the defaults where there is none. */
export function podSecuritySettings(settings: PluginSettings = {}): PodSecuritySettings {
  const { defaults = {}, exemptions = {} } = settings as Configuration;
  const standard = (mode: Mode): Standard => ({
    level: (defaults[mode] || 'privileged') as Level,
    version: defaults[`${mode}-version`] || LATEST,
  });
  return {
    defaults: { enforce: standard('enforce'), audit: standard('audit'), warn: standard('warn') },
    exemptions: {
      usernames: new Set(exemptions.usernames),
      namespaces: new Set(exemptions.namespaces),
      runtimeClasses: new Set(exemptions.runtimeClasses),
    },
  };
}
