/** The functions and macros that expressions of the release may use (../README.md#library). */
import { expressionParts, type ExpressionPart } from '../../../release/expression-parts.ts';
import { ownRelease } from '../../../release/release.ts';
import { readSignatures, STANDARD_SIGNATURES, type Overload } from '../signatures.ts';
import type { ObjectType } from '../types.ts';
import { PART_SIGNATURES } from './part-signatures.ts';

/** Expressions for one purpose have these besides. */
export interface LibraryExtras {
  readonly signatures?: string;
  /** Whether they may name a value: `cel.bind(name, value, expression)`. */
  readonly bindsValues?: boolean;
  /** Gives the type of a message that they may construct; undefined where there is none. */
  message?(name: string): ObjectType | undefined;
}

export class Library {
  readonly #parts: ReadonlySet<string>;
  readonly #extras: LibraryExtras | undefined;
  #overloads: ReadonlyMap<string, readonly Overload[]> | undefined;

  constructor(parts: ReadonlySet<ExpressionPart>, extras?: LibraryExtras) {
    this.#parts = parts;
    this.#extras = extras;
  }

  /** Whether it has a part. */
  has(part: ExpressionPart): boolean {
    return this.#parts.has(part);
  }

  /** Whether expressions may name a value. */
  get bindsValues(): boolean {
    return this.#extras?.bindsValues === true;
  }

  /** The type of a message that expressions may construct; undefined for another name. */
  messageType(name: string): ObjectType | undefined {
    return this.#extras?.message?.(name);
  }

  /** All overloads of a function; undefined when there is none of that name. */
  overloadsOf(name: string): readonly Overload[] | undefined {
    if (this.#overloads === undefined) {
      const parts = Object.entries(PART_SIGNATURES).filter(([part]) => this.#parts.has(part));
      const texts = parts.map(([, signatures]) => signatures);
      const more = this.#extras?.signatures ?? '';
      this.#overloads = readSignatures([STANDARD_SIGNATURES, ...texts, more].join('\n'));
    }
    return this.#overloads.get(name);
  }
}

export const NEW_EXPRESSIONS = new Library(expressionParts(ownRelease(), 'new'));
export const STORED_EXPRESSIONS = new Library(expressionParts(ownRelease(), 'stored'));
