// Lists as sets and maps: which items repeat others.
import t from 'tap';
import { listErrors } from '../../src/schema/lists.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { parseUnstructured } from '../../src/schema/unstructured.ts';

const SET = { 'x-kubernetes-list-type': 'set' };
const keyed = (...keys: string[]): SchemaJson => ({
  type: 'array',
  items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

function errorsOf(spec: SchemaJson, text: string): string[] {
  const schema = new StructuralSchema({ type: 'object', properties: { spec } });
  const object = parseUnstructured(`{"spec":${text}}`) as Record<string, unknown>;
  return listErrors(schema, object).map(({ field, message, reason }) => {
    const isDuplicate = reason === 'FieldValueDuplicate';
    return `${isDuplicate ? '' : `${reason} `}${field}: ${message}`;
  });
}

t.test('what repeats', async (t) => {
  const strings = { type: 'array', items: { type: 'string' }, ...SET };
  const lists = { type: 'array', items: { type: 'array', items: { type: 'integer' } }, ...SET };
  const map = { type: 'object', additionalProperties: strings };
  for (const [what, schema, text, errors] of [
    ['nothing', strings, '["a","b"]', []],
    [
      'scalars, each once',
      strings,
      '["a","b","a","b","a"]',
      [2, 3].map((at) => `spec[${at}]: Duplicate value: "${at === 2 ? 'a' : 'b'}"`),
    ],
    ['scalars of different types differ', strings, '["1",1,true,"true",null]', []],
    ['null', strings, '[null,null]', ['spec[1]: Duplicate value: "null"']],
    [
      'large integers',
      strings,
      '[9007199254740993,9007199254740992,9007199254740993]',
      ['spec[2]: Duplicate value: 9007199254740993'],
    ],
    ['lists', lists, '[[1,2],[2,1],[1,2]]', ['spec[2]: Duplicate value: []interface {}{1, 2}']],
    ['text that is like a list', lists, '[[1],"[1]"]', []],
    ['members of maps', map, '{"k.x":["a","a"]}', ['spec[k.x][1]: Duplicate value: "a"']],
    [
      'lists in lists',
      { type: 'array', items: strings },
      '[["a"],["b","b"]]',
      ['spec[1][1]: Duplicate value: "b"'],
    ],
    ['atomic lists', { type: 'array', items: { type: 'string' } }, '["a","a"]', []],
    [
      'a key',
      keyed('a'),
      '[{"a":"x"},{"a":"y"},{"a":"x","b":1}]',
      ['spec[2]: Duplicate value: map[string]interface {}{"a":"x"}'],
    ],
    [
      'no key',
      keyed('a'),
      '[{"b":1},{"a":"x"},{},null]',
      ['spec[2]: Duplicate value: map[string]interface {}{}'],
    ],
    [
      'two keys',
      keyed('b', 'a'),
      '[{"a":"x","b":1},{"a":"x","b":2},{"b":1,"a":"x"},{"a":"x"}]',
      ['spec[2]: Duplicate value: map[string]interface {}{"a":"x", "b":1}'],
    ],
    [
      'what is no object',
      keyed('a'),
      '[{"a":"x"},{"a":"x"},5]',
      [
        'FieldValueInvalid spec[2]: Invalid value: 5: must be an object for an array of list-type map',
      ],
    ],
    ['no list at all', strings, '{"a":"x"}', []],
  ] as const) {
    t.same(errorsOf(schema, text), errors, what);
  }
});
