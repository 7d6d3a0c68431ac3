/**
 * The last lines that watches of one scope received, each with what it says. They all receive the
 * same lines in the same order: a watch whose next line has the same bytes as the line that another
 * one got at that place need not parse it. It makes following a thousand watches cheap, and never
 * decides anything: other bytes are parsed.
 */
import type { Scope } from './scope.ts';
import { readEvent } from './stream-event.ts';
import type { StreamEvent } from './stream-event.ts';

const LINES_MAX = 1_024;
/** When no watch has brought a new line for so long, none of them is in front of the others. */
const LEADERLESS_MS = 250;

interface Line {
  readonly position: number;
  readonly bytes: Buffer;
  readonly event: StreamEvent;
  readonly key: string;
}

export class StreamMemo {
  /** The place of the line that `read` gave last; the caller's cursor is one after it. */
  cursor = 0;
  readonly #scope: Scope;
  readonly #bytesMax: number;
  readonly #lines: (Line | undefined)[] = [];
  readonly #positions = new Map<string, number>();
  #oldest = 0;
  #next = 0;
  #bytes = 0;
  #grownAt = -Infinity;

  /** `bytesMax`: of the lines that it keeps; 0 for none. */
  constructor(scope: Scope, bytesMax: number) {
    this.#scope = scope;
    this.#bytesMax = bytesMax;
  }

  /** Reads a line of the watch whose cursor this is, and sets `cursor` to its next one. */
  read(buffer: Buffer, from: number, to: number, cursor: number, now: number): StreamEvent {
    const line = this.#lines[cursor % LINES_MAX];
    if (
      line !== undefined &&
      line.position === cursor &&
      line.bytes.length === to - from &&
      buffer.compare(line.bytes, 0, line.bytes.length, from, to) === 0
    ) {
      this.cursor = cursor + 1;
      return line.event;
    }
    this.cursor = cursor;
    const event = readEvent(buffer.toString('utf8', from, to), this.#scope);
    if (event.kind === 'change' && this.#bytesMax > 0) this.#keep(buffer, from, to, event, now);
    return event;
  }

  #keep(buffer: Buffer, from: number, to: number, event: StreamEvent, now: number): void {
    if (event.kind !== 'change' || event.problem !== '') return;
    const key = `${event.slot}.${event.seq}`;
    const found = this.#positions.get(key);
    if (found !== undefined) {
      this.cursor = found + 1;
      return;
    }
    // A watch that is behind must not push out the lines that the others are at.
    if (this.cursor !== this.#next && now - this.#grownAt < LEADERLESS_MS) return;
    const bytes = Buffer.from(buffer.subarray(from, to));
    const position = this.#next;
    this.#next += 1;
    this.#bytes += bytes.length;
    while (
      this.#oldest < position &&
      (position - this.#oldest >= LINES_MAX || this.#bytes > this.#bytesMax)
    ) {
      this.#forgetOldest();
    }
    this.#lines[position % LINES_MAX] = { position, bytes, event, key };
    this.#positions.set(key, position);
    this.#grownAt = now;
    this.cursor = this.#next;
  }

  #forgetOldest(): void {
    const at = this.#oldest % LINES_MAX;
    const line = this.#lines[at];
    this.#oldest += 1;
    if (line === undefined) return;
    this.#bytes -= line.bytes.length;
    this.#positions.delete(line.key);
    this.#lines[at] = undefined;
  }
}
