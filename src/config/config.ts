/** Options from the command line and a YAML file, checked and frozen. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AggregationSettings } from '../aggregation/settings.ts';
import { parseFlags } from '../base/options/parse-flags.ts';
import { nearestName } from '../base/text/nearest-name.ts';
import { pluginsOf } from '../admission/plugins.ts';
import {
  authenticationConfig,
  type AuthenticationConfig,
} from '../auth/authentication/authenticators.ts';
import { authorizationConfig, type AuthorizationConfig } from '../auth/authorizers.ts';
import { operatorYaml } from '../codec/yaml/operator-yaml.ts';
import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  isController,
  requiredControllers,
} from '../controllers/registry.ts';
import type { ControllerName } from '../controllers/registry.ts';
import {
  parseClusterIpRanges,
  shortestV6Prefix,
  parseNodePortRange,
} from '../resources/core/services/service-ranges.ts';
import {
  featureGateWarnings,
  gatesWithEffect,
  parseFeatureGates,
  stateOf,
  defaultGates,
} from '../release/feature-gates.ts';
import { parseRelease, type Release } from '../release/release.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { KindSettings } from '../resources/kind.ts';
import type { Durability } from '../storage/store.ts';
import { admissionOptions, type AdmissionOptions } from './admission.ts';
import { aggregationSettings } from './aggregation.ts';
import { auditOptions, type AuditOptions } from './audit.ts';
import { boundsConfig, type BoundsConfig } from './bounds.ts';
import { browserConfig, type BrowserConfig } from './browsers.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag } from '../base/options/flag.ts';
import { FLAGS } from './flags.ts';
import { flowConfig, type FlowConfig } from './flow-control.ts';
import { laboratoryConfig, type LaboratoryConfig } from './laboratory.ts';
import type { Values } from './flags.ts';
import { observabilityConfig, type ObservabilityConfig } from './observability.ts';
import { insteadOf } from './reference-flags.ts';
import { leadershipConfig, type LeadershipConfig } from './leadership.ts';
import { signingConfig, type SigningConfig } from './signing.ts';
import { storeConfig, type EtcdStoreConfig } from './store.ts';
import { tlsConfig, type TlsConfig } from './tls.ts';
import { durationOf, switchOf } from '../base/options/option-values.ts';
import {
  advertisedOf,
  apiDomainOf,
  checkedOf,
  controllersOf,
  durabilityOf,
  fakeNodesOf,
  frontsOf,
  parsedOf,
  portOf,
  sessionPortOf,
  threadsOf,
} from './values.ts';
import type { ApiDomain } from './values.ts';

export interface Config {
  readonly bindAddress: string;
  /** Every option, as it was given or is by default. */
  readonly flags: Readonly<Record<string, string>>;
  /** 0: off. */
  readonly port: number;
  /** 0: off. */
  readonly securePort: number;
  /** For sessions that need a port of their own; 0 for none. */
  readonly sessionPort: number | 'auto';
  readonly dataDir: string;
  readonly durability: Durability;
  /** Absent where objects are kept in the data folder. */
  readonly etcd?: EtcdStoreConfig;
  /** The domain of the API names that clients send and see. */
  readonly apiDomain: ApiDomain;
  /** The minor of the release that it behaves like. */
  readonly release: number;
  /** The data folder may have been used with a later one. */
  readonly allowLowerRelease: boolean;
  /** Threads that serve connections. */
  readonly fronts: number;
  readonly shardThreads: number;
  readonly watchHistoryMs: number;
  /** Those that work inside the process. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly eventTtlMs: number;
  readonly legacyTokensPeriodMs: number;
  readonly shutdownTimeoutMs: number;
  readonly shutdownDelayMs: number;
  readonly livezGraceMs: number;
  /** Which versions and resources are served; '' for all. */
  readonly runtimeConfig: string;
  readonly kindSettings: KindSettings;
  /** Where others reach the server; '' for what the machine's routes say. */
  readonly advertiseAddress: string;
  readonly featureGates: FeatureGates;
  /** Lines for the user about features that are about to go. */
  readonly featureGateWarnings: readonly string[];
  readonly authentication: AuthenticationConfig;
  readonly authorization: AuthorizationConfig;
  readonly admission: AdmissionOptions;
  readonly aggregation: AggregationSettings;
  readonly flow: FlowConfig;
  readonly bounds: BoundsConfig;
  readonly laboratory: LaboratoryConfig;
  /** The number of nodes without machines; 0 for none. */
  readonly fakeNodes: number;
  readonly tls: TlsConfig;
  readonly signing: SigningConfig;
  readonly leadership: LeadershipConfig;
  readonly browsers: BrowserConfig;
  readonly observability: ObservabilityConfig;
  /** Absent where nothing is audited. */
  readonly audit?: AuditOptions;
}

