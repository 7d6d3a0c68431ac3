/** Options from the command line and a YAML file, checked and frozen. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { parseFlags } from './base/flags.ts';
import { CONTROLLER_NAMES, parseControllers } from './controllers/controller-names.ts';
import type { ControllerName } from './controllers/controller-names.ts';
import { parseClusterIpRange, parseNodePortRange } from './resources/core/service-ranges.ts';
import { FEATURES, parseFeatureGates } from './resources/feature-gates.ts';
import type { FeatureGates } from './resources/feature-gates.ts';
import type { KindSettings } from './resources/kind.ts';
import type { Dialect } from './semantics/dialect/dialect.ts';
import { isLinkLocalUnicast, isLoopback, isUnspecified, parseIp } from './semantics/ip-address.ts';
import type { Durability } from './storage/store.ts';

export type ApiDomain = Dialect['domain'];

export interface Config {
  readonly bindAddress: string;
  /** 0: off. */
  readonly port: number;
  /** 0: off. */
  readonly securePort: number;
  /** For sessions that need a port of their own; 0 for none. */
  readonly sessionPort: number | 'auto';
  readonly dataDir: string;
  readonly durability: Durability;
  /** Of the names in what clients send and see. */
  readonly apiDomain: ApiDomain;
  readonly shardThreads: number;
  readonly watchHistoryMs: number;
  /** Those that work inside the process. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly eventTtlMs: number;
  readonly shutdownTimeoutMs: number;
  readonly shutdownDelayMs: number;
  readonly livezGraceMs: number;
  /** Which versions and resources are served; '' for all. */
  readonly runtimeConfig: string;
  readonly kindSettings: KindSettings;
  /** Where others reach the server; '' for what the machine's routes say. */
  readonly advertiseAddress: string;
  /** More DNS names and addresses for the certificate that the server makes. */
  readonly tlsExtraNames: readonly string[];
  readonly featureGates: FeatureGates;
  /** '' when none is given. */
  readonly tokenAuthFile: string;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
}

/** A line for the user that says what is wrong with the options and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(message: string) {
    // The parsers' own texts have several lines.
    super(message.replaceAll(/\s+/g, ' ').trim());
  }
}

interface Flag {
  readonly value: string;
  readonly preset: string;
  readonly help: string;
}

const FLAGS = {
  'bind-address': {
    value: 'ADDRESS',
    preset: '127.0.0.1',
    help: 'address to listen on',
  },
  'advertise-address': {
    value: 'IP',
    preset: '',
    help: 'where others reach it, as the Endpoints of the API say; that of this machine if none',
  },
  port: { value: 'PORT', preset: '8080', help: 'port for HTTP; 0 switches it off' },
  'secure-port': { value: 'PORT', preset: '6443', help: 'port for HTTPS; 0 switches it off' },
  'session-port': { value: 'PORT', preset: 'auto', help: 'for SPDY sessions; 0 for none' },
  'data-dir': {
    value: 'FOLDER',
    preset: './.shardplane',
    help: 'where objects, credentials and certificates are kept',
  },
  durability: {
    value: 'MODE',
    preset: 'fsync',
    help: 'fsync: answer a write once it is on the disk; relaxed: once it is committed',
  },
  'api-domain': {
    value: 'DOMAIN',
    preset: 'cluster.io',
    help: 'names in the API: cluster.io, or k8s.io as public clients expect them',
  },
  'shard-threads': {
    value: 'N',
    preset: 'auto',
    help: 'worker threads that carry the resource types; auto: one less than the cores',
  },
  'watch-history': {
    value: 'DURATION',
    preset: '5m',
    help: 'how long old versions are kept for watches and lists, such as 30s, 5m, 1h',
  },
  controllers: {
    value: 'LIST',
    preset: '*',
    help: `what runs: * or NAME, -NAME of ${CONTROLLER_NAMES.join(', ')}`,
  },
  'event-ttl': {
    value: 'DURATION',
    preset: '1h',
    help: 'how long events are kept after they were last written',
  },
  'runtime-config': {
    value: 'PAIRS',
    preset: '',
    help: 'versions and resources to serve or not, such as batch/v1=false,v1/secrets=false',
  },
  'feature-gates': {
    value: 'PAIRS',
    preset: '',
    help: 'features to switch on or off, such as IdentifyPodOS=true, of those below',
  },
  'service-cluster-ip-range': {
    value: 'CIDR',
    preset: '10.0.0.0/24',
    help: 'addresses that Services are given',
  },
  'service-node-port-range': {
    value: 'PORTS',
    preset: '30000-32767',
    help: 'ports that Services of type NodePort and LoadBalancer are given',
  },
  'token-auth-file': {
    value: 'FILE',
    preset: '',
    help: 'more bearer tokens: lines of token,user,uid[,"group1,group2"]',
  },
  'tls-cert-file': {
    value: 'FILE',
    preset: '',
    help: 'certificate for HTTPS (PEM); if none is given one is made, and an authority for it',
  },
  'tls-private-key-file': { value: 'FILE', preset: '', help: 'its private key (PEM)' },
  'tls-extra-san': {
    value: 'NAMES',
    preset: '',
    help: 'more names for the certificate that is made, such as a.example.org,192.0.2.1',
  },
  'shutdown-timeout': {
    value: 'DURATION',
    preset: '10s',
    help: 'how long accepted requests may take to finish when the server is told to stop',
  },
  'shutdown-delay-duration': {
    value: 'DURATION',
    preset: '0s',
    help: 'how long to go on serving, with /readyz failing, before stopping',
  },
  'livez-grace-period': {
    value: 'DURATION',
    preset: '0s',
    help: 'how long after the start failing checks do not count in /livez',
  },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof FLAGS;
type Values = Record<FlagName, string>;

const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
/** The longest time that a timer can wait. */
const DURATION_MS_MAX = 0x7fffffff;
const SHARD_THREADS_MAX = 64;
/** The first label may be a wildcard. */
const DNS_NAME = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

