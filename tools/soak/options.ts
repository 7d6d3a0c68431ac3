/** The flags of `npm run soak`, checked. */
import { OptionsError, parseOptions } from '../flags.ts';
import { RESOURCE_NAMES } from './resource-types.ts';
import type { ResourceName } from './resource-types.ts';
import { WATCH_KINDS } from './scope.ts';
import type { WatchKind } from './scope.ts';

export interface SoakOptions {
  /** '' when not given; the others that name files too. */
  readonly server: string;
  readonly token: string;
  readonly tokenFile: string;
  readonly certificateAuthority: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly kubeconfig: string;
  readonly context: string;
  readonly apiDomain: string;
  readonly resource: ResourceName;
  readonly watches: number;
  readonly objects: number;
  readonly namespaces: number;
  readonly bytes: number;
  readonly writers: number;
  /** Writes per second of all writers; 0: as fast as they can. */
  readonly rate: number;
  readonly deletes: number;
  readonly seconds: number;
  readonly watchMix: readonly { readonly kind: WatchKind; readonly share: number }[];
  readonly bookmarks: boolean;
  readonly reconnect: number;
  readonly reconnectSeconds: number;
  readonly stall: number;
  readonly stallSeconds: number;
  readonly graceSeconds: number;
  readonly progressSeconds: number;
  readonly seed: number;
  readonly report: string;
  readonly keep: boolean;
}

interface Flag {
  /** The value as the help shows it; '' for a flag that has none. */
  readonly value: string;
  readonly preset: string;
  readonly help: string;
}