const NODE_PORTS = 'service-node-port-range';
const LEGACY_TOKENS = 'legacy-service-account-token-clean-up-period';
const LEGACY_TOKENS_MS_MAX = 100 * 365 * 86_400_000;

const CLIENT_COMMAND = 'write-client-cert';

const HELP_COLUMN = 38;

/** One option in the help; one that is too long for its column has a line of its own. */
function helpLine(flag: string, help: string): string {
  const head = `  --${flag}`;
  if (head.length < HELP_COLUMN) return head.padEnd(HELP_COLUMN) + help;
  return `${head}\n${' '.repeat(HELP_COLUMN)}${help}`;
}

/** Shows the plugins and features that the release has; `called` is how the program is run. */
export function helpText(release: Release, called = 'npm start --'): string {
  const lines = Object.entries(FLAGS).map(([name, { value, preset, help }]) => {
    const shown = preset === '' ? '' : ` (default ${preset})`;
    return helpLine(`${name} ${value}`, `${help}${shown}`);
  });
  return [
    `Usage: ${called} [options]`,
    '',
    'A cluster API service: objects, watches and consistent lists over HTTP.',
    '',
    'Options:',
    ...lines,
    helpLine('config FILE', 'YAML file with any of these options, without the dashes'),
    helpLine(`${CLIENT_COMMAND} USER[,GROUP…]`, 'write a certificate and a kubeconfig, and end'),
    helpLine('help', 'show this text'),
    helpLine('version', 'show the version'),
    '',
    'Controllers:',
    ...CONTROLLER_NAMES.filter((name) => isController(name, defaultGates(release))).map((name) => {
      return `  ${name}${CONTROLLERS[name].isOffByDefault ? ' (only where it is named)' : ''}`;
    }),
    '',
    'Admission plugins:',
    ...pluginsOf(release).map(([name, { isOnByDefault }]) => {
      return `  ${name}${isOnByDefault ? '' : ' (only where it is enabled)'}`;
    }),
    '',
    'Features that --feature-gates switches, with AllAlpha and AllBeta:',
    ...gatesWithEffect(release).map(([name, about]) => {
      const { stage, isOn } = stateOf(name, release);
      const state = `${stage}, ${isOn ? 'on' : 'off'}`;
      return `  ${name.padEnd(36)}${about} (${state})`;
    }),
    '',
    'An option on the command line wins over the same one in the file.',
    '',
  ].join('\n');
}

export type Command =
  | { readonly run: 'help'; readonly release: Release }
  | { readonly run: 'version' }
  | { readonly run: 'serve'; readonly config: Config }
  | {
      readonly run: 'writeClientCertificate';
      readonly config: Config;
      readonly client: { readonly user: string; readonly groups: readonly string[] };
    };

