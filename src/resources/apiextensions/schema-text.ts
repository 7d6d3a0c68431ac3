/** The text of a decoded schema. */
import { quoteGo, stringifyGo } from '../../codec/go-json.ts';
import { RawJson } from '../../codec/raw-json.ts';

/** Compact JSON, with what is kept as text as it was sent. */
export function schemaText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(schemaText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return stringifyGo(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${quoteGo(name)}:${schemaText(member)}`).join(',')}}`;
}
