/** The flags of `kube-apiserver` in the server's own (README.md#flags). */
import { join } from 'node:path';
import { pluginsOf } from '../admission/plugins.ts';
import type { Flag } from '../base/options/flag.ts';
import { FLAGS } from '../config/flags.ts';
import { COUNTERPARTS, NEEDLESS } from '../config/reference-flags.ts';
import { parsedOf } from '../config/values.ts';
import { parseFeatureGates } from '../release/feature-gates.ts';
import { DEFAULT_RELEASE, parseRelease, type Release } from '../release/release.ts';
import { isLoopback, parseIp } from '../semantics/validation/ip-address.ts';
import { readGivenFlags, type GivenFlags } from './given-flags.ts';

export interface TranslatedFlags {
  /** For the server, without where its data lie unless that was given. */
  readonly args: readonly string[];
  /** URLs of the database's servers. */
  readonly databases: readonly string[];
  /** A line for each flag that was given and has no effect here. */
  readonly warnings: readonly string[];
}

/** The presets of an API server by itself, without other controllers. */
const PRESETS = {
  'api-domain': 'k8s.io',
  'authorization-mode': 'AlwaysAllow',
  controllers: 'bootstrap,event-expiry',
  durability: 'relaxed',
  port: '0',
};

/** All values of these count, and not the last one only. */
const LISTS = [
  'authorization-mode',
  'disable-admission-plugins',
  'enable-admission-plugins',
  'feature-gates',
  'runtime-config',
  'tls-cipher-suites',
];

interface Translation {
  readonly args?: readonly string[];
  readonly warnings?: readonly string[];
}

/**
 * Flags with another meaning here than in the reference. All others mean the same, or are unknown.
 */
const TRANSLATIONS: Readonly<Record<string, (value: string, release: Release) => Translation>> = {
  'advertise-address': (value) => {
    const ip = parseIp(value);
    const isLocal = ip !== undefined && isLoopback(ip);
    const warnings = [`--advertise-address ${value} is left out: nobody else could reach it`];
    return isLocal ? { warnings } : { args: [`--advertise-address=${value}`] };
  },
  'allow-privileged': (value) =>
    value === 'true' ? {} : { warnings: ['--allow-privileged is always true here'] },
  'cert-dir': () => ({}),
  'disable-admission-plugins': (value, release) =>
    knownOf('disable-admission-plugins', value, (name) => isPlugin(name, release)),
  'emulated-version': (value) => ({ args: [`--release=${emulated(value)}`] }),
  'enable-admission-plugins': (value, release) =>
    knownOf('enable-admission-plugins', value, (name) => isPlugin(name, release)),
  'feature-gates': (value, release) =>
    knownOf('feature-gates', value, (pair) => isFeatureGate(pair, release)),
};

/**
 * Translates the arguments of a `kube-apiserver` to those of the server; `hasFile` says whether
 * there is a file. Throws ConfigError for what is no flag.
 */
export function translateFlags(
  args: readonly string[],
  hasFile: (path: string) => boolean,
): TranslatedFlags {
  const given = readGivenFlags(args, isSwitch);
  const release = givenRelease(given);
  const translated = [...given].map(([name, values]) => translate(name, values, release));
  return {
    args: [
      ...Object.entries(PRESETS).map(([name, value]) => `--${name}=${value}`),
      ...certificateArgs(given, hasFile),
      ...translated.flatMap((one) => one.args ?? []),
    ],
    databases: (given.get('etcd-servers') ?? []).flatMap((urls) => urls.split(',')),
    warnings: translated.flatMap((one) => one.warnings ?? []),
  };
}

/** The release that `--emulated-version` or the server's own flag names. Throws ConfigError. */
export function givenRelease(given: GivenFlags): Release {
  const [name, value] = ['emulated-version', 'release']
    .map((flag) => [flag, given.get(flag)?.at(-1)] as const)
    .find(([, text]) => text !== undefined) ?? ['release', undefined];
  if (value === undefined) return DEFAULT_RELEASE;
  return parsedOf(name, emulated(value), parseRelease);
}

/** Components may be named: `kube=1.33`. */
function emulated(value: string): string {
  const components = value.split(',').map((one) => one.trim().split('='));
  const [, version] =
    components.find(([name, text]) => name === 'kube' && text !== undefined) ?? [];
  return version ?? value;
}

function isSwitch(name: string): boolean {
  return name === 'allow-privileged' || flagOf(name)?.isSwitch === true;
}

function flagOf(name: string): Flag | undefined {
  return Object.hasOwn(FLAGS, name) ? FLAGS[name as keyof typeof FLAGS] : undefined;
}

function translate(name: string, values: readonly string[], release: Release): Translation {
  const special = Object.hasOwn(TRANSLATIONS, name) ? TRANSLATIONS[name] : undefined;
  const counting = LISTS.includes(name) ? [values.join(',')] : values;
  if (special !== undefined) return special(counting.at(-1) ?? '', release);
  // The database is the folder of the one beside it.
  if (NEEDLESS.test(name)) return {};
  const { isRenamed, use = [] } = COUNTERPARTS.get(name) ?? {};
  const [ours = name] = isRenamed ? use : [];
  if (flagOf(ours) !== undefined) return { args: counting.map((value) => `--${ours}=${value}`) };
  return { warnings: [`--${name} is not known here and has no effect`] };
}

/** A list without the items that this server does not have: they come and go with releases. */
function knownOf(name: string, list: string, isKnown: (item: string) => boolean): Translation {
  const items = list.split(',').map((item) => item.trim());
  const unknown = items.filter((item) => item !== '' && !isKnown(item));
  return {
    args: [`--${name}=${items.filter((item) => !unknown.includes(item)).join(',')}`],
    warnings: unknown.map((item) => `--${name}: ${item} is not known here and has no effect`),
  };
}

function isPlugin(name: string, release: Release): boolean {
  return pluginsOf(release).some(([known]) => known === name);
}

function isFeatureGate(pair: string, release: Release): boolean {
  try {
    parseFeatureGates(pair, release);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The certificate that is used where it lies in the folder and no other is given. */
function certificateArgs(given: GivenFlags, hasFile: (path: string) => boolean): readonly string[] {
  const folder = given.get('cert-dir')?.at(-1);
  if (folder === undefined || given.has('tls-cert-file')) return [];
  const [certificate, key] = [join(folder, 'apiserver.crt'), join(folder, 'apiserver.key')];
  if (!hasFile(certificate) || !hasFile(key)) return [];
  return [`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`];
}
