import type { FormatName } from './texts.ts';

/** Something that reads texts of clients. */
export interface Reader {
  readonly name: string;
  readonly format: FormatName;
  /** What became of a text, in a word or two. Throws where it should not have. */
  read(text: string): string | Promise<string>;
}

/** What a module of readers exports. */
export interface ReaderModule {
  readonly READERS: readonly Reader[];
}
