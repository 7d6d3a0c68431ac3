// Values break their schema, in the words of the reference: each case was run through its own
// validation, release 1.23.17.
import fc from 'fast-check';
import t from 'tap';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { parseUnstructured } from '../../src/schema/unstructured.ts';
import { compileValueValidator } from '../../src/schema/validate.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import { SCHEMAS, VALUES } from '../support/schema-cases.ts';

function errorsOf(schema: SchemaJson, text: string, path = ''): FieldError[] {
  return compileValueValidator(new StructuralSchema(schema))(parseUnstructured(text), path);
}

/** The case, the schema and the text of `spec`, and the errors: their field and message. */
type Case = readonly [string, SchemaJson, string, readonly (readonly [string, string])[]];

// prettier-ignore
const CASES: readonly Case[] = [
  ['a string for an integer', {"type":"integer"}, '"x"', [['spec', 'Invalid value: "string": spec in body must be of type integer: "string"']]],
  ['a float for an integer', {"type":"integer"}, '1.5', [['spec', 'Invalid value: "number": spec in body must be of type integer: "number"']]],
  ['a float that is nearly an integer', {"type":"integer"}, '1.0000000001', []],
  ['an integer for a number', {"type":"number"}, '1', []],
  ['an integer for a string', {"type":"string"}, '1', [['spec', 'Invalid value: "integer": spec in body must be of type string: "integer"']]],
  ['an integer beyond 2^53', {"type":"integer"}, '9007199254740993', []],
  ['an integer beyond int64', {"type":"integer"}, '1e19', [['spec', 'Invalid value: "number": spec in body must be of type integer: "number"']]],
  ['a float beyond 2^53', {"type":"integer"}, '1e18', [['spec', 'Invalid value: "number": spec in body must be of type integer: "number"']]],
  ['null as an item', {"type":"array","items":{"type":"string"}}, '[null]', [['spec', 'Invalid value: "null": spec in body must be of type string: "null"']]],
  ['null where it may be', {"type":"string","nullable":true}, 'null', []],
  ['a boolean for an object', {"type":"object"}, 'true', [['spec', 'Invalid value: "boolean": spec in body must be of type object: "boolean"']]],
  ['an array for an object', {"type":"object"}, '[]', [['spec', 'Invalid value: "array": spec in body must be of type object: "array"']]],
  ['an object for an array', {"type":"array","items":{"type":"integer"}}, '{}', [['spec', 'Invalid value: "object": spec in body must be of type array: "object"']]],
  ['an integer or a string', {"x-kubernetes-int-or-string":true}, '1', []],
  ['a boolean for an integer or a string', {"x-kubernetes-int-or-string":true}, 'true', [['spec', 'Invalid value: "boolean": spec in body must be of type integer,string: "boolean"']]],
  ['a float for an integer or a string', {"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}, '1.5', [['spec', 'Invalid value: "number": spec in body must be of type integer,string: "number"'], ['<nil>', 'Invalid value: "": "spec" must validate at least one schema (anyOf)'], ['spec', 'Invalid value: "number": spec in body must be of type integer: "number"']]],
  ['int32 is not checked', {"type":"integer","format":"int32"}, '3000000000', []],
  ['a format that nobody knows', {"type":"string","format":"foo"}, '"x"', []],
  ['a date', {"type":"string","format":"date"}, '"2021-02-30"', [['spec', 'Invalid value: "2021-02-30": spec in body must be of type date: "2021-02-30"']]],
  ['a number for a date', {"type":"string","format":"date"}, '5', [['spec', 'Invalid value: "int64": spec in body must be of type date: "int64"']]],
  ['a float for a date', {"type":"string","format":"date"}, '1.5', [['spec', 'Invalid value: "float64": spec in body must be of type date: "float64"']]],
  ['a boolean for a date', {"type":"string","format":"date"}, 'true', [['spec', 'Invalid value: "": spec in body must be of type date: ""']]],
  ['an array for a date', {"type":"string","format":"date"}, '[]', []],
  ['a date with time', {"type":"string","format":"date-time"}, '"2021-12-07"', [['spec', 'Invalid value: "2021-12-07": spec in body must be of type date-time: "2021-12-07"']]],
  ['too long, of which patterns do not matter', {"type":"string","maxLength":2,"pattern":"^x$"}, '"abc"', [['spec', 'Invalid value: "abc": spec in body should be at most 2 chars long']]],
  ['too short', {"type":"string","minLength":3}, '"a😀"', [['spec', 'Invalid value: "a😀": spec in body should be at least 3 chars long']]],
  ['characters count, not units', {"type":"string","maxLength":2,"minLength":2}, '"😀😀"', []],
  ['a pattern', {"type":"string","pattern":"^[a-z]+$"}, '"A\\"b"', [['spec', "Invalid value: \"A\\\"b\": spec in body should match '^[a-z]+$'"]]],
  ['a pattern that is none', {"type":"string","pattern":"(?=a)"}, '"a"', [['spec', 'Invalid value: "a": spec in body should match \'(?=a), but pattern is invalid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`\'']]],
  ['a pattern of several lines', {"type":"string","pattern":"a$"}, '"a\\n"', [['spec', "Invalid value: \"a\\n\": spec in body should match 'a$'"]]],
  ['a pattern and a format', {"type":"string","pattern":"x","format":"ipv4"}, '"a"', [['spec', `Invalid value: "a": spec in body should match 'x'`], ['spec', 'Invalid value: "a": spec in body must be of type ipv4: "a"']]],
  ['the minimum', {"type":"integer","minimum":2}, '1', [['spec', 'Invalid value: 1: spec in body should be greater than or equal to 2']]],
  ['the minimum, excluded', {"type":"integer","minimum":2,"exclusiveMinimum":true}, '2', [['spec', 'Invalid value: 2: spec in body should be greater than 2']]],
  ['the maximum', {"type":"integer","maximum":1000000}, '1000001', [['spec', 'Invalid value: 1000001: spec in body should be less than or equal to 1000000']]],
  ['the maximum of floats', {"type":"number","maximum":1000000}, '1000000.5', [['spec', 'Invalid value: 1.0000005e+06: spec in body should be less than or equal to 1e+06']]],
  ['the maximum, excluded', {"type":"number","maximum":1.5,"exclusiveMaximum":true}, '1.5', [['spec', 'Invalid value: 1.5: spec in body should be less than 1.5']]],
  ['a bound of integers is cut', {"type":"number","minimum":1.5}, '1', []],
  ['a bound that int64 does not hold', {"type":"integer","maximum":10000000000000000000}, '0', [['spec', 'Invalid value: 0: spec in body should be less than or equal to -9223372036854775808']]],
  ['a bound beyond 2^53', {"type":"integer","maximum":9007199254740992}, '9007199254740993', [['spec', 'Invalid value: 9007199254740993: spec in body should be less than or equal to 9007199254740992']]],
  ['a multiple', {"type":"integer","multipleOf":3}, '4', [['spec', 'Invalid value: 4: spec in body should be a multiple of 3']]],
  ['a multiple of a float', {"type":"number","multipleOf":0.1}, '0.35', [['spec', 'Invalid value: 0.35: spec in body should be a multiple of 0.1']]],
  ['0.3 is a multiple of 0.1', {"type":"number","multipleOf":0.1}, '0.3', []],
  ['a negative factor', {"type":"number","multipleOf":-2}, '4', [['spec', 'Invalid value: -2: factor MultipleOf declared for spec must be positive: -2']]],
  ['a multiple, the minimum and the maximum', {"type":"integer","multipleOf":2,"minimum":5,"maximum":1}, '3', [['spec', 'Invalid value: 3: spec in body should be a multiple of 2'], ['spec', 'Invalid value: 3: spec in body should be greater than or equal to 5'], ['spec', 'Invalid value: 3: spec in body should be less than or equal to 1']]],
  ['an enumeration', {"type":"string","enum":["a","b\""]}, '"c"', [['spec', 'Unsupported value: "c": supported values: "a", "b\\""']]],
  ['an enumeration of numbers', {"type":"number","enum":[1,2.5]}, '2', [['spec', 'Unsupported value: 2: supported values: "1", "2.5"']]],
  ['a float is cut to an integer', {"type":"number","enum":[2]}, '2.5', []],
  ['null is never allowed', {"type":"string","nullable":true,"enum":["a",null]}, 'null', [['spec', 'Unsupported value: "null": supported values: "a", "null"']]],
  ['the number of a character', {"x-kubernetes-int-or-string":true,"enum":["a"]}, '97', []],
  ['an enumeration of objects', {"type":"object","x-kubernetes-preserve-unknown-fields":true,"enum":[{"a":1,"b":[null,1.5]}]}, '{"b":[null,"x",true],"a":9007199254740993}', [['spec', 'Unsupported value: map[string]interface {}{"a":9007199254740993, "b":[]interface {}{interface {}(nil), "x", true}}: supported values: "{\\"a\\":1,\\"b\\":[null,1.5]}"']]],
  ['an equal object', {"type":"object","x-kubernetes-preserve-unknown-fields":true,"enum":[{"a":1,"b":2}]}, '{"b":2,"a":1}', []],
  ['too few items', {"type":"array","items":{"type":"integer"},"minItems":2}, '[1]', [['spec', 'Invalid value: 1: spec in body should have at least 2 items']]],
  ['too many items', {"type":"array","items":{"type":"integer"},"maxItems":1}, '[1,2]', [['spec', 'Invalid value: 2: spec in body should have at most 1 items']]],
  ['items bear the path of their list, and are told once', {"type":"array","items":{"type":"integer"}}, '["a","b",true]', [['spec', 'Invalid value: "string": spec in body must be of type integer: "string"'], ['spec', 'Invalid value: "boolean": spec in body must be of type integer: "boolean"']]],
  ['objects in lists', {"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"}},"required":["y"]}}, '[{"x":"1"},{"x":"2","y":1}]', [['spec.x', 'Invalid value: "string": spec.x in body must be of type integer: "string"'], ['spec.y', 'Required value']]],
  ['repeated items', {"type":"array","items":{"type":"integer"},"uniqueItems":true}, '[1,1]', [['spec', `Invalid value: "": spec in body shouldn't contain duplicates`]]],
  ['too few members, of which nothing else is told', {"type":"object","properties":{"a":{"type":"integer"}},"minProperties":2}, '{"a":"x"}', [['spec', 'Invalid value: 2: spec in body should have at least 2 properties']]],
  ['too many members', {"type":"object","additionalProperties":{"type":"integer"},"maxProperties":1}, '{"a":1,"b":2}', [['spec', 'Invalid value: 1: spec in body should have at most 1 properties']]],
  ['members of maps', {"type":"object","additionalProperties":{"type":"integer"}}, '{"a.b":"x"}', [['spec.a.b', 'Invalid value: "string": spec.a.b in body must be of type integer: "string"']]],
  ['a required member', {"type":"object","properties":{"a":{"type":"integer"}},"required":["a","b"]}, '{}', [['spec.a', 'Required value'], ['spec.b', 'Required value']]],
  ['a required member that may be null', {"type":"object","properties":{"a":{"type":"integer","nullable":true}},"required":["a"]}, '{"a":null}', []],
  ['forbidden members', {"type":"object","additionalProperties":false}, '{"a":1}', [['spec', 'Invalid value: "a": spec.a in body is a forbidden property']]],
  ['any of', {"anyOf":[{"required":["a"]},{"required":["b"]}],"type":"object","x-kubernetes-preserve-unknown-fields":true}, '{"c":1}', [['<nil>', 'Invalid value: "": "spec" must validate at least one schema (anyOf)'], ['spec.a', 'Required value']]],
  ['any of, by what fits best', {"type":"object","x-kubernetes-preserve-unknown-fields":true,"anyOf":[{"required":["a"]},
    {"required":["b"],"properties":{"c":{"minimum":0},"d":{"minLength":2}}}]},
    '{"c":1,"d":"x"}', [['<nil>', 'Invalid value: "": "spec" must validate at least one schema (anyOf)'], ['spec.d', 'Invalid value: "x": spec.d in body should be at least 2 chars long'], ['spec.b', 'Required value']]],
  ['one of none', {"type":"integer","oneOf":[{"minimum":5},{"maximum":1}]}, '3', [['<nil>', 'Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid'], ['spec', 'Invalid value: 3: spec in body should be greater than or equal to 5']]],
  ['one of two', {"type":"integer","oneOf":[{"minimum":1},{"minimum":2}]}, '3', [['<nil>', 'Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives']]],
  ['one of one', {"type":"integer","oneOf":[{"minimum":1},{"minimum":5}]}, '3', []],
  ['all of', {"type":"integer","allOf":[{"minimum":5},{"maximum":10}]}, '3', [['spec', 'Invalid value: 3: spec in body should be greater than or equal to 5'], ['<nil>', 'Invalid value: "": "spec" must validate all the schemas (allOf)']]],
  ['all of none', {"type":"integer","allOf":[{"minimum":5},{"maximum":1}]}, '3', [['spec', 'Invalid value: 3: spec in body should be greater than or equal to 5'], ['spec', 'Invalid value: 3: spec in body should be less than or equal to 1'], ['<nil>', 'Invalid value: "": "spec" must validate all the schemas (allOf). None validated']]],
  ['not', {"type":"string","not":{"enum":["x"]}}, '"x"', [['<nil>', 'Invalid value: "": "spec" must not validate the schema (not)']]],
  ['combinations in each other', {"type":"integer","allOf":[{"anyOf":[{"maximum":1},
    {"oneOf":[{"minimum":9}]}]},{"not":{"minimum":0}}]},
    '5', [['<nil>', 'Invalid value: "": "spec" must validate at least one schema (anyOf)'], ['<nil>', 'Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid'], ['spec', 'Invalid value: 5: spec in body should be greater than or equal to 9'], ['<nil>', 'Invalid value: "": "spec" must not validate the schema (not)'], ['<nil>', 'Invalid value: "": "spec" must validate all the schemas (allOf). None validated']]],
  ['quotes in the path', {"type":"object","properties":{"a\"b":{"not":{}}}}, '{"a\\"b":1}', [['<nil>', 'Invalid value: "": "spec.a\\"b" must not validate the schema (not)']]],
];

