/**
 * Counts the events of one watch in the bytes of its answer, and checks that they are in order. An
 * event counts when its chunk has ended, as strict clients see it.
 */
import { ChunkReader } from './chunk-reader.ts';
import { FORMS, repeatsVersions, type FormName } from './representation-forms.ts';
import { versionOfEvent } from './representation-items.ts';

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
const VERSION = /"resourceVersion":"(\d+)"/g;
/** A version with its name is shorter. */
const VERSION_CHARACTERS_MAX = 48;
/** A frame begins with its length: an unsigned big-endian number; the event's type follows. */
const LENGTH_BYTES = 4;
const TYPE_TAG = 0x0a;

export interface EventReader {
  readonly events: number;
  /** Events whose version is not above that of the one before. */
  readonly disorders: number;
  /** Body bytes with the framing of their chunks. Throws for what is no event. */
  read(buffer: Buffer, at: number, end: number): void;
  /** Counts from 0 again. */
  reset(): void;
}

/** `sampled`: reads the version of each event. */
export function eventReader(form: FormName, sampled: boolean): EventReader {
  if (FORMS[form].encoding === 'protobuf') return new FrameReader(sampled);
  return new LineReader(sampled, repeatsVersions(form));
}

/** Events that are lines, which are not parsed. */
class LineReader implements EventReader {
  events = 0;
  disorders = 0;
  readonly #sampled: boolean;
  readonly #versionsEach: number;
  /** The bytes of the chunk that has not ended yet. */
  #begun = 0;
  #lastByte = 0;
  #tail = '';
  #lastVersion = 0;
  #versions = 0;

  constructor(sampled: boolean, repeatsVersions: boolean) {
    this.#sampled = sampled;
    this.#versionsEach = repeatsVersions ? 2 : 1;
  }

  reset(): void {
    this.events = 0;
    this.disorders = 0;
    this.#versions = 0;
  }

  /** An event ends with `}` and a newline; the chunk framing's newlines follow `\r`. */
  read(buffer: Buffer, from: number, to: number): void {
    for (let at = buffer.indexOf(NEWLINE, from); at >= 0 && at < to;) {
      const before = at === from ? this.#lastByte : buffer[at - 1];
      if (before === CLOSING_BRACE) this.#begun += 1;
      else if (before === CARRIAGE_RETURN) this.#endChunk();
      at = buffer.indexOf(NEWLINE, at + 1);
    }
    this.#lastByte = buffer[to - 1] ?? 0;
    if (this.#sampled) this.#checkVersions(buffer.toString('latin1', from, to));
  }

  #endChunk(): void {
    this.events += this.#begun;
    this.#begun = 0;
  }

  #checkVersions(text: string): void {
    const whole = this.#tail + text;
    let used = 0;
    for (const match of whole.matchAll(VERSION)) {
      const version = Number(match[1]);
      const isFirst = this.#versions % this.#versionsEach === 0;
      const inOrder = isFirst ? version > this.#lastVersion : version === this.#lastVersion;
      if (!inOrder) this.disorders += 1;
      this.#lastVersion = version;
      this.#versions += 1;
      used = match.index + match[0].length;
    }
    this.#tail = whole.slice(Math.max(used, whole.length - VERSION_CHARACTERS_MAX));
    // An event is counted at its end, and its versions stand before that.
    if (this.#versions < this.events * this.#versionsEach) this.disorders += 1;
  }
}

/** Events in protobuf, each behind its length; chunks and frames need not end together. */
class FrameReader implements EventReader {
  events = 0;
  disorders = 0;
  readonly #sampled: boolean;
  readonly #chunks = new ChunkReader();
  readonly #frame: Buffer[] = [];
  /** Frames of the chunk that has not ended yet. */
  #begun = 0;
  /** Bytes of the length that are here, and then those of the frame that are not. */
  #lengthRead = 0;
  #left = 0;
  #lastVersion = 0;

  constructor(sampled: boolean) {
    this.#sampled = sampled;
  }

  reset(): void {
    this.events = 0;
    this.disorders = 0;
  }

  read(buffer: Buffer, at: number, end: number): void {
    const onData = (from: number, to: number): void => this.#readFrames(buffer, from, to);
    this.#chunks.read(buffer, at, end, onData, () => {
      this.events += this.#begun;
      this.#begun = 0;
    });
  }

  #readFrames(buffer: Buffer, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (this.#lengthRead < LENGTH_BYTES) {
        this.#left = this.#left * 256 + (buffer[at] ?? 0);
        this.#lengthRead += 1;
        at += 1;
        continue;
      }
      if (this.#lengthRead === LENGTH_BYTES) this.#beginFrame(buffer[at]);
      const end = Math.min(to, at + this.#left);
      if (this.#sampled) this.#frame.push(Buffer.from(buffer.subarray(at, end)));
      this.#left -= end - at;
      at = end;
      if (this.#left === 0) this.#endFrame();
    }
  }

  #beginFrame(firstByte: number | undefined): void {
    const isEvent = this.#left > 0 && firstByte === TYPE_TAG;
    if (!isEvent) throw new Error(`a frame of ${this.#left} bytes is no event`);
    this.#lengthRead += 1;
  }

  #endFrame(): void {
    this.#lengthRead = 0;
    this.#begun += 1;
    if (!this.#sampled) return;
    const version = versionOfEvent(Buffer.concat(this.#frame));
    this.#frame.length = 0;
    if (version <= this.#lastVersion) this.disorders += 1;
    this.#lastVersion = version;
  }
}
