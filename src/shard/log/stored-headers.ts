import type { ResourceType } from '../../types/resource-type.ts';
import { decodeRecordHeader, recordDomain, recordKey } from '../../storage/record.ts';
import type { RecordDomain, RecordHeader } from '../../storage/record.ts';
import { StoreError } from '../../storage/store.ts';
import type { TypeLog } from '../../storage/store.ts';
import { shapedFields } from './shaped-log.ts';
import { translateHeader } from './translate-record.ts';

/**
 * The headers of a log as it is stored, in the own dialect: where nobody needs more of a record,
 * the rest of it need not be translated.
 */
export class StoredHeaders {
  readonly #kindNow: () => ResourceType;
  readonly #log: TypeLog;
  readonly #domain: RecordDomain | undefined;

  /** `domain` is the own one; absent where the log has no records of the other. */
  constructor(kindNow: () => ResourceType, log: TypeLog, domain: RecordDomain | undefined) {
    this.#kindNow = kindNow;
    this.#log = log;
    this.#domain = domain;
  }

  /** Undefined when the log does not have that version. Throws StoreError for a damaged one. */
  at(rv: number): RecordHeader | undefined {
    const record = this.#log.read(rv);
    return record && this.#headerOf(rv, record);
  }

  /** As `TypeLog.scan`. Throws StoreError for a damaged record. */
  scan(afterRv: number, visit: (rv: number, header: RecordHeader) => boolean): void {
    this.#log.scan(afterRv, (rv, record) => visit(rv, this.#headerOf(rv, record)));
  }

  /** The objects that were written after a version. Throws StoreError for a damaged record. */
  keysAfter(afterRv: number): Set<string> {
    const keys = new Set<string>();
    this.#log.scan(afterRv, (rv, record) => {
      const key = this.#isOwn(record) ? recordKey(record) : this.#headerOf(rv, record).key;
      keys.add(key);
      return true;
    });
    return keys;
  }

  #isOwn(record: Uint8Array): boolean {
    return this.#domain === undefined || recordDomain(record) === this.#domain;
  }

  #headerOf(rv: number, record: Uint8Array): RecordHeader {
    const kind = this.#kindNow();
    try {
      const header = shapedHeader(kind, record);
      return this.#isOwn(record) ? header : translateHeader(kind, header);
    } catch (error) {
      throw new StoreError(
        `the stored version ${rv} of ${kind.key} is damaged (${(error as Error).message}): ` +
          'restore the data folder from a backup',
      );
    }
  }
}

/** Its definition may have got other selectable fields since it was written. */
function shapedHeader({ fieldNames, storedShape }: ResourceType, record: Uint8Array): RecordHeader {
  const header = decodeRecordHeader(record);
  if (storedShape === undefined || fieldNames.length + header.fields.length === 0) return header;
  return { ...header, fields: shapedFields(storedShape, header, record) };
}
