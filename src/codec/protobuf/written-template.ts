/**
 * A written message as the template of messages that differ from it only in values. Equal text is
 * compared natively and its bytes are copied; only values that ever differed are read. A message
 * that differs in anything else is transcoded in full by the caller.
 */
import {
  AT,
  FRAME,
  FROM,
  LENGTH,
  NO_FRAME,
  PARENT,
  TEXT_FROM,
  TEXT_TO,
  TO,
  VALUE_CELLS,
} from './transcode-trace.ts';
import type { Trace } from './transcode-trace.ts';
import { CLOSE_BRACKET, NULL_START, varintBytes } from './transcoding.ts';
import type { Transcoding } from './transcoding.ts';

const WORD_BYTES = 4;
/** Fewer are compared faster by a loop. */
const COMPARED_NATIVELY_MIN = 192;

/**
 * The most messages that one template serves. After so many, objects of another workload may
 * follow, whose values are equal among themselves but differ from those here.
 */
const USES_MAX = 128;

/** Marks a length that did not move. */
const IN_PLACE = -1;

/** A value that is written anew each time. */
interface Change {
  readonly textFrom: number;
  readonly textTo: number;
  /** Where its bytes begin in the template. */
  readonly from: number;
  readonly to: number;
  readonly frame: number;
  readonly write: (target: Transcoding) => void;
  /** Its place among all bytes that are written anew. */
  start: number;
  end: number;
}

export class WrittenTemplate {
  /** The text of the message, and behind it the message with its length. */
  readonly #kept: Buffer;
  readonly #view: DataView;
  readonly #textLength: number;
  readonly #values: readonly number[];
  readonly #writes: readonly Change['write'][];
  readonly #frames: readonly number[];
  /** In the order of the text. */
  readonly #changes: Change[] = [];
  /** These changes in the order of their bytes. */
  #placed: readonly Change[] = [];
  /** The frames that hold values of other lengths, how much longer they are, and where they lie. */
  readonly #resized: number[] = [];
  #grown: number[] = [];
  #uses = 0;
  #movedTo: number[] = [];

  /**
   * Keeps the message that was just written: its text began at `textStart`, its bytes at `start`.
   */
  constructor(
    { source, at, out, end }: Transcoding,
    textStart: number,
    start: number,
    { values, writes, frames }: Trace<Transcoding>,
  ) {
    const textLength = at - textStart;
    this.#kept = Buffer.allocUnsafeSlow(textLength + end - start);
    source.copy(this.#kept, 0, textStart, at);
    out.copy(this.#kept, textLength, start, end);
    this.#view = new DataView(this.#kept.buffer);
    this.#textLength = textLength;
    this.#values = values;
    this.#writes = writes;
    this.#frames = frames;
  }

  /** Writes the message that is next, and steps over it, if it differs in values alone. */
  write(target: Transcoding): boolean {
    if (this.#uses === USES_MAX) return false;
    const { at, end } = target;
    if (this.#writeChanges(target) && this.#writeAround(target, end)) {
      this.#uses += 1;
      return true;
    }
    target.goBack(at, end);
    return false;
  }

  /** Steps over the text and writes the changes, one after the other. */
  #writeChanges(target: Transcoding): boolean {
    const changes = this.#changes;
    const { end: start } = target;
    let from = 0;
    for (let index = 0; ; index += 1) {
      let change = changes[index];
      const to = change === undefined ? this.#textLength : change.textFrom;
      const differsAt = this.#differsAt(target, from, to);
      if (differsAt < to) {
        change = this.#changeAt(from, differsAt);
        if (change === undefined) return false;
        changes.splice(index, 0, change);
      }
      if (change === undefined) {
        target.at += to - from;
        return true;
      }
      target.at += change.textFrom - from;
      const first = target.source[target.at];
      // The value is missing in this text.
      if (first === undefined || first === NULL_START || first === CLOSE_BRACKET) return false;
      target.room(0);
      change.start = target.end - start;
      change.write(target);
      change.end = target.end - start;
      from = change.textTo;
    }
  }

  /** The value after `from` in which the text differs there. */
  #changeAt(from: number, differsAt: number): Change | undefined {
    const values = this.#values;
    const cellOf = (index: number, cell: number): number =>
      values[VALUE_CELLS * index + cell] as number;
    let index = 0;
    for (let past = this.#writes.length; index < past;) {
      const middle = (index + past) >>> 1;
      // A number that is longer here differs at its end.
      if (cellOf(middle, TEXT_TO) < differsAt) index = middle + 1;
      else past = middle;
    }
    const write = this.#writes[index];
    const textFrom = cellOf(index, TEXT_FROM);
    if (write === undefined || textFrom < from || textFrom > differsAt) return undefined;
    return {
      textFrom,
      textTo: cellOf(index, TEXT_TO),
      from: cellOf(index, FROM),
      to: cellOf(index, TO),
      frame: cellOf(index, FRAME),
      write,
      start: 0,
      end: 0,
    };
  }

  /** The first byte between the two in which the text that is next differs; `to` when none does. */
  #differsAt({ source, view, at, limit }: Transcoding, from: number, to: number): number {
    const kept = this.#kept;
    const words = this.#view;
    const ahead = at - from;
    let same = from;
    let end = Math.min(to, limit - ahead);
    for (let stop = end; end - same >= COMPARED_NATIVELY_MIN; stop = (same + end) >>> 1) {
      if (kept.compare(source, same + ahead, stop + ahead, same, stop) !== 0) end = stop;
      else if (stop === end) return stop;
      else same = stop;
    }
    while (
      same + WORD_BYTES <= end &&
      words.getInt32(same, true) === view.getInt32(same + ahead, true)
    ) {
      same += WORD_BYTES;
    }
    while (same < end && kept[same] === source[same + ahead]) same += 1;
    return same;
  }

