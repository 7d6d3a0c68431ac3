/**
 * A part of a backup on a server that runs, by ordinary writes: a server of the backup's state runs
 * beside it as long as the part is taken from that.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDS_WITH_PARENT, ServerOutput, twoFreePorts } from '../../src/base/child-server.ts';
import type { Output } from '../output.ts';
import type { Api } from './api.ts';
import { runExport } from './export.ts';
import { runImport } from './import.ts';
import { ToolError } from './tool-error.ts';

const READY_MS_MAX = 120_000;
const LOG_LENGTH_MAX = 4_096;
const PROGRAM = fileURLToPath(new URL('../../.build/main.js', import.meta.url));
const PUBLIC_GROUP = 'apiextensions.k8s.io';

export interface Part {
  /** Arguments that say which part it is, as those of an export. */
  readonly only: readonly string[];
  /** Arguments that say where it comes to, and how, as those of an import. */
  readonly to: readonly string[];
}

/** `writeFolder` writes the state of the backup into a folder. Returns the exit code. */
export async function restorePart(
  target: Api,
  { only, to }: Part,
  writeFolder: (folder: string) => Promise<void>,
  output: Output,
): Promise<number> {
  const likeTarget = await flagsOf(target);
  // Nobody else may look into it: the keys of the backup are in it.
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-part-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const leave = (): never => process.exit(1);
  process.once('exit', remove).once('SIGINT', leave).once('SIGTERM', leave);
  try {
    const dataDir = join(folder, 'data');
    const files = join(folder, 'part');
    await writeFolder(dataDir);
    const server = await started(dataDir, likeTarget);
    try {
      const code = await runExport(['--data-dir', dataDir, '--to', files, ...only], output);
      return code === 0 ? await runImport([files, ...to], output) : code;
    } finally {
      await ended(server);
    }
  } finally {
    remove();
    process.off('exit', remove).off('SIGINT', leave).off('SIGTERM', leave);
  }
}

/** The same names and versions as those of the server that gets the part. */
async function flagsOf(target: Api): Promise<readonly string[]> {
  const version = await target.json<{ major: string; minor: string }>('GET', '/version');
  const { groups } = await target.json<{ groups: readonly { name: string }[] }>('GET', '/apis');
  const isPublic = groups.some(({ name }) => name === PUBLIC_GROUP);
  return [
    `--api-domain=${isPublic ? 'k8s.io' : 'cluster.io'}`,
    `--release=${version.major}.${version.minor}`,
    '--allow-lower-release',
  ];
}

async function started(dataDir: string, flags: readonly string[]): Promise<ChildProcess> {
  const [port, securePort] = await twoFreePorts();
  const places = [`--data-dir=${dataDir}`, `--port=${port}`, `--secure-port=${securePort}`];
  const args = [ENDS_WITH_PARENT, PROGRAM, ...flags, ...places];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  try {
    await new ServerOutput(child, LOG_LENGTH_MAX).ready(READY_MS_MAX);
    return child;
  } catch (error) {
    await ended(child);
    throw new ToolError(`a server with the backup: ${(error as Error).message}`);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
