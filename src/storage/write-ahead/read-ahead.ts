/** What the write-ahead logs of an earlier run hold: it may be in the store already, or not. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry } from '../store.ts';
import { groupsFrom, readGroup, type Append, type GroupPlace, type ReadGroup } from './group.ts';
import { AHEAD_FOLDER } from './write-ahead.ts';

/** What the store of a log may lack. */
export interface LogAhead {
  /** In the order of their versions, as the store has them; none that has left the log since. */
  readonly entries: readonly LogEntry[];
  readonly removal: { readonly rvs: ReadonlySet<number>; readonly horizon: number } | undefined;
}

/** The files in the folder of a store. */
export function aheadFiles(folder: string): string[] {
  const ahead = join(folder, AHEAD_FOLDER);
  return existsSync(ahead) ? readdirSync(ahead).map((name) => join(ahead, name)) : [];
}

/**
 * Reads all files, by the names of logs. Records leave a log after they came, and versions only
 * grow: so neither the order of the files nor what was done already makes a difference. `onDamage`
 * is told a file in which groups stand behind one that cannot be read.
 */
export function readAhead(
  files: readonly string[],
  onDamage: (file: string) => void,
): ReadonlyMap<string, LogAhead> {
  const segments = files.map((file) => new ReadSegment(file));
  const logs = new Map<string, LogBuilder>();
  for (const segment of segments) {
    for (const append of segment.appends) {
      const log = logs.get(append.log) ?? new LogBuilder();
      logs.set(append.log, log);
      log.add(append);
    }
    const { thread } = segment;
    const other = segments.find((one) => one !== segment && one.thread === thread);
    if (segment.isDamaged(other)) onDamage(segment.file);
  }
  return new Map([...logs].map(([name, log]) => [name, log.finish()]));
}

/** One file: the groups from its start on. What may follow is of an earlier use of the file. */
class ReadSegment {
  readonly file: string;
  readonly thread: string;
  readonly appends: Append[] = [];
  readonly #bytes: Buffer;
  /** Where the last group stands; undefined where there is none. */
  #last: GroupPlace | undefined;
  #end = 0;

  constructor(file: string) {
    this.file = file;
    this.thread = file.slice(0, -1);
    this.#bytes = readFileSync(file);
    for (let group = this.#next(); group !== undefined; group = this.#next()) {
      for (const append of group.appends) this.appends.push(append);
      this.#last = group;
      this.#end = group.end;
    }
  }

  #next(): ReadGroup | undefined {
    const group = readGroup(this.#bytes, this.#end);
    const { number, use } = this.#last ?? { number: -1, use: group?.use };
    return group?.use === use && group?.number === number + 1 ? group : undefined;
  }

  get use(): bigint | undefined {
    return this.#last?.use;
  }

  /**
   * Whether groups stand behind one that cannot be read. One is written when the one before is on
   * the disk: so what a power cut has left of the last one has nothing behind it. Where not even
   * the first can be read, what follows it is of an earlier use when it is older than the other
   * file of the thread.
   */
  isDamaged(other: ReadSegment | undefined): boolean {
    const last = this.#last;
    const otherUse = other?.use ?? -1n;
    return groupsFrom(this.#bytes, this.#end).some(({ number, use }) =>
      last === undefined ? use > otherUse : use === last.use && number > last.number,
    );
  }
}

class LogBuilder {
  readonly #entries = new Map<number, LogEntry>();
  readonly #removed = new Set<number>();
  #horizon = -1;

  add({ entries, removal }: Append): void {
    for (const entry of entries) this.#entries.set(entry.rv, entry);
    if (removal === undefined) return;
    this.#horizon = Math.max(this.#horizon, removal.horizon);
    for (let index = 0; index < removal.rvs.length; index++) {
      this.#removed.add(removal.rvs[index] ?? 0);
    }
  }

  finish(): LogAhead {
    const entries = [...this.#entries.values()]
      .filter(({ rv }) => !this.#removed.has(rv))
      .sort((a, b) => a.rv - b.rv);
    const removal = this.#horizon < 0 ? undefined : { rvs: this.#removed, horizon: this.#horizon };
    return { entries, removal };
  }
}

/** Removes them: the store in that folder has all of it. */
export function removeAhead(folder: string): void {
  rmSync(join(folder, AHEAD_FOLDER), { recursive: true, force: true });
}
