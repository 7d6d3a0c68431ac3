/** Backups that clients take of the running server, each made by a thread of its own. */
import { randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { JobPool } from '../actors/job-pool.ts';
import { portPair } from '../actors/ports.ts';
import { GATE, type BackupJob } from '../backup/backup-job.ts';
import type { BackupFacts } from '../backup/write-backup.ts';
import type { BackupBegun } from '../front/front-protocol.ts';
import { serviceUnavailable, StatusError, tooManyRequests } from '../semantics/errors/status.ts';
import type { StorePlace } from '../storage/open-store.ts';

/** Each keeps the pages of its moment from being used again. */
const BACKUPS_MAX = 4;
/** A client that asks for nothing so long has gone. */
const IDLE_MS_MAX = 60_000;
/** Frames that are made before they are asked for. */
const FRAMES_AHEAD = 2;
const ENOUGH = 2 ** 30;

export interface BackupsOptions {
  /** The program of the thread. */
  readonly entry: string;
  readonly place: StorePlace;
  readonly facts: () => BackupFacts;
  /** A version up to which all types have all changes, and how many objects there are. */
  readonly state: () => Promise<{ readonly version: number; readonly objects: number }>;
  readonly logError: (text: string) => void;
}

export class Backups {
  readonly #options: BackupsOptions;
  readonly #open = new Map<string, OpenBackup>();
  #beginning = 0;

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  /** Rejects with StatusError. */
  async begin(): Promise<BackupBegun> {
    if (this.#open.size + this.#beginning >= BACKUPS_MAX) throw tooManyRequests();
    const { entry, place, facts, state, logError } = this.#options;
    this.#beginning++;
    const { version, objects } = await state().finally(() => this.#beginning--);
    const id = randomUUID();
    const backup = new OpenBackup(entry, { place, version, facts: facts() }, (error) => {
      this.#open.delete(id);
      if (error !== undefined) logError(error.message);
    });
    this.#open.set(id, backup);
    return { id, version, objects };
  }

  /** The frame of that number; empty after the last one. Rejects with StatusError. */
  async frame(id: string, number: number): Promise<Uint8Array> {
    const backup = this.#open.get(id);
    if (backup === undefined) throw ended();
    return backup.frame(number);
  }

  end(id: string): void {
    this.#open.get(id)?.end();
  }

  /** Resolves when no thread reads from the store any more. */
  async stop(): Promise<void> {
    const all = [...this.#open.values()];
    for (const backup of all) backup.end();
    await Promise.all(all.map((backup) => backup.ended));
  }
}

/** One that is under way. */
class OpenBackup {
  readonly #jobs: JobPool;
  readonly #port: MessagePort;
  readonly #gate = new SharedArrayBuffer(8);
  readonly #cells = new Int32Array(this.#gate);
  readonly #frames: Uint8Array[] = [];
  /** Of the frame that was given last, which may be asked for once more. */
  #lastNumber = -1;
  #last: Uint8Array = new Uint8Array(0);
  #isMade = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;
  #idle: NodeJS.Timeout | undefined;
  #forget: () => void = () => undefined;
  readonly #unwanted = new Promise<void>((resolve) => (this.#forget = resolve));
  /** No thread of it reads any more, and nobody can ask for more. */
  readonly ended: Promise<void>;

  constructor(
    entry: string,
    job: Omit<BackupJob, 'port' | 'gate'>,
    onEnd: (error: Error | undefined) => void,
  ) {
    this.#jobs = new JobPool(entry);
    Atomics.store(this.#cells, GATE.wanted, FRAMES_AHEAD);
    const [mine, its] = portPair();
    this.#port = mine;
    mine.on('message', (frame: Uint8Array) => {
      this.#frames.push(frame);
      this.#wake();
    });
    mine.on('close', () => {
      this.#isMade = true;
      this.#wake();
    });
    this.#rest();
    this.ended = this.#run({ ...job, gate: this.#gate }, its).then(onEnd);
  }

  /** Resolves when its thread has ended, and nobody asks for more. */
  async #run(job: Omit<BackupJob, 'port'>, port: MessagePort): Promise<Error | undefined> {
    try {
      await this.#jobs.run('makeBackup', { ...job, port }, [port]);
    } catch (error) {
      this.#error = error as Error;
      this.#wake();
    }
    await this.#jobs.stop();
    // The last frames may not have been asked for.
    await this.#unwanted;
    clearTimeout(this.#idle);
    this.#port.close();
    return this.#error;
  }

  end(): void {
    Atomics.store(this.#cells, GATE.ended, 1);
    Atomics.store(this.#cells, GATE.wanted, ENOUGH);
    Atomics.notify(this.#cells, GATE.wanted);
    Atomics.notify(this.#cells, GATE.ended);
    this.#forget();
    this.#wake();
  }

  get #isEnded(): boolean {
    return Atomics.load(this.#cells, GATE.ended) === 1;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.end(), IDLE_MS_MAX).unref();
  }

  async frame(number: number): Promise<Uint8Array> {
    if (this.#isEnded) throw ended();
    this.#rest();
    if (number === this.#lastNumber) return this.#last;
    if (number !== this.#lastNumber + 1) {
      const message = `the next frame is ${this.#lastNumber + 1}, not ${number}`;
      throw new StatusError(409, 'Conflict', message);
    }
    const frame = await this.#next();
    this.#last = frame;
    this.#lastNumber = number;
    Atomics.add(this.#cells, GATE.wanted, 1);
    Atomics.notify(this.#cells, GATE.wanted);
    return frame;
  }

  async #next(): Promise<Uint8Array> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
      if (this.#error !== undefined) throw serviceUnavailable(this.#error.message);
      if (this.#isEnded) throw ended();
      if (this.#isMade) return new Uint8Array(0);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function ended(): StatusError {
  return new StatusError(404, 'NotFound', 'there is no such backup: it has ended, begin another');
}
