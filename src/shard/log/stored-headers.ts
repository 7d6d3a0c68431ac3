import type { ResourceType } from '../../types/resource-type.ts';
import { decodeRecordHeader } from '../../storage/record.ts';
import type { RecordDomain, RecordHeader } from '../../storage/record.ts';
import { StoreError } from '../../storage/store.ts';
import type { TypeLog } from '../../storage/store.ts';
import { translateHeader } from './translate-record.ts';

/**
 * The headers of a log as it is stored, in the own dialect: where nobody needs more of a record,
 * the rest of it need not be translated.
 */
export class StoredHeaders {
  readonly #kind: ResourceType;
  readonly #log: TypeLog;
  readonly #domain: RecordDomain | undefined;

  /** `domain` is the own one; absent where the log has no records of the other. */
  constructor(kind: ResourceType, log: TypeLog, domain: RecordDomain | undefined) {
    this.#kind = kind;
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

  #headerOf(rv: number, record: Uint8Array): RecordHeader {
    try {
      const header = decodeRecordHeader(record);
      const isOwn = this.#domain === undefined || header.domain === this.#domain;
      return isOwn ? header : translateHeader(this.#kind, header);
    } catch (error) {
      throw new StoreError(
        `the stored version ${rv} of ${this.#kind.key} is damaged (${(error as Error).message}): ` +
          'restore the data folder from a backup',
      );
    }
  }
}
