/** Schemas of custom resources have schemas in places that may hold something else too. */
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { model } from './proto-model.ts';

const json = compileJsonCodec(model, 'apiextensions.v1.JSONSchemaProps');

/** Reads a document and writes it again. */
function rewritten(document: string): string {
  return `{${json.encode(json.decode(document).object)}`;
}

t.test('unknown members are dropped wherever a schema stands', async (t) => {
  const schema = '{"a":1,"default":{"a":1},"type":"string"}';
  const kept = '{"type":"string","default":{"a":1}}';
  const rows = [
    ['"items":S', '"items":K'],
    [
      '"items":{"items":{"additionalProperties":S}}',
      '"items":{"items":{"additionalProperties":K}}',
    ],
    ['"items":[S,S]', '"items":[K,K]'],
    [
      '"additionalProperties":S,"properties":{"x":{"items":S}}',
      '"properties":{"x":{"items":K}},"additionalProperties":K',
    ],
    ['"additionalItems":S', '"additionalItems":K'],
    ['"dependencies":{"x":S,"y":["z"]}', '"dependencies":{"x":K,"y":["z"]}'],
    ['"not":{"items":S}', '"not":{"items":K}'],
  ] as const;
  for (const [given, expected] of rows) {
    t.equal(rewritten(`{${given.replaceAll('S', schema)}}`), `{${expected.replaceAll('K', kept)}}`);
  }
});

t.test('values and numbers below stay as they were sent', async (t) => {
  const schema =
    '{"default":{"b":1.0,"a":12345678901234567890},"maximum":1e3,"maxLength":9007199254740993}';
  const kept =
    '{"default":{"b":1.0,"a":12345678901234567890},"maximum":1000,"maxLength":9007199254740993}';
  t.equal(rewritten(`{"items":[${schema}]}`), `{"items":[${kept}]}`);
  t.equal(
    rewritten(`{"additionalProperties":{"enum":[1.0,{"a":1}],"items":${schema}}}`),
    `{"additionalProperties":{"enum":[1.0,{"a":1}],"items":${kept}}}`,
  );
  t.equal(
    rewritten('{"items":{"default":1.0},"items":{"default":2.0}}'),
    '{"items":{"default":2.0}}',
  );
});

t.test('what else may stand there', async (t) => {
  const rows = [
    ['"additionalProperties":true', '"additionalProperties":true'],
    ['"additionalProperties":false', '"additionalProperties":false'],
    ['"additionalProperties":null,"items":null', ''],
    ['"items":5', ''],
    ['"items":"x"', ''],
    ['"items":[]', ''],
    ['"items":[null]', '"items":[{}]'],
    ['"dependencies":{"a":5}', '"dependencies":{"a":null}'],
    ['"dependencies":{"a":[null]}', '"dependencies":{"a":[""]}'],
  ] as const;
  for (const [given, expected] of rows) t.equal(rewritten(`{${given}}`), `{${expected}}`, given);
});

t.test('errors name the outermost of the fields that read themselves', async (t) => {
  const rows = [
    ['"properties":{"x":{"items":{"type":5}}}', 'number', 'properties.items', 'string'],
    ['"items":{"items":{"additionalProperties":{"maxLength":"a"}}}', 'string', 'items', 'int64'],
    ['"items":[{"maxLength":1.5}]', 'number 1.5', 'items', 'int64'],
    ['"items":[5]', 'number', 'items', 'v1.JSONSchemaProps'],
    ['"dependencies":{"a":["b",5]}', 'number', 'dependencies', 'string'],
  ] as const;
  for (const [given, value, field, type] of rows) {
    const message = `json: cannot unmarshal ${value} into Go struct field JSONSchemaProps.${field} of type ${type}`;
    t.throws(() => json.decode(`{${given}}`), { message });
  }
  for (const value of ['5', '"x"', '[]']) {
    t.throws(() => json.decode(`{"additionalProperties":${value}}`), {
      message: 'boolean or JSON schema expected',
    });
  }
});

t.test('schemas nest deeply', async (t) => {
  const text = `${'{"items":'.repeat(1000)}{"type":"string"}${'}'.repeat(1000)}`;
  t.equal(rewritten(text), text);
});