/** Reads the arguments after the program's name. Throws `ConfigError`. */
export function readCommand(args: readonly string[]): Command {
  const names = [...Object.keys(FLAGS), 'config', CLIENT_COMMAND];
  const texts = names.map((name) => {
    const short = flagNamed(name)?.short;
    const how = { type: 'string', multiple: isMany(name), ...(short && { short }) } as const;
    return [name, how] as const;
  });
  const flags = { ...Object.fromEntries(texts), version: { type: 'boolean' } } as const;
  const given = parseFlags(
    flags,
    args.map(withSwitchValue),
    (reason) => new ConfigError(`${reason}. See --help for the options`),
    (name) => insteadOf(name, (ours) => `--${ours}`),
  );
  if (given['help'] === true) {
    const release = textOf(given['release']) ?? FLAGS.release.preset;
    return { run: 'help', release: parsedOf('release', release, parseRelease) };
  }
  if (given['version'] === true) return { run: 'version' };
  const file = given['config'];
  const fromFile = typeof file === 'string' ? readConfigFile(file) : {};
  const values = Object.fromEntries(
    Object.entries(FLAGS).map(([name, { preset }]) => [
      name,
      textOf(given[name]) ?? fromFile[name] ?? preset,
    ]),
  ) as Values;
  const isGiven = (name: string): boolean => (given[name] ?? fromFile[name]) !== undefined;
  const config = toConfig(values, parsedOf('release', values.release, parseRelease), isGiven);
  const client = given[CLIENT_COMMAND];
  if (typeof client !== 'string') return { run: 'serve', config };
  return { run: 'writeClientCertificate', config, client: clientOf(client) };
}

function clientOf(value: string): { user: string; groups: readonly string[] } {
  const [user = '', ...groups] = value.split(',').map((name) => name.trim());
  if (![user, ...groups].includes('')) return { user, groups: [...new Set(groups)] };
  throw new ConfigError(`--${CLIENT_COMMAND} is "${value}": give USER or USER,GROUP,…`);
}

function flagNamed(name: string): Flag | undefined {
  return Object.hasOwn(FLAGS, name) ? FLAGS[name as keyof typeof FLAGS] : undefined;
}

function isMany(name: string): boolean {
  return flagNamed(name)?.isMany === true;
}

/** `--name` of a switch means that it is on. */
function withSwitchValue(argument: string): string {
  const isBare = flagNamed(argument.replace(/^--/, ''))?.isSwitch === true;
  return isBare && argument.startsWith('--') ? `${argument}=true` : argument;
}

function textOf(given: string | boolean | readonly string[] | undefined): string | undefined {
  if (typeof given === 'object') return given.join('\n');
  return given === undefined ? undefined : String(given);
}

/**
 * What controllers may be required by, besides features. Which modes a file names is not known yet:
 * those that one needs are there for it.
 */
function askedFor({ chain, file }: AuthorizationConfig, values: Values): readonly string[] {
  const modes = file === '' ? chain.map(({ mode }) => mode) : ['RBAC'];
  return fakeNodesOf(values['fake-nodes']) > 0 ? [...modes, '--fake-nodes'] : modes;
}

function readConfigFile(file: string): Record<string, string> {
  let content: unknown;
  try {
    content = operatorYaml(readFileSync(file, 'utf8'));
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
      throw new ConfigError(`unknown option "${name}" in ${file}${unknownHint(name)}`);
    }
    const many: readonly unknown[] = isMany(name) && Array.isArray(value) ? value : [value];
    const types = flagNamed(name)?.isSwitch === true ? ['boolean', 'string'] : ['number', 'string'];
    if (!many.every((one) => types.includes(typeof one))) {
      throw new ConfigError(`option "${name}" in ${file} must be a text or a number`);
    }
    values[name] = many.join('\n');
  }
  return values;
}

/** A hint for an unknown name in a file: the name that may be meant, and where to look. */
function unknownHint(name: string): string {
  const near = nearestName(name, Object.keys(FLAGS));
  const hint = insteadOf(name, (ours) => ours) || (near && `did you mean ${near}?`);
  return `${hint ? ` (${hint})` : ''}. See --help for the options`;
}

