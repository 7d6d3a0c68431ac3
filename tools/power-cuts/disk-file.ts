/** One file on a disk that may lose its power: what is on it for sure, and what may be. */
import type { Random } from '../../test/support/random.ts';

/** A disk writes so many bytes in one piece. */
export const SECTOR_BYTES = 512;

/** The fate of bytes that were not flushed when the power went. */
export interface Loss {
  /** Bytes that come to the disk together: a sector, a page of the system, a page of the store. */
  readonly unitBytes: number;
  /** How likely a unit is as it was written last; else it is as it was at any time since. */
  readonly kept: number;
  /** This part of later ones, or of this event's, is kept: disks write as they like. */
  readonly keptLast: number;
  readonly last: number;
}

interface Write {
  readonly index: number;
  readonly offset: number;
  readonly data: Buffer;
}

interface Size {
  readonly index: number;
  readonly bytes: number;
}

export class DiskFile {
  #flushed: Buffer;
  #flushedSize: number;
  #writes: Write[] = [];
  #sizes: Size[] = [];
  /** By sector, up to which event it was flushed on its own. */
  readonly #sectors = new Map<number, number>();

  constructor(content: Buffer = Buffer.alloc(0)) {
    this.#flushed = content;
    this.#flushedSize = content.length;
  }

  write(index: number, offset: number, data: Buffer): void {
    this.#writes.push({ index, offset, data });
    const end = offset + data.length;
    if (end > this.#size) this.#sizes.push({ index, bytes: end });
  }

  cut(index: number, bytes: number): void {
    if (bytes === 0) this.#writes = [];
    else if (bytes < this.#size) throw new Error('files are cut to nothing, or not at all');
    this.#sizes.push({ index, bytes });
  }

  get #size(): number {
    return this.#sizes.at(-1)?.bytes ?? this.#flushedSize;
  }

  /** Puts on the disk for sure what was written before the event `began`. */
  flush(began: number): void {
    const size = this.#sizes.findLast(({ index }) => index < began)?.bytes;
    if (size !== undefined) this.#resize(size);
    for (const { index, offset, data } of this.#writes) {
      if (index < began) data.copy(this.#flushed, offset);
    }
    this.#writes = this.#writes.filter(({ index }) => index >= began);
    this.#sizes = this.#sizes.filter(({ index }) => index >= began);
    this.#sectors.clear();
  }

  /** Flushes the sectors that a part touches. */
  flushPart(began: number, offset: number, length: number): void {
    const size = this.#sizes.findLast(({ index }) => index < began)?.bytes;
    if (size !== undefined && size > this.#flushedSize) this.#resize(size);
    const first = Math.floor(offset / SECTOR_BYTES);
    const end = Math.ceil((offset + length) / SECTOR_BYTES);
    for (let sector = first; sector < end; sector++) {
      for (const write of this.#writes) {
        if (write.index >= began) continue;
        this.#apply(this.#flushed, write, sector * SECTOR_BYTES, SECTOR_BYTES);
      }
      this.#sectors.set(sector, began);
    }
  }

  #resize(bytes: number): void {
    if (bytes > this.#flushed.length) {
      const larger = Buffer.alloc(Math.max(bytes, 2 * this.#flushed.length));
      this.#flushed.copy(larger, 0, 0, this.#flushedSize);
      this.#flushed = larger;
    } else if (bytes < this.#flushedSize) this.#flushed.fill(0, bytes, this.#flushedSize);
    this.#flushedSize = bytes;
  }

  /** Puts what of a write is in the unit at `start`, but for sectors that have newer bytes. */
  #apply(target: Buffer, { index, offset, data }: Write, start: number, bytes: number): void {
    const from = Math.max(start, offset);
    const end = Math.min(start + bytes, offset + data.length, target.length);
    for (let at = from; at < end;) {
      const sector = Math.floor(at / SECTOR_BYTES);
      const next = Math.min(end, (sector + 1) * SECTOR_BYTES);
      if (index >= (this.#sectors.get(sector) ?? 0)) {
        data.copy(target, at, at - offset, next - offset);
      }
      at = next;
    }
  }

  /** As processes see it. */
  current(): Buffer {
    const result = this.#ofSize(this.#size);
    for (const write of this.#writes) this.#apply(result, write, 0, this.#size);
    return result;
  }

  /** As it may be when the power comes back. */
  afterLoss({ unitBytes, kept, keptLast, last }: Loss, random: Random): Buffer {
    const isKept = (index = 0): boolean => random.fraction() < (index >= last ? keptLast : kept);
    const sizes = [this.#flushedSize, ...this.#sizes.map(({ bytes }) => bytes)];
    const isWhole = isKept(this.#sizes.at(-1)?.index);
    const result = this.#ofSize(isWhole ? this.#size : (sizes[random.below(sizes.length)] ?? 0));
    for (const [unit, writes] of this.#byUnit(unitBytes)) {
      const isLast = isKept(writes.at(-1)?.index);
      const count = isLast ? writes.length : random.below(writes.length + 1);
      for (const write of writes.slice(0, count)) {
        this.#apply(result, write, unit * unitBytes, unitBytes);
      }
    }
    return result;
  }

  #ofSize(bytes: number): Buffer {
    const result = Buffer.alloc(bytes);
    this.#flushed.copy(result, 0, 0, Math.min(bytes, this.#flushedSize));
    return result;
  }

  #byUnit(unitBytes: number): ReadonlyMap<number, Write[]> {
    const units = new Map<number, Write[]>();
    for (const write of this.#writes) {
      const first = Math.floor(write.offset / unitBytes);
      const end = Math.ceil((write.offset + write.data.length) / unitBytes);
      for (let unit = first; unit < end; unit++) {
        const writes = units.get(unit);
        if (writes === undefined) units.set(unit, [write]);
        else writes.push(write);
      }
    }
    return units;
  }
}
