/**
 * Records where the values and lengths of a message lie in its text and in its bytes while it is
 * transcoded. From its bytes, messages that differ only in values can then be made. Places are
 * counted from the start of the text and of the bytes.
 */

/** Cells of a value: where its text and its bytes begin and end, and the frame that it lies in. */
export const VALUE_CELLS = 5;
export const TEXT_FROM = 0;
export const TEXT_TO = 1;
export const FROM = 2;
export const TO = 3;
export const FRAME = 4;

/**
 * The cells of a frame, which is a run of bytes with its length in front: where the length lies,
 * and how many bytes it counts.
 */
export const FRAME_CELLS = 3;
export const AT = 0;
export const LENGTH = 1;
/**
 * The cell with the frame around it. The first frame is that of the message itself, and lies in
 * none.
 */
export const PARENT = 2;
export const NO_FRAME = -1;

/** A message with more values is too long to be a template. */
const VALUES_MAX = 1_000;

/** `T` is the target of the values. One trace serves message after message. */
export class Trace<T> {
  /** In the order of the text. */
  readonly #values: number[] = [];
  readonly #writes: ((target: T) => void)[] = [];
  readonly #frames: number[] = [];
  #valuesCount = 0;
  #framesEnd = 0;
  #innermost = NO_FRAME;
  #textStart = 0;
  #start = 0;
  #isComplete = true;

  begin(textStart: number, start: number): void {
    this.#textStart = textStart;
    this.#start = start;
    this.#valuesCount = 0;
    this.#framesEnd = 0;
    this.#innermost = NO_FRAME;
    this.#isComplete = true;
    this.open(start);
  }

  /** False when the message has more values than were recorded. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get values(): number[] {
    return this.#values.slice(0, VALUE_CELLS * this.#valuesCount);
  }

  /** The functions that write the values, in their order. */
  get writes(): ((target: T) => void)[] {
    return this.#writes.slice(0, this.#valuesCount);
  }

  get frames(): number[] {
    return this.#frames.slice(0, this.#framesEnd);
  }

  /** Stops recording: there are too many values, or the bytes of some have moved. */
  giveUp(): void {
    this.#isComplete = false;
  }

  /** Begins a frame: the bytes from now on lie behind a length at this place. */
  open(at: number): void {
    if (!this.#isComplete) return;
    const frames = this.#frames;
    const frame = this.#framesEnd;
    frames[frame + AT] = at - this.#start;
    frames[frame + LENGTH] = 0;
    frames[frame + PARENT] = this.#innermost;
    this.#innermost = frame;
    this.#framesEnd = frame + FRAME_CELLS;
  }

  /** Ends the frame that was opened last, which is so long. */
  close(length: number): void {
    if (!this.#isComplete) return;
    const frame = this.#innermost;
    this.#frames[frame + LENGTH] = length;
    this.#innermost = this.#frames[frame + PARENT] as number;
  }

  add(
    write: (target: T) => void,
    textFrom: number,
    textTo: number,
    from: number,
    to: number,
  ): void {
    const index = this.#valuesCount;
    if (index === VALUES_MAX) this.giveUp();
    if (!this.#isComplete) return;
    const values = this.#values;
    const cell = VALUE_CELLS * index;
    values[cell + TEXT_FROM] = textFrom - this.#textStart;
    values[cell + TEXT_TO] = textTo - this.#textStart;
    values[cell + FROM] = from - this.#start;
    values[cell + TO] = to - this.#start;
    values[cell + FRAME] = this.#innermost;
    this.#writes[index] = write;
    this.#valuesCount = index + 1;
  }

  /** Bytes from `start` on were moved: `by` says how far, by where they were. */
  move(start: number, by: (at: number) => number): void {
    if (!this.#isComplete) return;
    const values = this.#values;
    const frames = this.#frames;
    const base = this.#start;
    // Later values lie further back in the output, so that this can stop at the first before
    // `start`.
    for (let cell = VALUE_CELLS * (this.#valuesCount - 1); cell >= 0; cell -= VALUE_CELLS) {
      const from = values[cell + FROM] as number;
      if (from + base < start) break;
      const moved = by(from + base);
      values[cell + FROM] = from + moved;
      values[cell + TO] = (values[cell + TO] as number) + moved;
    }
    for (let frame = this.#framesEnd - FRAME_CELLS; frame >= 0; frame -= FRAME_CELLS) {
      const at = frames[frame + AT] as number;
      if (at + base < start) break;
      frames[frame + AT] = at + by(at + base);
    }
  }
}