export function helpText(): string {
  const lines = Object.entries(FLAGS).map(([name, { value, preset, help }]) => {
    const shown = preset === '' ? '' : ` (default ${preset})`;
    return `  --${`${name} ${value}`.padEnd(34)}${help}${shown}`;
  });
  return [
    'Usage: npm start -- [options]',
    '',
    'A cluster API service: objects, watches and consistent lists over HTTP.',
    '',
    'Options:',
    ...lines,
    `  --${'config FILE'.padEnd(34)}YAML file with any of these options, without the dashes`,
    `  --${'help'.padEnd(34)}show this text`,
    `  --${'version'.padEnd(34)}show the version`,
    '',
    'Features that are off unless --feature-gates switches them on:',
    ...Object.entries(FEATURES).map(([name, about]) => `  ${name.padEnd(36)}${about}`),
    '',
    'An option on the command line wins over the same one in the file.',
    '',
  ].join('\n');
}

export type Command =
  { readonly run: 'help' | 'version' } | { readonly run: 'serve'; readonly config: Config };

/** Reads the arguments after the program's name. Throws `ConfigError`. */
export function readCommand(args: readonly string[]): Command {
  const names = [...Object.keys(FLAGS), 'config'];
  const texts = names.map((name) => [name, { type: 'string' }] as const);
  const flags = { ...Object.fromEntries(texts), version: { type: 'boolean' } } as const;
  const given = parseFlags(flags, args, (reason) => {
    return new ConfigError(`${reason}. See --help for the options`);
  });
  if (given['help'] === true) return { run: 'help' };
  if (given['version'] === true) return { run: 'version' };
  const file = given['config'];
  const fromFile = typeof file === 'string' ? readConfigFile(file) : {};
  const values = Object.fromEntries(
    Object.entries(FLAGS).map(([name, { preset }]) => [
      name,
      given[name] ?? fromFile[name] ?? preset,
    ]),
  ) as Values;
  return { run: 'serve', config: toConfig(values) };
}

function readConfigFile(file: string): Record<string, string> {
  let content: unknown;
  try {
    content = parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`cannot read the config file ${file}: ${(error as Error).message}`);
  }
  if (content === null) return {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new ConfigError(`the config file ${file} must hold lines of "option: value"`);
  }
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(FLAGS, name)) {
      throw new ConfigError(`unknown option "${name}" in ${file}. See --help for the options`);
    }
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new ConfigError(`option "${name}" in ${file} must be a text or a number`);
    }
    values[name] = String(value);
  }
  return values;
}

