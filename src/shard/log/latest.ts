/** An object as the next write finds it. */
import { assert } from '../../base/assert.ts';
import { JsonCursor } from '../../codec/json/json-cursor.ts';
import { RawJson } from '../../codec/json/raw-json.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { managedFieldsLength, recordWrittenAs, wireBytes } from '../../storage/record.ts';
import { unmarked } from '../../types/conversion.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { splitManagedFields } from './stored-text-edits.ts';

/** The newest state of an object, committed or not: what the next write builds on. */
export interface Latest {
  readonly rv: number;
  /** The object's wire text. */
  readonly wire: string;
  /** The wire text without `metadata.managedFields`. */
  readonly rest: string;
  /** That text parsed, for one use; undefined where numbers would lose digits. */
  readonly members: Members | undefined;
  /** Its `metadata.managedFields` is text: see `ObjectMeta`. */
  readonly object: ApiObject;
  /** The version that all this is in, where it is not the one that is stored now; '' otherwise. */
  readonly markedAs: string;
  /** As its record says, where it is written in that version and is to stay so. */
  readonly writtenAs?: string | undefined;
}

/** The object of a record, at its version. */
export function readLatest(kind: ResourceType, rv: number, record: Uint8Array): Latest {
  const { apiVersion, members } = unmarked(wireBytes(record));
  const latest = latestOf(kind, {
    rv,
    wire: decodeUtf8(members),
    managedFieldsLength: managedFieldsLength(record),
    markedAs: apiVersion,
  });
  return apiVersion === '' ? latest : { ...latest, writtenAs: recordWrittenAs(record) };
}

interface LatestText extends Pick<Latest, 'rv' | 'wire' | 'markedAs'> {
  readonly managedFieldsLength: number;
}

export function latestOf(
  kind: ResourceType,
  { rv, wire, managedFieldsLength: length, markedAs }: LatestText,
): Latest {
  const [rest, managed] = splitManagedFields(wire, length);
  const text = `{${rest}`;
  const members = JSON.parse(text) as Members;
  const decoded = kind.stored.codec.decodeDocument(members, () => text);
  const object = decoded.object as ApiObject;
  if (managed !== '') object.metadata.managedFields = new RawJson(managed);
  return { rv, wire, rest, object, members: decoded.isExact ? members : undefined, markedAs };
}

const METADATA_MEMBER = '"metadata":';

/** The metadata of stored text, without reading the rest of it. */
export function metadataIn(wire: string): ApiObject['metadata'] {
  assert(wire.startsWith(METADATA_MEMBER), 'stored text does not begin with its metadata');
  const cursor = new JsonCursor(wire.slice(METADATA_MEMBER.length));
  return JSON.parse(cursor.takeValue()) as ApiObject['metadata'];
}