const FLAGS = {
  server: { value: 'URL', preset: '', help: 'the server, such as http://127.0.0.1:8080' },
  token: { value: 'TOKEN', preset: '', help: 'bearer token for --server' },
  'token-file': { value: 'FILE', preset: '', help: 'file with the bearer token for --server' },
  'certificate-authority': { value: 'FILE', preset: '', help: 'PEM to trust for --server' },
  'insecure-skip-tls-verify': { value: '', preset: '', help: 'trust any certificate of --server' },
  kubeconfig: { value: 'FILE', preset: '', help: 'server and credentials instead of --server' },
  context: {
    value: 'NAME',
    preset: '',
    help: 'context in the kubeconfig; its current one if none',
  },
  'api-domain': {
    value: 'DOMAIN',
    preset: 'cluster.io',
    help: "what the server's group names end with (for leases)",
  },
  resource: { value: 'TYPE', preset: 'configmaps', help: `one of ${RESOURCE_NAMES.join(', ')}` },
  watches: { value: 'N', preset: '1000', help: 'watches that are open together' },
  objects: { value: 'N', preset: '1000', help: 'objects that are written and watched' },
  namespaces: { value: 'N', preset: '4', help: 'namespaces over which the objects are spread' },
  bytes: { value: 'N', preset: '512', help: 'payload of an object' },
  writers: {
    value: 'N',
    preset: '4',
    help: 'writers; each waits for the answer to its last write',
  },
  rate: { value: 'N', preset: '200', help: 'writes per second of all writers; 0: full speed' },
  deletes: {
    value: 'SHARE',
    preset: '0.1',
    help: 'of the writes, 0 to 0.4; each deleted object is created again',
  },
  seconds: { value: 'TIME', preset: '60', help: 'how long to write: 90, 90s, 10m or 2h' },
  'watch-mix': {
    value: 'MIX',
    preset: 'namespace=4,label=3,name=2,all=1',
    help: 'kinds of watches and shares: a namespace, a label in it, one object, all namespaces',
  },
  bookmarks: { value: '', preset: '', help: 'ask for bookmarks, and resume from them' },
  reconnect: {
    value: 'SHARE',
    preset: '0.1',
    help: 'of the watches that disconnect now and then; a quarter of the times they list anew',
  },
  'reconnect-every': {
    value: 'TIME',
    preset: '20s',
    help: 'how often, on average; they stay away for up to 2 s',
  },
  stall: { value: 'SHARE', preset: '0', help: 'of the watches that stop reading now and then' },
  'stall-for': { value: 'TIME', preset: '5s', help: 'how long; four times as long between, about' },
  grace: {
    value: 'TIME',
    preset: '10s',
    help: 'at the end: how long nothing may come before what is missing is a gap',
  },
  'progress-every': { value: 'TIME', preset: '1s', help: 'time between two lines of progress' },
  seed: { value: 'N', preset: '1', help: 'for all that is random' },
  report: {
    value: 'FILE',
    preset: '',
    help: 'write the report there: a page where its name ends in .html, else JSON',
  },
  keep: { value: '', preset: '', help: 'leave the namespaces and objects in place' },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof FLAGS;

const HOURS_MAX = 24 * 14;
/** A number per watch and object that it can see: 800 MB. */
const LEDGER_CELLS_MAX = 200_000_000;

export function helpText(): string {
  const lines = Object.entries(FLAGS).map(([name, { value, preset, help }]) => {
    const shown = preset === '' ? '' : ` (${preset})`;
    return `  --${`${name} ${value}`.padEnd(30)}${help}${shown}`;
  });
  return `Usage: npm run soak -- [options]

Opens watches of a server of this API, writes objects, and checks that each watch gets every change
that it matches: once, in order, with the right content. Works in namespaces of its own.
Without --server and --kubeconfig it takes ./.shardplane/admin.kubeconfig if there is one; the
variable KUBECONFIG is not looked at, so that no other cluster is loaded by accident.

${lines.join('\n')}
  --${'help'.padEnd(30)}show this text

Lag is the time from the answer to a write until its event is at a watch, both in this process; 0
when the event came first. Watches that stall, and what was written while a watch was away, are left
out of it. Ctrl-C ends the run early, with verdict and clean-up; a second one leaves at once.
Exit code: 0 when nothing was wrong; 1 on any gap, duplicate, disorder, wrong content, stale list or
lost write, when the server cannot be reached, or nothing could be checked; 2 for a wrong option.
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`. */
export function readOptions(args: readonly string[]): SoakOptions | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const textOf = (name: FlagName): string => String(given[name] ?? FLAGS[name].preset);
  const whole = (name: FlagName, least: number, most: number): number =>
    wholeNumber(name, textOf(name), least, most);
  const share = (name: FlagName, most: number): number => fraction(name, textOf(name), most);
  const time = (name: FlagName, least: number): number => duration(name, textOf(name), least);
  const options: SoakOptions = {
    server: textOf('server'),
    token: textOf('token'),
    tokenFile: textOf('token-file'),
    certificateAuthority: textOf('certificate-authority'),
    insecureSkipTlsVerify: given['insecure-skip-tls-verify'] === true,
    kubeconfig: textOf('kubeconfig'),
    context: textOf('context'),
    apiDomain: domain(textOf('api-domain')),
    resource: oneOf('resource', textOf('resource'), RESOURCE_NAMES),
    watches: whole('watches', 1, 50_000),
    objects: whole('objects', 1, 100_000),
    namespaces: whole('namespaces', 1, 100),
    bytes: whole('bytes', 0, 200_000),
    writers: whole('writers', 1, 256),
    rate: whole('rate', 0, 100_000),
    deletes: share('deletes', 0.4),
    seconds: time('seconds', 1),
    watchMix: mix(textOf('watch-mix')),
    bookmarks: given['bookmarks'] === true,
    reconnect: share('reconnect', 1),
    reconnectSeconds: time('reconnect-every', 0.1),
    stall: share('stall', 1),
    stallSeconds: time('stall-for', 0.1),
    graceSeconds: time('grace', 1),
    progressSeconds: time('progress-every', 0.1),
    seed: whole('seed', 0, 0xffff_ffff),
    report: textOf('report'),
    keep: given['keep'] === true,
  };
  checkTogether(options);
  return Object.freeze(options);
}

function checkTogether(options: SoakOptions): void {
  const { server, kubeconfig, context, objects, namespaces, writers, watches } = options;
  const ofServer = ['token', 'tokenFile', 'certificateAuthority'] as const;
  if (server !== '' && kubeconfig !== '') {
    throw new OptionsError('--server and --kubeconfig exclude each other');
  }
  const hasOfServer = ofServer.some((name) => options[name] !== '');
  if (server === '' && (hasOfServer || options.insecureSkipTlsVerify)) {
    throw new OptionsError('a token or certificate needs --server');
  }
  if (server !== '' && context !== '') throw new OptionsError('--context needs --kubeconfig');
  if (options.token !== '' && options.tokenFile !== '') {
    throw new OptionsError('--token and --token-file exclude each other');
  }
  if (objects < namespaces) throw new OptionsError('--objects may not be fewer than --namespaces');
  if (objects < writers) throw new OptionsError('--objects may not be fewer than --writers');
  if (watches * objectsPerWatch(options) > LEDGER_CELLS_MAX) {
    throw new OptionsError(
      `--watches times the --objects that one sees may not be over ${LEDGER_CELLS_MAX}`,
    );
  }
}

/** How many objects a watch can see, on average over the mix. */
function objectsPerWatch({ watchMix, objects, namespaces }: SoakOptions): number {
  const seen = {
    namespace: objects / namespaces,
    label: objects / namespaces,
    name: 1,
    all: objects,
  };
  const total = watchMix.reduce((sum, { share }) => sum + share, 0);
  return watchMix.reduce((sum, { kind, share }) => sum + seen[kind] * (share / total), 0);
}

function wholeNumber(name: FlagName, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= least && value <= most) return value;
  throw new OptionsError(`--${name} is "${text}": give a whole number from ${least} to ${most}`);
}

