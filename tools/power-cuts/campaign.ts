/** Lives of a data folder, and power cuts at random moments of them. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../src/storage/store.ts';
import { Random } from '../../test/support/random.ts';
import type { Disk } from './disk.ts';
import { live } from './life.ts';
import type { Life } from './life.ts';
import { compileRecorder, EVENT } from './recording.ts';
import type { DiskEvent } from './recording.ts';
import { judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';

const CUTS_PER_LIFE = 5;
/** A flush of what was written comes before one of what says so, of which the last may be half. */
const FLUSHES_BACK = 3;
/** After these something is on the disk that was not, or is about to be. */
const TURNS: readonly number[] = [
  EVENT.flushBegan,
  EVENT.flushEnded,
  EVENT.renamed,
  EVENT.folderMade,
];

export interface CampaignOptions {
  readonly durability: Durability;
  readonly cuts: number;
  readonly seed: number;
  /** Folders that were found broken stay. */
  readonly keeps: boolean;
}

export interface Outcome {
  readonly broken: number;
  /** The longest time that any cut lost. */
  readonly lostMsMax: number;
}

export class Campaign {
  readonly #options: CampaignOptions;
  readonly #random: Random;
  readonly #say: (line: string) => void;
  readonly #work: string;
  readonly #recorder: string;
  /** The folder that the next life begins with. */
  readonly #next: string;
  #cuts = 0;
  #broken = 0;
  #lostMsMax = 0;

  constructor(options: CampaignOptions, say: (line: string) => void) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#say = say;
    this.#work = mkdtempSync(join(tmpdir(), 'shardplane-cuts-'));
    this.#next = join(this.#work, 'next');
    this.#recorder = compileRecorder(this.#work);
  }

  async run(): Promise<Outcome> {
    try {
      for (let number = 1; this.#cuts < this.#options.cuts; number++) await this.#live(number);
    } finally {
      rmSync(this.#work, { recursive: true, force: true });
    }
    return { broken: this.#broken, lostMsMax: this.#lostMsMax };
  }

  /** The first life begins with nothing, another one with what a cut left. */
  async #live(number: number): Promise<void> {
    const { durability, cuts } = this.#options;
    const root = join(this.#work, `life-${number}`);
    const folder = join(root, 'data');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (existsSync(this.#next)) cpSync(this.#next, folder, { recursive: true });
    const options = { durability, recorder: this.#recorder, log: join(root, 'log'), folder };
    const life = await live(options, this.#random);
    const moments = momentsOf(life, Math.min(CUTS_PER_LIFE, cuts - this.#cuts), this.#random);
    const disk = life.disk();
    for (const event of life.events) {
      disk.apply(event);
      if (moments.has(event)) await this.#cut(life, event, disk, join(root, `at-${event.index}`));
    }
    rmSync(root, { recursive: true, force: true });
  }

  async #cut(life: Life, event: DiskEvent, disk: Disk, folder: string): Promise<void> {
    const how = disk.writeAfterLoss(folder, this.#random);
    const untouched = `${folder}-untouched`;
    cpSync(folder, untouched, { recursive: true });
    const durability = this.#random.pick<Durability>(['fsync', 'relaxed']);
    const { timeNs } = event;
    const promisedNs = this.#promisedNs(life, event);
    const verdict = await judge({ folder, durability, timeNs, promisedNs }, life.history);
    this.#cuts++;
    this.#lostMsMax = Math.max(this.#lostMsMax, verdict.lostMs);
    const when = `event ${event.index} of ${life.events.length}`;
    this.#tell(`${when}, ${how}, opened with ${durability}`, verdict);
    if (verdict.violations.length === 0) {
      rmSync(this.#next, { recursive: true, force: true });
      renameSync(folder, this.#next);
      return;
    }
    this.#broken++;
    if (!this.#options.keeps) return;
    const kept = `${mkdtempSync(join(tmpdir(), 'shardplane-broken-'))}/data`;
    cpSync(untouched, kept, { recursive: true });
    this.#say(`     kept in ${kept}`);
  }

  #tell(how: string, { violations, lostMs, lostWrites }: Verdict): void {
    const lost = lostWrites > 0 ? `, lost ${lostWrites} writes of ${lostMs.toFixed(0)} ms` : '';
    const result = violations.length === 0 ? 'ok  ' : 'FAIL';
    this.#say(`${result} ${this.#options.durability} cut ${this.#cuts}: ${how}${lost}`);
    for (const violation of violations) this.#say(`     ${violation}`);
  }

  /** Writes that were answered before must be there. */
  #promisedNs({ events }: Life, { index, timeNs }: DiskEvent): bigint {
    if (this.#options.durability === 'fsync') return timeNs;
    const past = events.filter((one) => one.index <= index);
    const ended = past.filter(({ kind, path }) => kind === EVENT.flushEnded && path === '');
    const flush = ended.at(-FLUSHES_BACK);
    const began = past.find(
      ({ kind, file, ticket }) =>
        kind === EVENT.flushBegan && file === flush?.file && ticket === flush.ticket,
    );
    return began?.timeNs ?? 0n;
  }
}

/** Half of them at any event, half where something turns. */
function momentsOf({ events }: Life, count: number, random: Random): ReadonlySet<DiskEvent> {
  const turns = events.filter(({ kind }) => TURNS.includes(kind));
  const moments = new Set<DiskEvent>();
  while (moments.size < count) {
    const choices = random.fraction() < 0.5 ? events : turns;
    const event = choices[random.below(choices.length)];
    if (event !== undefined) moments.add(event);
  }
  return moments;
}
