/**
 * Re-indents JSON for `pretty` (../README.md#json). Nothing is parsed into values, so that big
 * numbers, key order and escapes survive.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const NEWLINE = 0x0a;

const INDENT_WIDTH = 2;
/** Deeper levels do not move further right: the answer would grow with depth times size. */
const INDENT_DEPTH_MAX = 24;
/** Room for the output of a usual object, so that most chunks are written without growing. */
const SLACK_BYTES = 256;

const NO_BYTES = new Uint8Array(0);

/**
 * Indents one valid JSON document that arrives in chunks, cut anywhere. The result is what Go's
 * json.Indent writes with an indent of two spaces: `{}` and `[]` stay as they are. White space
 * of the input is dropped, a newline at its end included.
 */
export class JsonIndenter {
  #output = NO_BYTES;
  #length = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last token opened an object or array; an indent follows unless it closes right away. */
  #opened = false;

  /** The next part of the document, indented; the result is the caller's to keep. */
  push(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return NO_BYTES;
    this.#output = Buffer.allocUnsafeSlow(chunk.length + (chunk.length >> 1) + SLACK_BYTES);
    this.#length = 0;
    let position = 0;
    while (position < chunk.length) {
      position = this.#inString
        ? this.#copyString(chunk, position)
        : this.#copyTokens(chunk, position);
    }
    const result = this.#output.subarray(0, this.#length);
    this.#output = NO_BYTES;
    return result;
  }

  /** Copies to the end of the open string, or of the chunk; returns the position after it. */
  #copyString(chunk: Uint8Array, start: number): number {
    const output = this.#output;
    let length = this.#length;
    let position = start;
    let escaped = this.#escaped;
    while (position < chunk.length) {
      const byte = chunk[position++]!;
      output[length++] = byte;
      if (escaped) {
        escaped = false;
      } else if (byte === BACKSLASH) {
        escaped = true;
      } else if (byte === QUOTE) {
        this.#inString = false;
        break;
      }
    }
    this.#escaped = escaped;
    this.#length = length;
    return position;
  }

  /** Writes tokens up to the next string, which it opens, or to the end of the chunk. */
  #copyTokens(chunk: Uint8Array, start: number): number {
    let position = start;
    while (position < chunk.length) {
      const byte = chunk[position++]!;
      if (byte <= SPACE) continue;
      const closing = byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
      if (closing) this.#depth--;
      // An empty object or array, opened and closed at once, has no break inside.
      if (this.#opened !== closing) this.#breakLine(chunk.length - position);
      this.#opened = byte === OPEN_BRACE || byte === OPEN_BRACKET;
      this.#output[this.#length++] = byte;
      if (byte === QUOTE) {
        this.#inString = true;
        break;
      }
      if (this.#opened) {
        this.#depth++;
      } else if (byte === COMMA) {
        this.#breakLine(chunk.length - position);
      } else if (byte === COLON) {
        this.#reserve(1, chunk.length - position);
        this.#output[this.#length++] = SPACE;
      }
    }
    return position;
  }

  #breakLine(bytesLeft: number): void {
    const spaces = Math.min(this.#depth, INDENT_DEPTH_MAX) * INDENT_WIDTH;
    this.#reserve(1 + spaces, bytesLeft);
    const output = this.#output;
    output[this.#length++] = NEWLINE;
    const end = this.#length + spaces;
    for (let index = this.#length; index < end; index++) output[index] = SPACE;
    this.#length = end;
  }

  /** Keeps room for the rest of the chunk, so that a plain copy never has to look. */
  #reserve(added: number, bytesLeft: number): void {
    const needed = this.#length + added + bytesLeft + 1;
    if (needed <= this.#output.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed + SLACK_BYTES, this.#output.length * 2));
    grown.set(this.#output.subarray(0, this.#length));
    this.#output = grown;
  }
}