/** Options that two servers on one machine cannot have alike. */
const OF_ONE_SERVER = /^(?:data-dir|port|secure-port|session-port|audit-.*|peer-address)$/;

/** The arguments for a server that is like this one, but for its folder and ports. */
export function flagsOfFork(flags: Config['flags']): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const preset = flagNamed(name)?.preset ?? '';
    if (value === preset || OF_ONE_SERVER.test(name)) return [];
    return value.split('\n').map((line) => `--${name}=${line}`);
  });
}

function toConfig(values: Values, release: Release, isGiven: (name: string) => boolean): Config {
  const apiDomain = apiDomainOf(values['api-domain']);
  const audit = auditOptions(values, apiDomain);
  const etcd = storeConfig(values);
  const pairs = values['feature-gates'];
  const featureGates = parsedOf('feature-gates', pairs, (text) => parseFeatureGates(text, release));
  const authorization = authorizationConfig(values, featureGates, isGiven);
  const modes = authorization.chain.map(({ mode }) => mode);
  const tls = tlsConfig(values);
  const dataDir = resolve(values['data-dir']);
  const securePort = portOf('secure-port', values['secure-port']);
  const authentication = authenticationConfig(values, { modes, gates: featureGates, isGiven });
  const config: Config = {
    flags: values,
    bindAddress: values['bind-address'],
    port: portOf('port', values.port),
    securePort,
    sessionPort: sessionPortOf(values['session-port']),
    dataDir,
    durability: durabilityOf(values.durability),
    apiDomain,
    release: release.minor,
    allowLowerRelease: switchOf('allow-lower-release', values['allow-lower-release']),
    fronts: frontsOf(values.fronts),
    shardThreads: threadsOf(values['shard-threads']),
    watchHistoryMs: durationOf('watch-history', values['watch-history']),
    controllers: new Set([
      ...requiredControllers([...askedFor(authorization, values), ...featureGates], release),
      ...[...controllersOf(values.controllers)].filter((name) => isController(name, featureGates)),
    ]),
    legacyTokensPeriodMs: durationOf(LEGACY_TOKENS, values[LEGACY_TOKENS], LEGACY_TOKENS_MS_MAX),
    eventTtlMs: durationOf('event-ttl', values['event-ttl']),
    fakeNodes: fakeNodesOf(values['fake-nodes']),
    shutdownTimeoutMs: durationOf('shutdown-timeout', values['shutdown-timeout']),
    shutdownDelayMs: durationOf('shutdown-delay-duration', values['shutdown-delay-duration']),
    livezGraceMs: durationOf('livez-grace-period', values['livez-grace-period']),
    runtimeConfig: values['runtime-config'],
    kindSettings: {
      serviceClusterIpRange: checkedOf(
        'service-cluster-ip-range',
        values['service-cluster-ip-range'],
        (text) => parseClusterIpRanges(text, shortestV6Prefix(featureGates, release)),
      ),
      serviceNodePortRange: checkedOf(NODE_PORTS, values[NODE_PORTS], parseNodePortRange),
    },
    advertiseAddress: advertisedOf(values['advertise-address']),
    featureGates,
    featureGateWarnings: featureGateWarnings(pairs, release),
    authentication,
    authorization,
    admission: admissionOptions(values, featureGates, release),
    aggregation: aggregationSettings(values, { dataDir, tls, authentication, securePort }),
    tls,
    flow: flowConfig(values, featureGates),
    bounds: boundsConfig(values),
    laboratory: laboratoryConfig(values, { fronts: frontsOf(values.fronts), store: values.store }),
    signing: signingConfig(values),
    leadership: leadershipConfig(values),
    browsers: browserConfig(values),
    observability: observabilityConfig(values, release),
    ...(audit !== undefined && { audit }),
    ...(etcd !== undefined && { etcd }),
  };
  if (config.port === 0 && config.securePort === 0) {
    throw new ConfigError('--port and --secure-port are both 0: give at least one to listen on');
  }
  return Object.freeze(config);
}
