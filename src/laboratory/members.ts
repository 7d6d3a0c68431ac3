/** Reads documents that are sent to the laboratory; what is wrong is told with its member. */
import { badRequest } from '../semantics/errors/status.ts';

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** The members of a document or of one of its parts. */
export class Members {
  readonly #path: string;
  readonly #members: ReadonlyMap<string, unknown>;

  /** `path` is '' for the document. Throws StatusError 400, also for members beside `known`. */
  constructor(value: unknown, path: string, known: readonly string[]) {
    const at = path === '' ? 'the body' : path;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw badRequest(`${at} must be an object of JSON`);
    }
    this.#path = path;
    this.#members = new Map(Object.entries(value));
    for (const name of this.#members.keys()) {
      if (known.includes(name)) continue;
      throw badRequest(`${this.#at(name)} is unknown: ${at} has ${known.join(', ')}`);
    }
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** The names of those that are there, among these. */
  among(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.has(name));
  }

  value(name: string): unknown {
    return this.#members.get(name);
  }

  /** A part of it; one without members where it is absent. */
  part(name: string, known: readonly string[]): Members {
    return new Members(this.#members.get(name) ?? {}, this.#at(name), known);
  }

  /** '' when absent. */
  text(name: string): string {
    const value = this.#members.get(name) ?? '';
    if (typeof value !== 'string') throw this.wrong(name, 'a text');
    return value;
  }

  /** A name that is free to be chosen. */
  name(name = 'name'): string {
    const text = this.text(name);
    if (NAME.test(text)) return text;
    throw this.wrong(name, 'a name in lower case, such as "lost-update"');
  }

  /** Empty when absent. */
  texts(name: string): readonly string[] {
    const value = this.#members.get(name) ?? [];
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
      throw this.wrong(name, 'a list of texts');
    }
    return value;
  }

  flag(name: string): boolean {
    const value = this.#members.get(name) ?? false;
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false');
    return value;
  }

  /** Undefined when absent. */
  count(name: string, min = 0): number | undefined {
    const value = this.#members.get(name);
    if (value === undefined) return undefined;
    if (Number.isSafeInteger(value) && (value as number) >= min) return value as number;
    throw this.wrong(name, `a whole number from ${min} on`);
  }

  /** Undefined when absent. */
  share(name: string): number | undefined {
    const value = this.#members.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw this.wrong(name, 'a number from 0 to 1');
  }

  /** Throws StatusError 400 for a text that is none of these. */
  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const found = values.find((value) => value === this.#members.get(name));
    if (found === undefined) throw this.wrong(name, `one of ${values.join(', ')}`);
    return found;
  }

  wrong(name: string, expected: string): Error {
    return badRequest(`${this.#at(name)} must be ${expected}`);
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}
