/**
 * Decides in advance what the writers write: the operation, the label and the payload of each
 * write follow from (slot, sequence number) alone. So what a watch must be sent is known, however
 * late and over however many reconnects, and no history of the run has to be kept anywhere.
 *
 * A slot is a name that one writer owns. Its sequence number counts its writes, deletes included,
 * and goes on when the object is created again. Versions are never compared: they are opaque.
 */
import type { SoakResource } from './resource-types.ts';

export const COLOURS = 4;
export const COLOUR_LABEL = 'soak-colour';
export const RUN_LABEL = 'soak-run';
const MARKER = 'soak-marker';
const PAYLOAD_OFFSETS = 4_096;

export type Operation = 'create' | 'update' | 'delete';

/** The facts that an object tells of itself. A deleted one has the marker of its last write. */
export interface Marker {
  readonly slot: number;
  readonly seq: number;
  readonly writer: number;
  /** Counts the writes of that writer, over all its slots. */
  readonly writerSeq: number;
}

export interface PlanOptions {
  readonly runId: string;
  readonly seed: number;
  readonly objects: number;
  readonly namespaces: number;
  readonly payloadBytes: number;
  /** Share of the writes that delete, up to 0.4. */
  readonly deleteShare: number;
  readonly resource: SoakResource;
}

/** An object as it comes from JSON; nothing in it is known to be right. */
export interface ApiObject {
  readonly metadata?: {
    readonly name?: unknown;
    readonly namespace?: unknown;
    readonly resourceVersion?: unknown;
    readonly labels?: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
  readonly [field: string]: unknown;
}

export class Plan {
  readonly options: PlanOptions;
  readonly namespaceNames: readonly string[];
  readonly #seed: number;
  readonly #text: string;
  readonly #markerStart: string;

  constructor(options: PlanOptions) {
    this.options = options;
    this.#seed = mix(options.seed, 0x50414b);
    const { runId, namespaces } = options;
    this.namespaceNames = Array.from(
      { length: namespaces },
      (_, index) => `soak-${runId}-${index}`,
    );
    this.#markerStart = `${runId}.`;
    this.#text = randomText(this.#seed, options.payloadBytes + PAYLOAD_OFFSETS);
  }

  namespaceOf(slot: number): string {
    return this.namespaceNames[slot % this.namespaceNames.length] ?? '';
  }

  nameOf(slot: number): string {
    return `soak-${slot}`;
  }

  /** Gives the operation of write number `seq` (from 1) of a slot. */
  operation(slot: number, seq: number): Operation {
    if (this.#deletes(slot, seq)) return 'delete';
    return seq === 1 || this.#deletes(slot, seq - 1) ? 'create' : 'update';
  }

  /** Whether the object exists after write number `seq`; before the first it does not. */
  isLive(slot: number, seq: number): boolean {
    return seq > 0 && !this.#deletes(slot, seq);
  }

  /** The colour that write number `seq` gives the object. */
  colour(slot: number, seq: number): number {
    return mix(mix(this.#seed + 2, slot), seq) % COLOURS;
  }

  /** The object after write number `seq`. `version`: the one that an update replaces. */
  body(marker: Marker, version: string): string {
    const { slot, seq } = marker;
    const metadata = {
      name: this.nameOf(slot),
      namespace: this.namespaceOf(slot),
      ...(version === '' ? {} : { resourceVersion: version }),
      labels: {
        [RUN_LABEL]: this.options.runId,
        [COLOUR_LABEL]: `c${this.colour(slot, seq)}`,
      },
      annotations: { [MARKER]: this.#markerText(marker) },
    };
    return JSON.stringify(this.options.resource.make(metadata, this.#payload(slot, seq)));
  }

  /** The marker of an object of this run; undefined on any other object. */
  markerOf(object: ApiObject): Marker | undefined {
    const text = object.metadata?.annotations?.[MARKER];
    if (typeof text !== 'string' || !text.startsWith(this.#markerStart)) return undefined;
    const numbers = text.slice(this.#markerStart.length).split('.').map(Number);
    const [slot = -1, seq = -1, writer = -1, writerSeq = -1] = numbers;
    const marker = { slot, seq, writer, writerSeq };
    const isWhole = numbers.length === 4 && numbers.every((value) => Number.isSafeInteger(value));
    return isWhole && this.#markerText(marker) === text ? marker : undefined;
  }

  /** Finds what is wrong with the content of an object with this marker; '' for nothing. */
  contentProblem(object: ApiObject, { slot, seq }: Marker): string {
    const { metadata } = object;
    if (slot < 0 || slot >= this.options.objects) return `there is no object number ${slot}`;
    if (metadata?.name !== this.nameOf(slot)) return `its name is ${String(metadata?.name)}`;
    if (metadata.namespace !== this.namespaceOf(slot)) {
      return `its namespace is ${String(metadata.namespace)}`;
    }
    if (!this.isLive(slot, seq)) return `write ${seq} was a delete`;
    const colour = metadata.labels?.[COLOUR_LABEL];
    if (colour !== `c${this.colour(slot, seq)}`) return `its label is ${String(colour)}`;
    const payload = this.options.resource.payloadOf(object);
    return payload === this.#payload(slot, seq) ? '' : `its payload is not that of write ${seq}`;
  }

  /** Deletes have even numbers, so that what stands around one never depends on another. */
  #deletes(slot: number, seq: number): boolean {
    if (seq < 2 || seq % 2 === 1) return false;
    const dice = mix(mix(this.#seed + 1, slot), seq) / 0x1_0000_0000;
    return dice < this.options.deleteShare * 2;
  }

  #markerText({ slot, seq, writer, writerSeq }: Marker): string {
    return `${this.#markerStart}${slot}.${seq}.${writer}.${writerSeq}`;
  }

  #payload(slot: number, seq: number): string {
    const offset = mix(mix(this.#seed + 3, slot), seq) % PAYLOAD_OFFSETS;
    return `${slot}.${seq}.${this.#text.slice(offset, offset + this.options.payloadBytes)}`;
  }
}

/** Two numbers to one of 32 bits that looks random. */
function mix(left: number, right: number): number {
  let mixed = Math.imul(left ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(right + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function randomText(seed: number, length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at += 1) bytes[at] = alphabet.charCodeAt(mix(seed, at) & 63);
  return bytes.toString('latin1');
}
