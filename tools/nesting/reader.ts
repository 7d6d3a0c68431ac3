import type { FormatName } from './texts.ts';

/** Something that reads texts of clients. */
export interface Reader {
  readonly name: string;
  readonly format: FormatName;
  /** Reads a text; says in a word or two how it went. Throws where it should not have. */
  read(text: string): string | Promise<string>;
}

/** The exports of a module of readers. */
export interface ReaderModule {
  readonly READERS: readonly Reader[];
}