function toConfig(values: Values): Config {
  const config: Config = {
    bindAddress: values['bind-address'],
    port: portOf('port', values.port),
    securePort: portOf('secure-port', values['secure-port']),
    sessionPort:
      values['session-port'] === 'auto' ? 'auto' : portOf('session-port', values['session-port']),
    dataDir: resolve(values['data-dir']),
    durability: durabilityOf(values.durability),
    apiDomain: apiDomainOf(values['api-domain']),
    shardThreads: threadsOf(values['shard-threads']),
    watchHistoryMs: durationOf('watch-history', values['watch-history']),
    controllers: controllersOf(values.controllers),
    eventTtlMs: durationOf('event-ttl', values['event-ttl']),
    shutdownTimeoutMs: durationOf('shutdown-timeout', values['shutdown-timeout']),
    shutdownDelayMs: durationOf('shutdown-delay-duration', values['shutdown-delay-duration']),
    livezGraceMs: durationOf('livez-grace-period', values['livez-grace-period']),
    runtimeConfig: values['runtime-config'],
    kindSettings: {
      serviceClusterIpRange: rangeOf('service-cluster-ip-range', values, parseClusterIpRange),
      serviceNodePortRange: rangeOf('service-node-port-range', values, parseNodePortRange),
    },
    advertiseAddress: advertisedOf(values['advertise-address']),
    tlsExtraNames: extraNamesOf(values['tls-extra-san']),
    featureGates: parsedOf('feature-gates', values, parseFeatureGates),
    tokenAuthFile: values['token-auth-file'],
    tlsCertFile: values['tls-cert-file'],
    tlsKeyFile: values['tls-private-key-file'],
  };
  if (config.port === 0 && config.securePort === 0) {
    throw new ConfigError('--port and --secure-port are both 0: give at least one to listen on');
  }
  if ((config.tlsCertFile === '') !== (config.tlsKeyFile === '')) {
    throw new ConfigError('--tls-cert-file and --tls-private-key-file need each other');
  }
  return Object.freeze(config);
}

function controllersOf(value: string): ReadonlySet<ControllerName> {
  try {
    return parseControllers(value);
  } catch (error) {
    const why = (error as Error).message;
    throw new ConfigError(
      `--controllers is "${value}": ${why}: give a list of *, NAME and -NAME, ` +
        `of ${CONTROLLER_NAMES.join(', ')}`,
    );
  }
}

function advertisedOf(value: string): string {
  if (value === '') return '';
  const ip = parseIp(value);
  const isReached =
    ip !== undefined && !isUnspecified(ip) && !isLoopback(ip) && !isLinkLocalUnicast(ip);
  if (isReached) return value;
  throw new ConfigError(
    `--advertise-address is "${value}": give an IP address of this machine that others can reach`,
  );
}

function extraNamesOf(value: string): readonly string[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  for (const name of names) {
    if (DNS_NAME.test(name) || parseIp(name) !== undefined) continue;
    throw new ConfigError(`--tls-extra-san has "${name}": give DNS names and IP addresses`);
  }
  return names;
}

function parsedOf<T>(name: FlagName, values: Values, parse: (text: string) => T): T {
  const value = values[name];
  try {
    return parse(value);
  } catch (error) {
    throw new ConfigError(`--${name} is "${value}": ${(error as Error).message}`);
  }
}

function rangeOf(name: FlagName, values: Values, parse: (text: string) => unknown): string {
  parsedOf(name, values, parse);
  return values[name];
}

function portOf(name: string, value: string): number {
  const port = Number(value);
  if (!/^[0-9]+$/.test(value) || port > 65_535) {
    throw new ConfigError(`--${name} is "${value}": give a port from 1 to 65535, or 0 for none`);
  }
  return port;
}

function durabilityOf(value: string): Durability {
  if (value === 'fsync' || value === 'relaxed') return value;
  throw new ConfigError(`--durability is "${value}": give fsync or relaxed`);
}

function apiDomainOf(value: string): ApiDomain {
  if (value === 'cluster.io' || value === 'k8s.io') return value;
  throw new ConfigError(`--api-domain is "${value}": give cluster.io or k8s.io`);
}

function threadsOf(value: string): number {
  if (value === 'auto') return Math.max(1, availableParallelism() - 1);
  const threads = Number(value);
  if (!Number.isInteger(threads) || threads < 1 || threads > SHARD_THREADS_MAX) {
    throw new ConfigError(
      `--shard-threads is "${value}": give a number from 1 to ${SHARD_THREADS_MAX}, or auto`,
    );
  }
  return threads;
}

function durationOf(name: string, value: string): number {
  const match = /^([0-9]+)(ms|s|m|h)$/.exec(value);
  const ms = Number(match?.[1]) * (DURATION_UNITS_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (Number.isNaN(ms) || ms > DURATION_MS_MAX) {
    throw new ConfigError(
      `--${name} is "${value}": give a whole number with ms, s, m or h, up to 596h`,
    );
  }
  return ms;
}
