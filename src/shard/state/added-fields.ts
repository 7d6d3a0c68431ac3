/**
 * Selectable fields of custom types: those that a definition gets while there are objects come
 * after those that there were (src/types/README.md#custom-types).
 */
import { ConversionNeeded } from '../../types/conversion.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import type { StoredHeaders } from '../log/stored-headers.ts';
import { ALL_KEYS, type ObjectTable } from '../table/object-table.ts';
import type { TableEntry } from '../table/table-entry.ts';
import type { ObjectChange } from './change.ts';
import type { StagedWrite, WritePipeline } from './write-pipeline.ts';

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

interface Written {
  readonly kind: ResourceType;
  readonly pipeline: Pick<WritePipeline, 'uncommitted'>;
  readonly table: ObjectTable;
}

/** The values of a change. Where nobody had its object converted, its members are as they were. */
export function recordedFields(
  { kind, pipeline, table }: Written,
  { key, object, fields }: ObjectChange,
): readonly string[] {
  if (fields !== undefined) return fields;
  try {
    return kind.fieldsOf(object);
  } catch (error) {
    if (!(error instanceof ConversionNeeded)) throw error;
    return pipeline.uncommitted(key)?.fields ?? table.get(key)?.fields ?? [];
  }
}
