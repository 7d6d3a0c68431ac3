/** `npm run backup`: a backup of all types as of one version (src/backup/README.md). */
import { createHash } from 'node:crypto';
import { backupFacts } from '../../src/backup-facts.ts';
import { BackupError } from '../../src/backup/backup-error.ts';
import { decodeFrame, type EndHead } from '../../src/backup/frames.ts';
import { backupFrames, newestVersion } from '../../src/backup/write-backup.ts';
import type { BackupBegun } from '../../src/front/front-protocol.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { OptionsError, parseOptions } from '../flags.ts';
import type { Output } from '../output.ts';
import { refusalOf, type Api } from './api.ts';
import { NewFile } from './new-file.ts';
import { megabytes, Progress } from './progress.ts';
import { findServer, TARGET_FLAGS, TARGET_HELP, textOf } from './target.ts';
import { exitCodeOf, ToolError } from './tool-error.ts';

const PATH = '/shardplane/backups';
/** A connection that breaks costs no backup. */
const TRIES_MAX = 3;

const HELP = [
  'Usage: npm run backup -- --to FILE [--data-dir FOLDER | --kubeconfig FILE]',
  '',
  'Writes a backup of all objects, settings and keys as of one version into a file. The server may',
  'run, and is written to meanwhile. The file holds all secrets of the server.',
  '',
  '  --to FILE           what is written; there is no such file before it is whole',
  ...TARGET_HELP,
  '',
].join('\n');

/** Runs with arguments; returns the exit code. */
export async function runBackup(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const given = parseOptions({ to: { value: 'FILE' }, ...TARGET_FLAGS }, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const to = textOf(given, 'to');
    if (to === '') throw new OptionsError('give --to FILE');
    const found = findServer(given);
    const file = new NewFile(to);
    try {
      const writer = new BackupWriter(file, output);
      if ('api' in found) await ofServer(found.api, writer);
      else await ofFolder(found.folder, writer);
      output.write(`${writer.finish(to)}\n`);
      return 0;
    } catch (error) {
      file.discard();
      throw error;
    } finally {
      if ('api' in found) found.api.close();
      else found.lock.release();
    }
  });
}

/** Checks what comes as it is written. */
class BackupWriter {
  readonly #file: NewFile;
  readonly #progress: Progress;
  readonly #hash = createHash('sha256');
  #records = 0;
  #version = 0;
  #end: EndHead | undefined;

  constructor(file: NewFile, output: Output) {
    this.#file = file;
    this.#progress = new Progress(output);
  }

  add(bytes: Buffer): void {
    const head = decodeFrame(bytes)?.head;
    if (head === undefined) throw new ToolError('what came is not what the server sent: try again');
    if (head.is === 'begin') this.#version = head.version;
    if (head.is === 'records') this.#records += head.records;
    if (head.is === 'end') this.#end = head;
    else this.#hash.update(bytes);
    this.#file.write(bytes);
    const { bytes: written } = this.#file;
    this.#progress.tell(
      () => `${this.#records} records, ${megabytes(written)}, as of version ${this.#version}`,
    );
  }

  /** Says what is in the file. */
  finish(name: string): string {
    const end = this.#end;
    if (end?.sha256 !== this.#hash.digest('hex')) {
      throw new ToolError('the backup has ended before all of it was there: try again');
    }
    this.#file.finish();
    const objects = end.logs.reduce((sum, log) => sum + log.objects, 0);
    return (
      `backed up ${objects} objects of ${end.logs.length} types as of version ${this.#version}, ` +
      `with ${this.#records} records of history, into ${name}: ${megabytes(this.#file.bytes)}`
    );
  }
}

async function ofServer(api: Api, writer: BackupWriter): Promise<void> {
  const { id } = await begin(api);
  try {
    for (let number = 0; ; number++) {
      const frame = await nextFrame(api, `${PATH}/${id}/${number}`);
      if (frame.length === 0) break;
      writer.add(frame);
    }
  } finally {
    await api.request('DELETE', `${PATH}/${id}`).catch(() => undefined);
  }
}

async function begin(api: Api): Promise<BackupBegun> {
  const answer = await api.request('POST', PATH);
  if (answer.status === 404) throw new ToolError('this server makes no backups');
  if (answer.status !== 201) throw new ToolError(refusalOf(answer));
  return JSON.parse(answer.body.toString()) as BackupBegun;
}

/** Empty after the last one. */
async function nextFrame(api: Api, path: string): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await api.request('GET', path);
      if (answer.status === 200 || answer.status === 204) return answer.body;
      throw new BackupError(refusalOf(answer));
    } catch (error) {
      if (!(error instanceof ToolError) || attempt === TRIES_MAX) throw error;
    }
  }
}

async function ofFolder(dataDir: string, writer: BackupWriter): Promise<void> {
  const store = openStore({ dataDir, durability: 'fsync' });
  try {
    const facts = backupFacts(dataDir, store.shared);
    const moment = store.moment();
    for (const frame of backupFrames(moment, newestVersion(moment), facts)) writer.add(frame);
  } finally {
    await store.close();
  }
}