t.test('what is refused', async (t) => {
  for (const [what, spec, text, expected] of CASES) {
    const found = errorsOf({ type: 'object', properties: { spec } }, `{"spec":${text}}`);
    t.same(
      found.map(({ field, message }) => [field, message]),
      expected,
      what,
    );
  }
});

t.test('reasons', async (t) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', enum: ['x'] }, b: { type: 'integer' } },
    required: ['c'],
  };
  t.same(
    errorsOf(schema, '{"a":"y","b":"z"}').map(({ reason, field }) => [field, reason]),
    [
      ['a', 'FieldValueNotSupported'],
      ['b', 'FieldValueInvalid'],
      ['c', 'FieldValueRequired'],
    ],
  );
});

t.test('a value that is no object has a path of its own', async (t) => {
  const path = 'spec.versions[0].default';
  t.same(errorsOf({ type: 'integer' }, '"x"', path), [
    {
      reason: 'FieldValueInvalid',
      field: path,
      message: 'Invalid value: "string":  in body must be of type integer: "string"',
    },
  ]);
  const map = { type: 'object', additionalProperties: { type: 'integer' } };
  const [error] = errorsOf(map, '{"k":"x"}', path);
  t.equal(error?.field, `${path}.k`);
  t.equal(error?.message, 'Invalid value: "string": .k in body must be of type integer: "string"');
});

