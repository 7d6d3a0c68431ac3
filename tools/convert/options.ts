/** The flags of `npm run convert`, checked. */
import type { Dialect } from '../../src/conversion/convert.ts';
import { neutralSpelling } from '../../src/conversion/convert.ts';
import { GROUP_VERSIONS } from '../../src/conversion/version-table.ts';
import { OptionsError, parseOptions } from '../flags.ts';

export interface Options {
  /** '-' for standard input. */
  readonly path: string;
  /** '' for what replaces each version. */
  readonly outputVersion: string;
  readonly dialect: Dialect;
  /** Files are written where they are, not to standard output. */
  readonly isInPlace: boolean;
}

const FLAGS = {
  filename: {
    value: 'FILE|FOLDER',
    short: 'f',
    help: 'what to convert: a file, all .yaml, .yml and .json below a folder, or - for stdin',
  },
  'output-version': {
    value: 'GROUP/VERSION',
    help: 'such as apps/v1; if absent, what replaces each version that is gone or is to go',
  },
  'in-place': { value: '', help: 'write the files themselves, not standard output' },
  'api-domain': {
    value: 'DOMAIN',
    help: 'cluster.io or k8s.io: of the names in files that do not show it (cluster.io)',
  },
} as const;

export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, flag]) => {
    const short = 'short' in flag ? `-${flag.short}, ` : '';
    return `  ${`${short}--${name} ${flag.value}`.padEnd(32)}${flag.help}`;
  });
  return `Usage: npm run --silent convert -- -f FILE|FOLDER [--output-version GROUP/VERSION]

Rewrites manifests from one version of the API to another: those that release 1.23 serves, and those
that releases since 1.16 have removed. What has another meaning or default in the other version is
said there, so that objects stay what they are. Objects of other kinds stay as they are written.
What cannot be kept is told on standard error; the exit code is then 1.

${flags.join('\n')}
  ${'-h, --help'.padEnd(32)}show this text
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`. */
export function readOptions(args: readonly string[]): Options | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const path = String(given['filename'] ?? '');
  if (path === '') throw new OptionsError('say what to convert: -f FILE, -f FOLDER or -f -');
  const outputVersion = String(given['output-version'] ?? '');
  if (outputVersion !== '' && !GROUP_VERSIONS.has(neutralSpelling(outputVersion))) {
    throw new OptionsError(
      `--output-version is "${outputVersion}": no kind is known that has such a version`,
    );
  }
  const dialect = String(given['api-domain'] ?? 'cluster.io');
  if (dialect !== 'cluster.io' && dialect !== 'k8s.io') {
    throw new OptionsError(`--api-domain is "${dialect}": give cluster.io or k8s.io`);
  }
  const isInPlace = given['in-place'] === true;
  if (isInPlace && path === '-') throw new OptionsError('--in-place needs a file or folder');
  return { path, outputVersion, dialect, isInPlace };
}
