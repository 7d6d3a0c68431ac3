import type { KindRuntime } from '../resources/kind-runtime.ts';
import { decodeRecordHeader } from '../storage/record.ts';
import type { RecordDomain, RecordHeader } from '../storage/record.ts';
import { StoreError } from '../storage/store.ts';
import { translateHeader } from './translation/translate-record.ts';

/**
 * The header of a record as it lies in the log of a kind; with `domain`, in that dialect, whatever
 * it was written in. Throws StoreError when it is damaged.
 */
export function storedHeader(
  kind: KindRuntime,
  rv: number,
  value: Uint8Array,
  domain: RecordDomain | undefined,
): RecordHeader {
  try {
    const header = decodeRecordHeader(value);
    const isOwn = domain === undefined || header.domain === domain;
    return isOwn ? header : translateHeader(kind, header);
  } catch (error) {
    throw new StoreError(
      `the stored version ${rv} of ${kind.key} is damaged (${(error as Error).message}): ` +
        'restore the data folder from a backup',
    );
  }
}
