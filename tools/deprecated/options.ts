/** The flags of `npm run check-deprecated`, checked. */
import { targetFrom, type Credentials, type Target } from '../soak/target.ts';
import { readKubeconfig } from '../soak/kubeconfig.ts';
import { OptionsError, parseOptions } from '../flags.ts';
import { FileError, readManifest } from '../manifest-files.ts';

export interface Options {
  /** It looks at manifests, '' for none, or at a server. */
  readonly path: string;
  readonly target: Target | undefined;
  /** Minor of the release up to which uses count; Infinity for all. */
  readonly upTo: number;
}

const FLAGS = {
  server: { value: 'URL', help: 'look at the objects and metrics of a running server' },
  'token-file': { value: 'FILE', help: 'with --server: the token to show' },
  'certificate-authority': { value: 'FILE', help: 'with --server: who signed its certificate' },
  'insecure-skip-tls-verify': { value: '', help: 'with --server: trust any certificate' },
  kubeconfig: { value: 'FILE', help: 'which server, and as whom' },
  release: {
    value: '1.N',
    help: 'what is gone in that release, and what it has instead; if absent, in any',
  },
} as const;

export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, { value, help }]) => {
    return `  --${`${name} ${value}`.padEnd(28)}${help}`;
  });
  return `Usage: npm run --silent check-deprecated -- FOLDER
   or: npm run --silent check-deprecated -- --server URL | --kubeconfig FILE

Tells which manifests, or which objects of a running server, name versions of the API that are
gone or are to go, in which release, and what replaces them: by the version of a manifest, by who
wrote an object, by what was applied last, and by what a server was asked for since its start. A
server is asked for no such version: of a type without another one it tells how many objects there
are, as long as it has metrics. The exit code is 1 when there are any, and 2 when not all could be
looked at.

${flags.join('\n')}
  --${'help'.padEnd(28)}show this text
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`, `TargetError`. */
export function readOptions(args: readonly string[]): Options | undefined {
  const [first = ''] = args;
  const hasPath = first !== '' && (first === '-' || !first.startsWith('-'));
  const given = parseOptions(FLAGS, hasPath ? args.slice(1) : args);
  if (given['help'] === true) return undefined;
  const text = (name: string): string => String(given[name] ?? '');
  const server = text('server');
  const kubeconfig = text('kubeconfig');
  if ([hasPath, server !== '', kubeconfig !== ''].filter(Boolean).length !== 1) {
    throw new OptionsError('give one of a FOLDER, --server and --kubeconfig');
  }
  const release = text('release');
  if (release !== '' && !/^1\.[0-9]{1,3}$/.test(release)) {
    throw new OptionsError(`--release is "${release}": give one such as 1.25`);
  }
  const upTo = release === '' ? Infinity : Number(release.slice(2));
  if (hasPath) return { path: first, target: undefined, upTo };
  if (kubeconfig !== '') {
    const found = readKubeconfig(kubeconfig, '');
    return { path: '', target: targetFrom(found.server, found.credentials), upTo };
  }
  const credentials: Credentials = {
    token: fileText(text('token-file')).trim(),
    certificateAuthority: fileText(text('certificate-authority')),
    clientCertificate: '',
    clientKey: '',
    skipTlsVerify: given['insecure-skip-tls-verify'] === true,
    tlsServerName: '',
  };
  return { path: '', target: targetFrom(server, credentials), upTo };
}

function fileText(file: string): string {
  if (file === '') return '';
  try {
    return readManifest(file);
  } catch (error) {
    if (error instanceof FileError) throw new OptionsError(error.message);
    throw error;
  }
}
