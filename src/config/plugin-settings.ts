/** Reads what the file of `--admission-control-config-file` says about plugins. */
import { dirname, resolve } from 'node:path';
import { document, listOf, members, text } from '../admission/check-settings.ts';
import type { SettingRule } from '../admission/check-settings.ts';
import type { PluginEntry, PluginSettings, PluginTools } from '../admission/plugin.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import { operatorYaml } from '../codec/yaml/operator-yaml.ts';
import { ownGroupVersion } from '../semantics/dialect/own-names.ts';
import {
  duplicate,
  fieldForbidden,
  notSupported,
  required,
} from '../semantics/errors/field-error.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import { ConfigError } from '../base/options/config-error.ts';
import { readOption } from '../base/options/read-option.ts';

const NONE: PluginSettings = Object.freeze({});

/** Settings and where they stand. */
interface Found {
  readonly file: string;
  readonly settings: unknown;
}

interface Configuration {
  readonly plugins?: readonly {
    readonly name: string;
    readonly path?: string;
    readonly configuration?: unknown;
  }[];
}

/**
 * The settings of plugins by their names: of those that have some in `file`, which is '' for none,
 * and are `on`. Those of others are checked as well. Throws ConfigError that names the file and the
 * member.
 */
export async function readPluginSettings(
  file: string,
  on: readonly string[],
  entries: Readonly<Record<string, PluginEntry>>,
  tools: PluginTools,
): Promise<Readonly<Record<string, PluginSettings>>> {
  const found = file === '' ? new Map<string, Found>() : foundIn(file, entries);
  const read: Record<string, PluginSettings> = {};
  for (const name of new Set([...on, ...found.keys()])) {
    const { settings = NONE, file: where = file } = found.get(name) ?? {};
    const problems = await problemsOf(entries[name], settings, tools.gates);
    if (problems.length > 0) {
      throw new ConfigError(`${placeOf(where, name, found.has(name))}: ${linesOf(problems)}`);
    }
    if (!found.has(name)) continue;
    const place = placeOf(where, name);
    const whole = await withFiles(entries[name], settings as PluginSettings, tools, place);
    if (on.includes(name)) read[name] = whole;
  }
  return read;
}

async function withFiles(
  entry: PluginEntry | undefined,
  settings: PluginSettings,
  tools: PluginTools,
  place: string,
): Promise<PluginSettings> {
  try {
    return (await entry?.read?.(settings, tools)) ?? settings;
  } catch (error) {
    throw new ConfigError(`${place}: ${(error as Error).message}`);
  }
}

async function problemsOf(
  entry: PluginEntry | undefined,
  settings: unknown,
  gates: FeatureGates,
): Promise<readonly FieldError[]> {
  if (entry?.check === undefined) return [];
  const problems: FieldError[] = [];
  anyMembers(settings, '', problems);
  return problems.length > 0 ? problems : entry.check(settings as PluginSettings, gates);
}

const anyMembers: SettingRule = (value, field, errors) => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  errors.push(required(field, 'the document must have members'));
};

function foundIn(
  file: string,
  entries: Readonly<Record<string, PluginEntry>>,
): ReadonlyMap<string, Found> {
  const content = contentOf(file);
  const problems: FieldError[] = [];
  const plugin = members({ name: pluginName(entries), path: text, configuration: () => undefined });
  const apiVersion = ownGroupVersion('apiserver.config.cluster.io/v1');
  document(apiVersion, 'AdmissionConfiguration', { plugins: listOf(plugin) })(
    content,
    '',
    problems,
  );
  if (problems.length > 0) throw new ConfigError(`${placeOf(file)}: ${linesOf(problems)}`);
  const found = new Map<string, Found>();
  const { plugins = [] } = content as Configuration;
  plugins.forEach(({ name, path = '', configuration }, index) => {
    if (found.has(name)) {
      const problem = duplicate(`plugins[${index}].name`, name);
      throw new ConfigError(`${placeOf(file)}: ${linesOf([problem])}`);
    }
    if (configuration !== undefined) found.set(name, { file, settings: configuration });
    else if (path !== '') found.set(name, inFileOf(resolve(dirname(file), path)));
  });
  return found;
}

function inFileOf(file: string): Found {
  return { file, settings: contentOf(file) };
}

function contentOf(file: string): unknown {
  const content = readOption(file, 'the configuration of admission plugins');
  let document: unknown;
  try {
    document = operatorYaml(content);
  } catch (error) {
    throw new ConfigError(`${placeOf(file)}: ${(error as Error).message}`);
  }
  if (typeof document === 'object' && document !== null) return document;
  throw new ConfigError(`${placeOf(file)}: the file must hold a document with members`);
}

function pluginName(entries: Readonly<Record<string, PluginEntry>>): SettingRule {
  const all = Object.keys(entries);
  return (value = '', field, errors) => {
    const entry = typeof value === 'string' && all.includes(value) ? entries[value] : undefined;
    if (entry === undefined) errors.push(notSupported(field, value, all));
    else if (entry.check === undefined) {
      errors.push(fieldForbidden(field, `${String(value)} has no settings`));
    }
  };
}

/** The place that errors name first. */
function placeOf(file: string, name = '', isThere = true): string {
  const option = '--admission-control-config-file';
  if (!isThere) return `the admission plugin ${name} needs settings in ${option}`;
  return `${option}: ${file}${name === '' ? '' : `: ${name}`}`;
}

function linesOf(problems: readonly FieldError[]): string {
  return problems
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .join('; ');
}
