/**
 * The log of a type whose schema, or stored version, may change while it has objects: readers get
 * each as it would be written now. What is stored stays as it is until it is written again.
 */
import { decodeUtf8 } from '../../codec/text-body.ts';
import {
  decodeRecordHeader,
  encodeRecord,
  recordWrittenAs,
  wireBytes,
  type RecordHeader,
} from '../../storage/record.ts';
import type { TypeLog } from '../../storage/store.ts';
import { unmarked } from '../../types/conversion.ts';
import { DecoratedLog } from '../../storage/decorated-log.ts';
import type { ResourceType, StoredShape } from '../../types/resource-type.ts';

export class ShapedLog extends DecoratedLog {
  /** As what is written now. */
  #shape: StoredShape;

  constructor(log: TypeLog, shape: StoredShape) {
    super(log);
    this.#shape = shape;
  }

  /** The type is served otherwise from now on. */
  retype({ storedShape }: ResourceType): void {
    if (storedShape !== undefined) this.#shape = storedShape;
  }

  /** Whether an object that is there would be written in another version, or otherwise, now. */
  isStale(rv: number): boolean {
    const record = this.log.read(rv);
    if (record === undefined) return false;
    const writtenAs = recordWrittenAs(record) ?? '';
    if (writtenAs === this.#shape.writtenAs) return false;
    if (!writtenAs.startsWith(`${this.#shape.version} `)) return true;
    return Buffer.compare(wireBytes(this.asRead(record)), wireBytes(record)) !== 0;
  }

  /** The record as it is read. It says how it was written. */
  override asRead(record: Uint8Array): Uint8Array {
    const writtenAs = recordWrittenAs(record);
    if (writtenAs === undefined || writtenAs === this.#shape.writtenAs) return record;
    const wire = this.#shape.upToDate(decodeUtf8(wireBytes(record)), writtenAs);
    const header = decodeRecordHeader(record);
    return encodeRecord({ ...header, fields: shapedFields(this.#shape, header, record) }, wire);
  }
}

/** The values of the selectable fields of a record, as they would be written now. */
export function shapedFields(
  shape: StoredShape,
  { writtenAs, fields }: Pick<RecordHeader, 'writtenAs' | 'fields'>,
  record: Uint8Array,
): readonly string[] {
  if (writtenAs === undefined || writtenAs === shape.writtenAs) return fields;
  const { members } = unmarked(wireBytes(record));
  return shape.fieldsOf(decodeUtf8(members), { fields, writtenAs });
}
