/** Options about who has a say in what is written. */
import type { FeatureGates } from '../resources/feature-gates.ts';
import { PLUGINS } from '../admission/plugins.ts';
import type { TolerationSeconds } from '../admission/plugins/default-toleration-seconds.ts';
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
  'default-not-ready-toleration-seconds': {
    value: 'SECONDS',
    preset: '300',
    help: 'how long pods stay on a node that is not ready, if they do not say',
  },
  'default-unreachable-toleration-seconds': {
    value: 'SECONDS',
    preset: '300',
    help: 'how long pods stay on a node that is unreachable, if they do not say',
  },
} as const satisfies Record<string, Flag>;

export interface AdmissionOptions {
  /** The plugins that are on, in the order in which they are asked. */
  readonly plugins: readonly string[];
  /** '' for none. */
  readonly settingsFile: string;
  /** Those that have options of their own. */
  readonly settings: { readonly DefaultTolerationSeconds: TolerationSeconds };
}

/** Throws ConfigError. */
export function admissionOptions(
  values: FlagValues<typeof ADMISSION_FLAGS>,
  gates: FeatureGates,
): AdmissionOptions {
  const on = namesOf('enable-admission-plugins', values);
  const off = namesOf('disable-admission-plugins', values);
  const both = on.find((name) => off.includes(name));
  if (both !== undefined) {
    throw new ConfigError(
      `${both} is in --enable-admission-plugins and in --disable-admission-plugins: give it once`,
    );
  }
  const plugins = Object.keys(PLUGINS).filter(
    (name) =>
      (name !== 'PodSecurity' || gates.has('PodSecurity')) &&
      (on.includes(name) || (PLUGINS[name]?.isOnByDefault === true && !off.includes(name))),
  );
  return {
    plugins,
    settingsFile: values['admission-control-config-file'],
    settings: {
      DefaultTolerationSeconds: {
        notReady: secondsOf('default-not-ready-toleration-seconds', values),
        unreachable: secondsOf('default-unreachable-toleration-seconds', values),
      },
    },
  };
}

function secondsOf(
  option: 'default-not-ready-toleration-seconds' | 'default-unreachable-toleration-seconds',
  { [option]: value }: FlagValues<typeof ADMISSION_FLAGS>,
): number {
  const seconds = Number(value);
  if (/^-?[0-9]+$/.test(value) && Number.isSafeInteger(seconds)) return seconds;
  throw new ConfigError(`--${option} is "${value}": give a whole number of seconds`);
}

function namesOf(
  option: 'enable-admission-plugins' | 'disable-admission-plugins',
  values: FlagValues<typeof ADMISSION_FLAGS>,
): readonly string[] {
  const names = values[option]
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const all = Object.keys(PLUGINS);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return names;
  throw new ConfigError(
    `--${option}: there is no plugin "${unknown}": give some of ${all.join(', ')}`,
  );
}
