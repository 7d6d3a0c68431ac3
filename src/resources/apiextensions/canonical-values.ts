/**
 * Writes the values in a schema in one form: the reference keeps their meaning, not their spelling.
 */
import { RawJson } from '../../codec/json/raw-json.ts';
import { parseUnstructured, unstructuredText } from '../../schema/unstructured.ts';
import { forEachBelow, type Schema } from './schema-node.ts';

type Slots = Record<string | number, unknown>;

/**
 * Writes the values of a decoded schema anew, in place: members in order, numbers as the reference
 * writes them. Throws a DecodeError for a number that no float holds.
 */
export function writeValuesAnew(schema: Schema): void {
  for (const member of ['default', 'example']) writeAnew(schema as Slots, member);
  const values = schema['enum'];
  if (Array.isArray(values)) values.forEach((_, index) => writeAnew(values as never, index));
  forEachBelow(schema, writeValuesAnew);
}

function writeAnew(slots: Slots, slot: string | number): void {
  const value = slots[slot];
  if (!(value instanceof RawJson)) return;
  const text = unstructuredText(parseUnstructured(value.text));
  if (text !== value.text) slots[slot] = new RawJson(text);
}
