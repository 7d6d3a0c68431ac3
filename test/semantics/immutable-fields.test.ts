// The `immutable` option of proto/, `field is immutable`.
import t from 'tap';
import type { FieldSchema, SchemaModel } from '../../src/codec/model/schema-model.ts';
import { immutableCheck } from '../../src/semantics/validation/immutable-fields.ts';

function field(name: string, type: string, rest: Partial<FieldSchema> = {}): FieldSchema {
  return { name, number: 1, type, container: 'single', ...rest };
}

const immutable = true;
const MODEL: SchemaModel = {
  messages: {
    'x.Kind': {
      name: 'x.Kind',
      fields: [
        field('type', 'string', { immutable }),
        field('topology', 'x.Part', { immutable, presence: true }),
        field('part', 'x.Part', { presence: true }),
        field('parts', 'x.Part', { container: 'list' }),
      ],
    },
    'x.Part': {
      name: 'x.Part',
      fields: [field('mode', 'string', { immutable }), field('self', 'x.Part')],
    },
  },
};

const check = immutableCheck(MODEL, 'x.Kind');

type Case = readonly [name: string, object: object, stored: object, errors: readonly string[]];

const CASES: readonly Case[] = [
  ['nothing changed', { type: 'a' }, { type: 'a' }, []],
  ['a change', { type: 'b' }, { type: 'a' }, ['type: Invalid value: "b": field is immutable']],
  ['a removal', {}, { type: 'a' }, ['type: Invalid value: "": field is immutable']],
  ['absent is the same as empty', { type: '' }, {}, []],
  [
    'absent differs from empty where presence counts',
    {},
    { topology: {} },
    ['topology: Invalid value: "null": field is immutable'],
  ],
  [
    'a field of a message below',
    { part: { mode: 'b' } },
    { part: { mode: 'a' } },
    ['part.mode: Invalid value: "b": field is immutable'],
  ],
  ['items of lists are not compared', { parts: [{ mode: 'b' }] }, { parts: [{ mode: 'a' }] }, []],
];

for (const [name, object, stored, errors] of CASES) {
  const texts = check(object, stored).map(({ field, message }) => `${field}: ${message}`);
  t.same(texts, errors, name);
}
