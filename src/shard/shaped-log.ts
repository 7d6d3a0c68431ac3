/**
 * The log of a type whose schema, or stored version, may change while it has objects: readers get
 * each as it would be written now. What is stored stays as it is until it is written again.
 */
import { decodeUtf8 } from '../codec/text-body.ts';
import { decodeRecordHeader, encodeRecord, recordWrittenAs, wireBytes } from '../storage/record.ts';
import type { LogEntry, Removal, TypeLog } from '../storage/store.ts';
import type { StoredShape } from '../types/resource-type.ts';

export class ShapedLog implements TypeLog {
  readonly #log: TypeLog;
  /** As what is written now. */
  shape: StoredShape;

  constructor(log: TypeLog, shape: StoredShape) {
    this.#log = log;
    this.shape = shape;
  }

  /** Whether an object that is there would be written in another version, or otherwise, now. */
  isStale(rv: number): boolean {
    const record = this.#log.read(rv);
    if (record === undefined) return false;
    const writtenAs = recordWrittenAs(record) ?? '';
    if (writtenAs === this.shape.writtenAs) return false;
    if (!writtenAs.startsWith(`${this.shape.version} `)) return true;
    return Buffer.compare(wireBytes(this.upToDate(record)), wireBytes(record)) !== 0;
  }

  append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    return this.#log.append(entries, removal);
  }

  checkRoom(bytes: number): void {
    this.#log.checkRoom(bytes);
  }

  rewrite(entries: readonly LogEntry[]): Promise<void> {
    return this.#log.rewrite(entries);
  }

  read(rv: number): Uint8Array | undefined {
    const record = this.#log.read(rv);
    return record && this.upToDate(record);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    this.#log.scan(afterRv, (rv, record) => visit(rv, this.upToDate(record)));
  }

  count(): number {
    return this.#log.count();
  }

  horizon(): number {
    return this.#log.horizon();
  }

  /** The record as it is read. It says how it was written. */
  upToDate(record: Uint8Array): Uint8Array {
    const writtenAs = recordWrittenAs(record);
    if (writtenAs === undefined || writtenAs === this.shape.writtenAs) return record;
    const wire = this.shape.upToDate(decodeUtf8(wireBytes(record)), writtenAs);
    return encodeRecord(decodeRecordHeader(record), wire);
  }
}
