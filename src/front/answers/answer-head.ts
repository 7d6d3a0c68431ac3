/** The head of an answer: the headers that all answers have, and those of this one. */
import type { Header } from './header-text.ts';
import { headerLines, UnwritableHeader } from './header-lines.ts';
import type { HeaderLines } from './header-lines.ts';
import { oneLine } from './header-text.ts';
import { warningValues } from './warning.ts';

export type HeaderTexts = Readonly<Record<string, string>>;

/** Whose head it is. */
interface Answering {
  readonly auditId: string;
  /** Answers with 500 in the place of what cannot be written. */
  fail(error: Error): void;
}

export class AnswerHead {
  readonly #answering: Answering;
  /** Besides the common ones, or in the place of them. */
  #headers: HeaderTexts | undefined;
  /** Lines that can be written as they are. */
  #ready: HeaderLines | undefined;
  /** Texts of `Warning` headers. */
  #warnings: readonly string[] | undefined;

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  add(headers: HeaderTexts): void {
    this.#headers = this.#headers === undefined ? headers : { ...this.#headers, ...headers };
  }

  /** Adds lines that many answers have. */
  addChecked(lines: HeaderLines): void {
    this.#ready = lines;
  }

  warn(texts: readonly string[]): void {
    this.#warnings = [...(this.#warnings ?? []), ...texts];
  }

  /**
   * Lines of an answer of this server's own; undefined where a header cannot be written, which has
   * been answered with 500 then.
   */
  own(type: string, retryAfterSeconds: number): HeaderLines | undefined {
    const headers = this.#headers;
    const lines: Header[] = [
      this.#auditLine(),
      ['Cache-Control', headers?.['Cache-Control'] ?? 'no-cache, private'],
      ['Content-Type', type],
    ];
    if (type.startsWith('text/')) lines.push(['X-Content-Type-Options', 'nosniff']);
    if (retryAfterSeconds > 0) lines.push(['Retry-After', String(retryAfterSeconds)]);
    if (headers !== undefined) {
      for (const line of Object.entries(headers)) if (line[0] !== 'Cache-Control') lines.push(line);
    }
    if (this.#warnings !== undefined) {
      for (const value of warningValues(this.#warnings)) lines.push(['Warning', value]);
    }
    return this.#checked(lines, []);
  }

  /** Lines of an answer that another server has given, with a character for each byte. */
  passed(passed: readonly Header[]): HeaderLines | undefined {
    const common: Header[] = [this.#auditLine(), ['Cache-Control', 'no-cache, private']];
    return this.#checked([...common, ...Object.entries(this.#headers ?? {})], passed);
  }

  #checked(own: readonly Header[], passed: readonly Header[]): HeaderLines | undefined {
    try {
      return headerLines(own, passed, this.#ready);
    } catch (error) {
      if (!(error instanceof UnwritableHeader)) throw error;
      this.#headers = undefined;
      this.#warnings = undefined;
      this.#answering.fail(error);
      return undefined;
    }
  }

  /** A client may have chosen it. */
  #auditLine(): Header {
    return ['Audit-Id', oneLine(this.#answering.auditId)];
  }
}
