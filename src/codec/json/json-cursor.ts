/** A position in JSON text that is known to be valid, with which to walk or skip values. */
export class JsonCursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string {
    return this.#text.charAt(this.#at);
  }

  /** At `{`. The visitor must consume the value. Leaves the position after `}`. */
  forEachMember(visit: (key: string) => void): void {
    this.enter();
    while (!this.leaves('}')) visit(this.takeKey());
  }

  /** At `[`. The visitor must consume the value. Leaves the position after `]`. */
  forEachItem(visit: (index: number) => void): void {
    this.enter();
    for (let index = 0; !this.leaves(']'); index++) visit(index);
  }

  /** At an opening bracket. */
  enter(): void {
    this.#at += 1;
  }

  /** Between values: steps over the bracket if it is next, else to the next key or value. */
  leaves(bracket: '}' | ']'): boolean {
    this.skipSpace();
    if (this.peek() === ',') {
      this.#at += 1;
      this.skipSpace();
    }
    if (this.peek() !== bracket) return false;
    this.#at += 1;
    return true;
  }

  /** At a key. Leaves the position at its value. */
  takeKey(): string {
    const start = this.#at;
    this.#at = stringEnd(this.#text, start);
    const key = this.#text.slice(start + 1, this.#at - 1);
    this.skipSpace();
    this.#at += 1;
    this.skipSpace();
    return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key;
  }

  takeValue(): string {
    const start = this.#at;
    this.skipValue();
    return this.#text.slice(start, this.#at);
  }

  skipValue(): void {
    let depth = 0;
    do {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) this.#at = stringEnd(this.#text, this.#at);
      else if (code === 0x7b || code === 0x5b) {
        depth += 1;
        this.#at += 1;
      } else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        this.#at += 1;
      } else if (depth === 0) this.#skipWord();
      else this.#at += 1;
    } while (depth > 0);
  }

  skipSpace(): void {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
  }

  /** A number or a literal: up to what can follow one. */
  #skipWord(): void {
    const text = this.#text;
    while (this.#at < text.length && !/[\s,\]}]/.test(text.charAt(this.#at))) this.#at += 1;
  }
}

/** The position after the string that opens at `start`; 0 where it has no end. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}
