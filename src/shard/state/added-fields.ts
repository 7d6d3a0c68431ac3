/**
 * Selectable fields that a definition gets while its type has objects: they come after those that
 * there were (src/types/README.md#custom-types).
 */
import type { ResourceType } from '../../types/resource-type.ts';
import type { StoredHeaders } from '../log/stored-headers.ts';
import { ALL_KEYS, type ObjectTable } from '../table/object-table.ts';
import type { TableEntry } from '../table/table-entry.ts';
import type { StagedWrite } from './write-pipeline.ts';

/** Gives all entries the values of all fields, from the log. */
export function readFieldsAgain(table: ObjectTable, headers: StoredHeaders): void {
  const entries: TableEntry[] = [];
  table.scan(ALL_KEYS, (entry) => entries.push(entry) > 0);
  for (const entry of entries) {
    const fields = headers.at(entry.rv)?.fields;
    if (fields !== undefined) table.set({ ...entry, fields });
  }
}

/** A committed write with the values of all fields: it may have been staged before some came. */
export function withAllFields(
  write: StagedWrite,
  { fieldNames }: ResourceType,
  headers: StoredHeaders,
): StagedWrite {
  if (write.fields.length >= fieldNames.length) return write;
  return { ...write, fields: headers.at(write.rv)?.fields ?? write.fields };
}
