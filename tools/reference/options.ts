/** The flags of `npm run check:reference`, checked. */
import { DEFAULT_RELEASE, parseRelease, type Release } from '../../src/release/release.ts';
import { OptionsError, parseOptions } from '../flags.ts';

export const PARTS = [
  'rows',
  'manifests',
  'random',
  'paths',
  'leaves',
  'custom',
  'policies',
] as const;
/** These parts need neither Go nor a network. */
const PRESET_PARTS = 'rows,manifests,random,paths';
export type Part = (typeof PARTS)[number];

export interface CompareOptions {
  readonly release: Release;
  readonly server: string;
  readonly token: string;
  /** '' where the tool starts one. */
  readonly ownServer: string;
  readonly ownToken: string;
  readonly parts: ReadonlySet<Part>;
  /** Lower case; empty for all. */
  readonly kinds: ReadonlySet<string>;
  /** The kind to begin the leaves with, of those in the order of their names; '' for the first. */
  readonly from: string;
  readonly exclusive: boolean;
  readonly seed: number;
  readonly requests: number;
  readonly lanes: number;
  readonly report: string;
  readonly all: boolean;
}

const FLAGS = {
  server: { value: 'URL', preset: '', help: 'the other server, such as https://127.0.0.1:36443' },
  token: { value: 'TOKEN', preset: '', help: 'bearer token for --server' },
  release: {
    value: '1.N',
    preset: DEFAULT_RELEASE.name,
    help: 'the release of both servers',
  },
  'own-server': { value: 'URL', preset: '', help: 'this server, instead of one that is started' },
  'own-token': { value: 'TOKEN', preset: '', help: 'bearer token for --own-server' },
  only: { value: 'PARTS', preset: PRESET_PARTS, help: 'what to compare' },
  kinds: {
    value: 'KINDS',
    preset: '',
    help: 'only these, such as Pod,Service; all when not given',
  },
  from: {
    value: 'KIND',
    preset: '',
    help: 'where to go on with the leaves, in the order of names',
  },
  exclusive: { value: '', preset: '', help: 'the other server is there for this run alone' },
  seed: { value: 'N', preset: '1', help: 'for all that is random' },
  requests: { value: 'N', preset: '5000', help: 'requests of a part that makes them up' },
  lanes: { value: 'N', preset: '4', help: 'sequences of random requests beside each other' },
  report: { value: 'FILE', preset: '', help: 'write all groups there as JSON' },
  all: { value: '', preset: '', help: 'show accepted differences too' },
} as const;

type FlagName = keyof typeof FLAGS;

export function helpText(): string {
  const lines = Object.entries(FLAGS).map(([name, { value, preset, help }]) => {
    const shown = preset === '' ? '' : ` (${preset})`;
    return `  --${`${name} ${value}`.padEnd(22)}${help}${shown}`;
  });
  return `Usage: npm run check:reference -- --server URL --token TOKEN [options]

Sends the same requests to this server and to another one of the API that speaks the k8s.io names,
in namespaces of its own, and compares statuses, bodies, headers and events. What must differ (uids,
versions, times, addresses) is left out. Both servers must be on the loopback interface.

${lines.join('\n')}
  --${'help'.padEnd(22)}show this text

  rows       the rows of test/catalogue: every kind, valid and invalid objects, updates
  manifests  the manifests of test/manifests
  random     seeded random requests of all kinds and verbs, and the events that follow from them
  paths      odd paths with every method, and what may be accepted of discovery and lists
  leaves     each member of each kind with each doubtful value, one at a time, in dry runs: some
             450,000 requests, in an hour or less; --kinds and --from do a part of it
  custom     definitions that public projects publish, and random requests for their objects; they
             are fetched as Go modules (this takes go), and neither server may have them already
  policies   seeded policies of a release that has both sorts, each with objects that are held
             against it in dry runs, in namespaces of the run alone; of a reference that has had
             such policies before, parameters are not found any more

A reference of another release than the default one is started with --runtime-config=api/all=true,
as the server here is.
Admission that this server does not have must be switched off in the other one. --exclusive adds
the kinds that change how a server works (webhook configurations, flow schemas, priority levels):
give it only where the other server is there for this run alone, with webhooks and priority and
fairness switched off.
A difference is told as <here> → <there>. --seed with --requests, --lanes and --kinds repeats a run.
Exit code: 0 when every difference is among the accepted ones (test/reference/), else 1; 2 for a
wrong option or when a server cannot be reached.
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`. */
export function readOptions(args: readonly string[]): CompareOptions | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const textOf = (name: FlagName): string => String(given[name] ?? FLAGS[name].preset);
  const server = textOf('server');
  if (server === '') throw new OptionsError('which server? Give --server URL --token TOKEN');
  for (const url of [server, textOf('own-server')]) checkLoopback(url);
  const parts = textOf('only').split(',');
  for (const part of parts) {
    if (PARTS.every((known) => known !== part)) {
      throw new OptionsError(`--only is "${part}": give some of ${PARTS.join(', ')}`);
    }
  }
  return {
    release: releaseNamed(textOf('release')),
    server,
    token: textOf('token'),
    ownServer: textOf('own-server'),
    ownToken: textOf('own-token'),
    parts: new Set(parts as Part[]),
    kinds: new Set(textOf('kinds').toLowerCase().split(',').filter(Boolean)),
    from: textOf('from').toLowerCase(),
    exclusive: given['exclusive'] === true,
    seed: wholeNumber('seed', textOf('seed'), 0, 0xffff_ffff),
    requests: wholeNumber('requests', textOf('requests'), 1, 10_000_000),
    lanes: wholeNumber('lanes', textOf('lanes'), 1, 32),
    report: textOf('report'),
    all: given['all'] === true,
  };
}

function releaseNamed(text: string): Release {
  try {
    return parseRelease(text);
  } catch (error) {
    throw new OptionsError((error as RangeError).message);
  }
}

function checkLoopback(text: string): void {
  if (text === '') return;
  if (!URL.canParse(text)) throw new OptionsError(`"${text}" is no URL`);
  const { hostname, protocol } = new URL(text);
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (isLoopback && /^https?:$/.test(protocol)) return;
  throw new OptionsError(`"${text}" is not a server on the loopback interface`);
}

function wholeNumber(name: FlagName, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= least && value <= most) return value;
  throw new OptionsError(`--${name} is "${text}": give a whole number from ${least} to ${most}`);
}