function fraction(name: FlagName, text: string, most: number): number {
  const value = Number(text);
  if (/^[0-9]*\.?[0-9]+$/.test(text) && value <= most) return value;
  throw new OptionsError(`--${name} is "${text}": give a number from 0 to ${most}`);
}

/** In seconds. */
function duration(name: FlagName, text: string, least: number): number {
  const match = /^([0-9]*\.?[0-9]+)(ms|s|m|h)?$/.exec(text);
  const unit = { ms: 0.001, s: 1, m: 60, h: 3_600 }[match?.[2] ?? 's'] ?? Number.NaN;
  const seconds = Number(match?.[1]) * unit;
  if (seconds >= least && seconds <= HOURS_MAX * 3_600) return seconds;
  const example = 'such as 90, 90s, 10m or 2h';
  throw new OptionsError(
    `--${name} is "${text}": give a time from ${least}s to ${HOURS_MAX}h, ${example}`,
  );
}

function oneOf<Name extends string>(name: FlagName, text: string, choices: readonly Name[]): Name {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new OptionsError(`--${name} is "${text}": give one of ${choices.join(', ')}`);
}

function domain(text: string): string {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text)) return text;
  throw new OptionsError(`--api-domain is "${text}": give a domain such as cluster.io`);
}

/** `namespace=4,label=3` or just `namespace,label`, whose shares are equal. */
function mix(text: string): SoakOptions['watchMix'] {
  const example = 'give kinds and shares such as namespace=4,label=3,name=2,all=1';
  const parts = text.split(',').map((part) => {
    const [, kindName = '', share = '1'] = /^([a-z]+)(?:=([0-9]{1,6}))?$/.exec(part) ?? [];
    const kind = WATCH_KINDS.find((known) => known === kindName);
    if (kind === undefined) throw new OptionsError(`--watch-mix has "${part}": ${example}`);
    return { kind, share: Number(share) };
  });
  if (new Set(parts.map(({ kind }) => kind)).size < parts.length) {
    throw new OptionsError(`--watch-mix names a kind twice: ${example}`);
  }
  if (parts.every(({ share }) => share === 0)) {
    throw new OptionsError(`--watch-mix has no share over 0: ${example}`);
  }
  return parts;
}
