/**
 * Objects of types whose definitions name a webhook for it are converted between versions by that
 * webhook. Whoever works on objects does not wait: a conversion that is wanted and not known yet is
 * thrown as `ConversionNeeded`. A caller who can wait has it prepared and does the work again,
 * which then finds it (README.md#conversion).
 */
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';

/** An object, and the version that it is wanted in. */
export interface WantedConversion {
  readonly sent: Sent;
  /** The whole document of the object, without its resourceVersion. */
  readonly document: string;
  /** `example.com/v2`. */
  readonly desiredAPIVersion: string;
  /** The text that is kept of the object once it is converted. */
  readonly textOf: (object: Record<string, unknown>) => string;
}

/** An object that was sent, as far as its conversion has to be like it. */
export interface Sent {
  readonly kind: string;
  /** `example.com/v1`. */
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/** Knows how objects look in another version. */
export interface ConversionSource {
  /** The text that `wanted` asks for. Throws ConversionNeeded. */
  known(wanted: WantedConversion): string;
  /** Whether `known` may throw: somebody else has to say how they look. */
  readonly asks: boolean;
}

/** Keeps prepared conversions known until they are released. */
export interface Held {
  release(): void;
}

/** Makes conversions known. */
export interface ConversionPreparer {
  /** Rejects with StatusError 500 when a conversion is not answered. */
  prepare(wanted: readonly WantedConversion[]): Promise<Held>;
}

/** Thrown where work comes upon objects whose conversion is not known. */
export class ConversionNeeded extends Error {
  override readonly name = 'ConversionNeeded';
  readonly #converter: ConversionPreparer;
  readonly wanted: readonly WantedConversion[];

  constructor(converter: ConversionPreparer, wanted: readonly WantedConversion[]) {
    super('the conversion of an object is not known yet');
    this.#converter = converter;
    this.wanted = wanted;
  }

  /** Rejects with StatusError 500. */
  prepare(): Promise<Held> {
    return this.#converter.prepare(this.wanted);
  }

  /** Joins the needs of several objects of a type. */
  with(others: readonly ConversionNeeded[]): ConversionNeeded {
    const wanted = [this, ...others].flatMap((needed) => needed.wanted);
    return new ConversionNeeded(this.#converter, wanted);
  }
}

/** Converts objects into a version in which they look different than in others. */
export interface Conversion {
  /**
   * The conversions to prepare before the members of stored text are read in this version;
   * undefined for none.
   */
  needed(wire: Uint8Array): ConversionNeeded | undefined;
  /** An object of another version in this one. Throws ConversionNeeded. */
  converted<T extends object>(object: T, from: string): T;
  /**
   * The object in the form in which it is stored: converted, and with the defaults of the version.
   */
  stored<T extends object>(object: T, from: string): T;
  /** Converts the text of a document, which says itself of which version it is. */
  document(text: string): string;
}

const MARK = '"apiVersion":"';
const MARK_BYTES = Buffer.from(MARK);

/**
 * Marks members that are not in the stored version with the version in which they are. Text that is
 * stored in one version and read in another has the mark from the log on.
 */
export function markedText(wire: string, apiVersion: string): string {
  return `${MARK}${apiVersion}",${wire}`;
}

/** The version that members are in, '' for the stored one, and the members themselves. */
export function unmarked(wire: Uint8Array): { apiVersion: string; members: Uint8Array } {
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.length);
  if (!bytes.subarray(0, MARK.length).equals(MARK_BYTES)) return { apiVersion: '', members: wire };
  const end = bytes.indexOf('"', MARK.length);
  return {
    apiVersion: bytes.toString('utf8', MARK.length, end),
    members: wire.subarray(end + 2),
  };
}
