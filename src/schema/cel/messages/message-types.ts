/** The types of the messages that expressions of mutating policies construct. */
import { simple, type ObjectType, type Type } from '../types.ts';

const DYN = simple('dyn');
const STRING = simple('string');

const PATCH_FIELDS: Readonly<Record<string, Type>> = {
  op: STRING,
  path: STRING,
  from: STRING,
  value: DYN,
};

/** An operation of a JSON patch. */
const JSON_PATCH: ObjectType = {
  kind: 'object',
  name: 'JSONPatch',
  field: (name) => (Object.hasOwn(PATCH_FIELDS, name) ? PATCH_FIELDS[name] : undefined),
};

/** Gives the type of a message; undefined where there is none of that name. */
export function patchMessage(name: string): ObjectType | undefined {
  if (name === JSON_PATCH.name) return JSON_PATCH;
  // The members of an object of the type are unknown where an expression is checked.
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { kind: 'object', name, field: () => DYN };
}