  /** Puts the bytes of the template around the changes, which were written at `start`. */
  #writeAround(target: Transcoding, start: number): boolean {
    const kept = this.#kept;
    const first = this.#textLength;
    if (this.#placed.length < this.#changes.length) {
      this.#placed = this.#changes.toSorted((a, b) => a.from - b.from);
    }
    const placed = this.#placed;
    const written = target.takeBack(start);
    target.room(kept.length - first + written.length);
    let copied = first;
    for (let index = 0; index < placed.length; index += 1) {
      const change = placed[index] as Change;
      const from = first + change.from;
      target.bytes(kept, copied, from);
      copied = first + change.to;
      const grown = change.end - change.start - (copied - from);
      if (grown !== 0) this.#resize(change.frame, target.end - change.from, grown);
      target.bytes(written, change.start, change.end);
    }
    target.bytes(kept, copied, kept.length);
    return this.#writeLengths(target);
  }

  /**
   * Adds the growth of a value to the frames around it. A frame that has held no changed value so
   * far has moved as far as this value.
   */
  #resize(innermost: number, moved: number, grown: number): void {
    const frames = this.#frames;
    if (this.#grown.length === 0) {
      this.#grown = frames.map(() => 0);
      this.#movedTo = frames.map(() => IN_PLACE);
    }
    for (let frame = innermost; frame !== NO_FRAME; frame = frames[frame + PARENT] as number) {
      if (this.#movedTo[frame] === IN_PLACE) {
        this.#movedTo[frame] = (frames[frame + AT] as number) + moved;
        this.#resized.push(frame);
      }
      this.#grown[frame] = (this.#grown[frame] as number) + grown;
    }
  }

  /** False when a length takes more or fewer bytes than in the template. */
  #writeLengths(target: Transcoding): boolean {
    const { end } = target;
    let isWritten = true;
    for (let index = 0; index < this.#resized.length; index += 1) {
      const frame = this.#resized[index] as number;
      const before = this.#frames[frame + LENGTH] as number;
      const length = before + (this.#grown[frame] as number);
      if (varintBytes(length) === varintBytes(before)) {
        target.end = this.#movedTo[frame] as number;
        target.varint(length);
      } else isWritten = false;
      this.#grown[frame] = 0;
      this.#movedTo[frame] = IN_PLACE;
    }
    this.#resized.length = 0;
    target.end = end;
    return isWritten;
  }
}
