/**
 * One life of a data folder, recorded: it is served, with writes, killed, served again, stopped.
 * Whoever has the recording can ask what is on the disk when the power goes at any moment of it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Durability } from '../../src/storage/store.ts';
import type { Random } from '../../test/support/random.ts';
import { startServer } from '../../test/support/server.ts';
import type { Server } from '../../test/support/server.ts';
import { Clients, firstLook } from './clients.ts';
import { Disk, snapshotOf } from './disk.ts';
import type { Snapshot } from './disk.ts';
import { DEFINITION, DEFINITIONS, versionOf } from './history.ts';
import type { History } from './history.ts';
import { EVENT, readRecording, recorded } from './recording.ts';
import type { DiskEvent } from './recording.ts';

/** Kinds of events after which a file has other bytes. */
const CHANGES: readonly number[] = [EVENT.written, EVENT.cut, EVENT.renamed, EVENT.removed];
const PHASES = 3;
const PHASE_MS_MIN = 300;
const PHASE_MS_MORE = 900;
/** Much slower than the disks of servers; how much is left to chance. */
const FLUSH_MS_MAX = 20;

export interface LifeOptions {
  readonly durability: Durability;
  /** The library of the recorder. */
  readonly recorder: string;
  readonly log: string;
  /** The data folder, which may be there. */
  readonly folder: string;
}

export interface Life {
  readonly events: readonly DiskEvent[];
  readonly history: History;
  /** The disk as it was at first. */
  readonly disk: () => Disk;
}

export async function live(options: LifeOptions, random: Random): Promise<Life> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const snapshot = snapshotOf(options.folder);
  const history: History = {
    types: new Map(),
    answered: [],
    shown: [],
    readyNs: undefined,
    token: '',
  };
  const recording = new Recording(options, snapshot);
  for (let phase = 1; phase <= PHASES; phase++) {
    await served(options, history, random, phase === PHASES ? 'stop' : 'kill');
    recording.check();
  }
  checkComplete(history);
  return { events: recording.events, history, disk: () => new Disk(options.folder, snapshot) };
}

/** A server that is killed loses nothing. Throws where a write was answered and nobody saw it. */
function checkComplete(history: History): void {
  for (const write of history.answered) {
    const { type, key } = write;
    const version = versionOf(history, write);
    const changes = history.types.get(type)?.changes ?? [];
    if (changes.some((one) => one.key === key && one.version === version)) continue;
    throw new Error(`version ${version} of ${type} ${key} was lost when the server was killed`);
  }
}

async function served(
  { folder, recorder, log, durability }: LifeOptions,
  history: History,
  random: Random,
  end: 'kill' | 'stop',
): Promise<void> {
  const flushMs = random.below(2) * random.below(FLUSH_MS_MAX);
  const server = await startServer({
    dataDirectory: folder,
    args: ['--durability', durability],
    environment: recorded(recorder, { folder, log, flushMs }),
  });
  try {
    history.readyNs ??= process.hrtime.bigint();
    history.token = server.token;
    await defineParts(server);
    await firstLook(server, history);
    const clients = new Clients(server, history, random.below(2 ** 31));
    await clients.start();
    await sleep(PHASE_MS_MIN + random.below(PHASE_MS_MORE));
    if (end === 'stop') await clients.finish();
    const exit = end === 'stop' ? await server.stop() : await server.kill();
    await clients.close();
    if (end === 'stop' && exit.code !== 0) throw new Error(`it ended with ${exit.stderr}`);
  } finally {
    server.closeConnections();
    await server.kill();
  }
}

async function defineParts(server: Server): Promise<void> {
  const { status, text } = await server.post(DEFINITIONS, DEFINITION);
  if (status !== 201 && status !== 409) throw new Error(text);
  const path = `${DEFINITIONS}/${DEFINITION.metadata.name}`;
  for (;;) {
    const { json } = await server.get(path);
    const conditions: { type: string; status: string }[] = json.status?.conditions ?? [];
    if (conditions.some((one) => one.type === 'Established' && one.status === 'True')) return;
    await sleep(5);
  }
}

/** Grows with each phase, and is compared with the folder after each. */
class Recording {
  readonly #options: LifeOptions;
  readonly #snapshot: Snapshot;
  /** Events that were written down and did not happen. */
  readonly #void = new Set<number>();

  constructor(options: LifeOptions, snapshot: Snapshot) {
    this.#options = options;
    this.#snapshot = snapshot;
  }

  get events(): readonly DiskEvent[] {
    return readRecording(this.#options.log).filter(({ index }) => !this.#void.has(index));
  }

  /** Throws when the folder has what was not recorded. */
  check(): void {
    if (this.#differences().length === 0) return;
    const last = this.events.findLast(({ kind }) => CHANGES.includes(kind));
    if (last !== undefined) this.#void.add(last.index);
    const [first] = this.#differences();
    if (first !== undefined) {
      throw new Error(`${join(this.#options.folder, first)} is not as it was recorded`);
    }
  }

  #differences(): readonly string[] {
    const disk = new Disk(this.#options.folder, this.#snapshot);
    for (const event of this.events) disk.apply(event);
    return disk.differences();
  }
}
