/** Which server a command talks to. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { credentialFiles } from '../../src/auth/credentials.ts';
import { FolderInUseError, openDataFolder, type DataFolder } from '../../src/data-folder.ts';
import type { GivenFlags } from '../../src/base/options/parse-flags.ts';
import { OptionsError, parseOptions, type Flag } from '../flags.ts';
import { readKubeconfig } from '../soak/kubeconfig.ts';
import { Api } from './api.ts';
import { ToolError } from './tool-error.ts';

export const DEFAULT_DATA_DIR = './.shardplane';

export const TARGET_FLAGS: Readonly<Record<string, Flag>> = {
  'data-dir': { value: 'FOLDER' },
  kubeconfig: { value: 'FILE' },
  context: { value: 'NAME' },
};

export const TARGET_HELP = [
  '  --data-dir FOLDER   of a server on this machine (default ./.shardplane)',
  '  --kubeconfig FILE   of the administrator of a server anywhere',
  '  --context NAME      of that file, where it is not the current one',
];

/** Flags behind one argument that is none; '' where there is no such argument. */
export function parseWithFirst(
  flags: Readonly<Record<string, Flag>>,
  args: readonly string[],
): { readonly first: string; readonly given: GivenFlags } {
  const [first = ''] = args;
  const isFlag = first.startsWith('-');
  return {
    first: isFlag ? '' : first,
    given: parseOptions(flags, isFlag ? args : args.slice(1)),
  };
}

/** A text that was given; '' for none. */
export function textOf(given: GivenFlags, name: string): string {
  const text = given[name];
  return typeof text === 'string' ? text : '';
}

/** The running server; a folder of one that does not run is locked for this process. */
export type ServerOrFolder =
  { readonly api: Api } | { readonly folder: string; readonly lock: DataFolder };

/** Throws ToolError, TargetError and OptionsError. */
export function findServer(given: GivenFlags): ServerOrFolder {
  const kubeconfig = textOf(given, 'kubeconfig');
  const dataDir = textOf(given, 'data-dir');
  if (kubeconfig !== '') {
    if (dataDir !== '') throw new OptionsError('give one of --data-dir and --kubeconfig');
    return { api: new Api(readKubeconfig(kubeconfig, textOf(given, 'context'))) };
  }
  const folder = dataDir || DEFAULT_DATA_DIR;
  if (!existsSync(join(folder, 'lock'))) {
    throw new ToolError(`${folder} is no data folder: give --data-dir or --kubeconfig`);
  }
  try {
    return { folder, lock: openDataFolder(folder) };
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { api: new Api(readKubeconfig(credentialFiles(folder).kubeconfig, '')) };
  }
}

/** The kubeconfig of a server that has to run. Throws as `findServer` does. */
export function findKubeconfig(given: GivenFlags): { file: string; context: string } {
  findRunning(given).close();
  const file = textOf(given, 'kubeconfig');
  if (file !== '') return { file, context: textOf(given, 'context') };
  const folder = textOf(given, 'data-dir') || DEFAULT_DATA_DIR;
  return { file: credentialFiles(folder).kubeconfig, context: '' };
}

/** A server that has to run. Throws as `findServer` does. */
export function findRunning(given: GivenFlags): Api {
  const found = findServer(given);
  if ('api' in found) return found.api;
  found.lock.release();
  throw new ToolError(`no server runs on ${found.folder}: start it first`);
}
