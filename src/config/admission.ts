/** Options about who has a say in what is written. */
import type { FeatureGates } from '../release/feature-gates.ts';
import type { Release } from '../release/release.ts';
import { PLUGIN_FLAGS, pluginFlagSettings, pluginsOf } from '../admission/plugins.ts';
import type { PluginEntry, PluginSettings } from '../admission/plugin.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';

export const ADMISSION_FLAGS = {
  'enable-admission-plugins': {
    value: 'LIST',
    preset: '',
    help: 'what has a say in writes, besides those that are on: some of the plugins below',
  },
  'disable-admission-plugins': {
    value: 'LIST',
    preset: '',
    help: 'what has none, though it is on: some of the plugins below',
  },
  'admission-control-config-file': {
    value: 'FILE',
    preset: '',
    help: 'an AdmissionConfiguration: settings of admission plugins',
  },
  ...PLUGIN_FLAGS,
} as const satisfies Record<string, Flag>;

export interface AdmissionOptions {
  /** The plugins that are on, in the order in which they are asked. */
  readonly plugins: readonly string[];
  /** '' for none. */
  readonly settingsFile: string;
  /** The plugins' own flags, read. */
  readonly settings: Readonly<Record<string, PluginSettings>>;
}

/** Throws ConfigError. */
export function admissionOptions(
  values: FlagValues<typeof ADMISSION_FLAGS>,
  gates: FeatureGates,
  release: Release,
): AdmissionOptions {
  const all = pluginsOf(release);
  const known = all.map(([name]) => name);
  const on = namesOf('enable-admission-plugins', values, known);
  const off = namesOf('disable-admission-plugins', values, known);
  const both = on.find((name) => off.includes(name));
  if (both !== undefined) {
    throw new ConfigError(
      `${both} is in --enable-admission-plugins and in --disable-admission-plugins: give it once`,
    );
  }
  const isOn = ([name, { isOnByDefault, gate }]: readonly [string, PluginEntry]): boolean =>
    (gate === undefined || gates.has(gate)) &&
    (on.includes(name) || (isOnByDefault && !off.includes(name)));
  const plugins = all.filter(isOn).map(([name]) => name);
  return {
    plugins,
    settingsFile: values['admission-control-config-file'],
    settings: pluginFlagSettings(values),
  };
}

function namesOf(
  option: 'enable-admission-plugins' | 'disable-admission-plugins',
  values: FlagValues<typeof ADMISSION_FLAGS>,
  known: readonly string[],
): readonly string[] {
  const names = values[option]
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new ConfigError(
    `--${option}: there is no plugin "${unknown}": give some of ${known.join(', ')}`,
  );
}
