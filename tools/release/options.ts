/** The flags of `npm run check:release`, checked. */
import { OptionsError, parseOptions } from '../flags.ts';

export interface ReleaseOptions {
  /** The folder `api` of the sources of a release. */
  readonly documents: string;
  /** 30 for 1.30. */
  readonly minor: number;
  /** '' where the tool starts one. */
  readonly server: string;
  readonly token: string;
  /** '' for none. */
  readonly facts: string;
  readonly all: boolean;
}

const FLAGS = {
  documents: { value: 'FOLDER', help: 'the folder "api" of the sources of a release' },
  release: { value: '1.N', help: 'its minor; by default that in the name of the folder' },
  server: { value: 'URL', help: 'compare this server, instead of one that is started' },
  token: { value: 'TOKEN', help: 'bearer token for --server' },
  facts: { value: 'FILE', help: 'start nothing: keep the facts of the documents there' },
  all: { value: '', help: 'show accepted differences too' },
} as const;

export function helpText(): string {
  const lines = Object.entries(FLAGS).map(([name, { value, help }]) => {
    return `  --${`${name} ${value}`.padEnd(22)}${help}`;
  });
  return `Usage: npm run check:release -- --documents FOLDER [options]

Starts the server as a release, with all that it can serve, and compares what it says of itself
(discovery in both forms, OpenAPI in both versions, but for descriptions) with the documents that
are published with the sources of that release: FOLDER has openapi-spec, and discovery where the
release has it. Allowed values are those of the types that are generated beside FOLDER, if there.

${lines.join('\n')}
  --${'help'.padEnd(22)}show this text

Such a folder is in the Go module of a release: go mod download -json k8s.io/kubernetes@v1.30.14
A difference is told as <here> → <published>. --facts keeps what the tests compare the server with:
it writes the facts of this release among those of the others.
Exit code: 0 when every difference is among the accepted ones (test/release/), else 1; 2 for a
wrong option, or when the server or a document is not there.
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`. */
export function readOptions(args: readonly string[]): ReleaseOptions | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const text = (name: keyof typeof FLAGS): string => String(given[name] ?? '');
  const documents = text('documents');
  if (documents === '') throw new OptionsError('which documents? Give --documents FOLDER');
  const server = text('server');
  if (server !== '' && !URL.canParse(server)) throw new OptionsError(`"${server}" is no URL`);
  return {
    documents,
    minor: minorOf(text('release'), documents),
    server,
    token: text('token'),
    facts: text('facts'),
    all: given['all'] === true,
  };
}

/** The release that is asked for, or that of a folder such as `kubernetes@v1.30.14/api`. */
function minorOf(release: string, folder: string): number {
  const ofFolder = /@v(1\.[0-9]+)\.[0-9]+(?:\/|$)/.exec(folder)?.[1] ?? '';
  const asked = release === '' ? ofFolder : release;
  const [, minor] = /^1\.([0-9]{1,3})$/.exec(asked) ?? [];
  if (minor !== undefined) return Number(minor);
  if (release === '') throw new OptionsError('of which release are they? Give --release 1.N');
  throw new OptionsError(`--release is "${release}": give one such as 1.30`);
}
