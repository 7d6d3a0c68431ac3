/** An object as the next write finds it. */
import { RawJson } from '../codec/raw-json.ts';
import type { Members } from '../codec/schema-model.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import type { ApiObject } from '../resources/kind.ts';
import { managedFieldsLength, wireBytes } from '../storage/record.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { splitManagedFields } from './stored-text-edits.ts';

/** The newest state of an object, committed or not: what the next write builds on. */
export interface Latest {
  readonly rv: number;
  /** The object's wire text. */
  readonly wire: string;
  /** The same without `metadata.managedFields`. */
  readonly rest: string;
  /** That text parsed, for one use; undefined where numbers would lose digits. */
  readonly members: Members | undefined;
  /** Its `metadata.managedFields` is text: see `ObjectMeta`. */
  readonly object: ApiObject;
}

/** The object of a record, at its version. */
export function readLatest(kind: ResourceType, rv: number, record: Uint8Array): Latest {
  const wire = decodeUtf8(wireBytes(record));
  const [rest, managed] = splitManagedFields(wire, managedFieldsLength(record));
  const text = `{${rest}`;
  const members = JSON.parse(text) as Members;
  const decoded = kind.stored.codec.decodeDocument(members, () => text);
  const object = decoded.object as ApiObject;
  if (managed !== '') object.metadata.managedFields = new RawJson(managed);
  return { rv, wire, rest, object, members: decoded.isExact ? members : undefined };
}
