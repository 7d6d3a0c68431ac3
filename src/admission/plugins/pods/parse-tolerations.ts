/** Tolerations that stand as JSON in an annotation. */
import type { Toleration } from '#messages/core.v1';
import { fieldMismatch, valueKind, valueMismatch } from '../../../codec/json/go-errors.ts';
import { jsonSyntaxError } from '../../../codec/json/json-syntax.ts';
import { serverFailure } from '../../../semantics/errors/status.ts';

/** No text is none. Throws StatusError 500 with the reference's words for what is no list. */
export function parseTolerations(text: string): readonly Toleration[] {
  if (text === '') return [];
  const problem = jsonSyntaxError(text);
  if (problem !== '') throw serverFailure(problem);
  const list: unknown = JSON.parse(text);
  if (list === null) return [];
  if (!Array.isArray(list)) {
    throw serverFailure(valueMismatch(valueKind(list), '[]v1.Toleration').message);
  }
  return list.map(tolerationOf);
}

function tolerationOf(item: unknown): Toleration {
  if (item === null) return {};
  if (typeof item !== 'object' || Array.isArray(item)) {
    throw serverFailure(valueMismatch(valueKind(item), 'v1.Toleration').message);
  }
  const read = item as Readonly<Record<string, unknown>>;
  const member = (name: string, isRight: (value: unknown) => boolean, type: string): unknown => {
    const value = read[name] ?? undefined;
    if (value === undefined || isRight(value)) return value;
    const isNumber = type === 'int64' && typeof value === 'number';
    const found = isNumber ? `number ${value}` : valueKind(value);
    throw serverFailure(fieldMismatch(found, `Toleration.${name}`, type).message);
  };
  const isText = (value: unknown): boolean => typeof value === 'string';
  const members = {
    key: member('key', isText, 'string'),
    operator: member('operator', isText, 'string'),
    value: member('value', isText, 'string'),
    effect: member('effect', isText, 'string'),
    tolerationSeconds: member('tolerationSeconds', Number.isSafeInteger, 'int64'),
  };
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as Toleration;
}