t.test('members that are undefined are absent', async (t) => {
  const schema = new StructuralSchema({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  });
  const [error] = compileValueValidator(schema)({ a: undefined }, '');
  t.equal(error?.message, 'Required value');
});

t.test('no pattern and no schema takes long', async (t) => {
  const long = 'ab'.repeat(100_000);
  for (const [schema, text] of [
    [{ type: 'string', pattern: '(a+)+$' }, `"${'a'.repeat(100_000)}b"`],
    [{ type: 'string', pattern: '^(?:a|b)*a(?:a|b){500}[cd]' }, `"${long}"`],
    [{ type: 'string', pattern: `(${'x'.repeat(100_000)})` }, '"a"'],
    [
      { type: 'array', items: { anyOf: Array<SchemaJson>(2000).fill({ minimum: 2 }) } },
      `[${'1,'.repeat(50_000)}1]`,
    ],
    [
      { type: 'array', items: { enum: Array.from({ length: 20_000 }, (_, at) => at) } },
      `[${'"",'.repeat(50_000)}1]`,
    ],
  ] as const) {
    const found = errorsOf({ type: 'object', properties: { spec: schema } }, `{"spec":${text}}`);
    t.ok(found.length > 0);
  }
  const [tooLong] = errorsOf(
    { type: 'string', pattern: '^(?:a|b)*a(?:a|b){500}[cd]' },
    `"${long}"`,
  );
  t.equal(tooLong?.message, 'Invalid value: "": "" must take less time to validate');
});

t.test('of many long errors the first are told', async (t) => {
  let schema: SchemaJson = { type: 'object', enum: [1] };
  let text = `{"a":"${'x'.repeat(100_000)}"}`;
  for (let depth = 0; depth < 1000; depth++) {
    schema = { type: 'object', enum: [1], properties: { a: schema } };
    text = `{"a":${text}}`;
  }
  t.ok(errorsOf(schema, text).length < 1000);
});

t.test('any value under any schema has an answer, and the same one again', async () => {
  fc.assert(
    fc.property(SCHEMAS, VALUES, (schema, value) => {
      const validate = compileValueValidator(new StructuralSchema(schema));
      return JSON.stringify(validate(value, '')) === JSON.stringify(validate(value, ''));
    }),
  );
});
