import t from 'tap';
import { loadDescriptions } from '../../src/codec/model/proto-descriptions.ts';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { LEAF_TYPES } from '../../src/codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../src/codec/model/schema-walk.ts';
import { messageTypes } from '../../tools/message-types.ts';
import { WHOLE_MODEL as model } from './proto-model.ts';

const HEAD = 'syntax = "proto2"; package demo.v1;';

function fieldsOf(body: string): unknown {
  const files = { 'demo/v1.proto': `${HEAD} message Demo { ${body} }` };
  return loadSchemaModel(files).messages['demo.v1.Demo']?.fields;
}

t.test('options, containers and types become fields', async (t) => {
  t.same(fieldsOf('optional string a = 3 [(always) = true, (required) = true];'), [
    { name: 'a', number: 3, type: 'string', container: 'single', always: true, required: true },
  ]);
  t.same(fieldsOf('repeated Demo a = 1 [(list_map_keys) = "x", (list_map_keys) = "y"];'), [
    { name: 'a', number: 1, type: 'demo.v1.Demo', container: 'list', listMapKeys: ['x', 'y'] },
  ]);
  t.same(fieldsOf('map<string, bytes> a = 1 [(key_format) = "config-key"];'), [
    { name: 'a', number: 1, type: 'bytes', container: 'map', keyFormat: 'config-key' },
  ]);
  t.same(fieldsOf('optional int32 a = 1 [(default_value) = "3", (minimum) = -2];'), [
    { name: 'a', number: 1, type: 'int32', container: 'single', default: 3, minimum: -2 },
  ]);
  t.same(fieldsOf('optional bool a = 1 [(default_value) = "false"];'), [
    { name: 'a', number: 1, type: 'bool', container: 'single', default: false },
  ]);
  t.same(fieldsOf('optional string a = 1 [json_name = "$a", (presence) = true];'), [
    { name: '$a', number: 1, type: 'string', container: 'single', presence: true },
  ]);
});

t.test('a wrong schema is refused by name', async (t) => {
  const cases: [body: string, message: RegExp][] = [
    ['optional string a = 1 [(requierd) = true];', /demo\.v1\.Demo\.a: option requierd/],
    ['optional Nothing a = 1;', /demo\.v1\.Demo: type Nothing/],
    ['optional string a = 1 [(list_type) = "bag"];', /demo\.v1\.Demo\.a: value bag/],
    ['map<int32, string> a = 1;', /demo\.v1\.Demo\.a: map keys/],
    ['optional int32 a = 1 [(default_value) = "x"];', /demo\.v1\.Demo\.a: x is not a number/],
    ['optional string a = ;', /demo\/v1\.proto does not parse/],
  ];
  for (const [body, message] of cases) t.throws(() => fieldsOf(body), { message });
});

t.test('every field of the committed schema resolves, with unique numbers and names', async (t) => {
  const leaves: readonly string[] = LEAF_TYPES;
  for (const message of Object.values(model.messages)) {
    const numbers = new Set(message.fields.map((field) => field.number));
    t.equal(numbers.size, message.fields.length, `${message.name} numbers`);
    const names = jsonFields(model, message).map((field) => field.name);
    t.equal(new Set(names).size, names.length, `${message.name} names`);
    for (const { type } of message.fields) {
      if (isMessageType(type)) messageNamed(model, type);
      else t.ok(leaves.includes(type), type);
    }
  }
});

t.test('the committed schema says what the reference says', async (t) => {
  const field = (message: string, name: string): unknown =>
    messageNamed(model, message).fields.find((candidate) => candidate.name === name);
  t.match(field('coordination.v1.LeaseSpec', 'renewTime'), { number: 4, type: 'MicroTime' });
  t.match(field('core.v1.ConfigMap', 'immutable'), { number: 4, presence: true });
  t.match(field('batch.v1.CronJobSpec', 'concurrencyPolicy'), {
    default: 'Allow',
    enumValues: ['Allow', 'Forbid', 'Replace'],
  });
  t.match(field('core.v1.PodSpec', 'volumes'), {
    patchStrategy: ['merge', 'retainKeys'],
    mergeKey: 'name',
  });
  t.match(field('core.v1.ServiceSpec', 'ports'), {
    listType: 'map',
    listMapKeys: ['port', 'protocol'],
    patchStrategy: ['merge'],
    mergeKey: 'port',
  });
  t.match(field('apps.v1.DeploymentSpec', 'strategy'), { patchStrategy: ['retainKeys'] });
  t.match(field('networking.v1.IngressRule', 'ingressRuleValue'), { number: 2, inline: true });
  t.match(field('policy.v1.PodDisruptionBudgetStatus', 'disruptedPods'), {
    type: 'Time',
    container: 'map',
  });
  t.match(field('apiextensions.v1.JSONSchemaProps', 'x-kubernetes-list-type'), { number: 42 });
  t.equal(messageNamed(model, 'core.v1.EndpointAddress').atomic, true);
  t.equal(messageNamed(model, 'meta.v1.LabelSelector').atomic, true);
  t.match(messageNamed(model, 'meta.v1.Unknown.TypeMeta').fields, [{ name: 'apiVersion' }, {}]);
});

t.test('descriptions are the comments directly above', async (t) => {
  const text = `
// Head of the file.
syntax = "proto2"; package demo.v1;

// Of nobody.

// What it is, over
// two lines.
//
// More.
message Demo {
  option (struct_type) = "atomic";
  // Internal.

  // One of:
  // - \`A\`: the first,
  //   which goes on.
  // - \`B\`: the second.
  //
  // The end.
  optional string a = 1; // beside it
  optional string b = 2;
  // Named otherwise.
  map<string, string> c = 3 [
    // Internal.
    json_name = "$c"
  ];
  // Inside.
  message Inner { optional int32 d = 1; }
}`;
  t.same(loadDescriptions({ 'demo/v1.proto': text }), {
    'demo.v1.Demo': 'What it is, over two lines.\n\nMore.',
    'demo.v1.Demo.a': 'One of:\n- `A`: the first, which goes on.\n- `B`: the second.\n\nThe end.',
    'demo.v1.Demo.$c': 'Named otherwise.',
    'demo.v1.Demo.Inner': 'Inside.',
  });
});

t.test('messages become types of what is decoded', async (t) => {
  const files = {
    'other/v1.proto': `syntax = "proto2"; package other.v1;
message Part { optional string text = 1; }`,
    'demo/v1.proto': `${HEAD}
message Demo {
  optional meta.v1.ObjectMeta metadata = 1;
  optional int64 count = 2;
  repeated meta.v1.IntOrString shares = 3;
  map<string, bytes> data = 4;
  optional other.v1.Part part = 5 [(inline) = true];
  optional string reference = 6 [(json_name) = "$ref"];
  repeated Inner inner = 7;
  message Inner { optional meta.v1.RawExtension raw = 1; optional meta.v1.Time at = 2; }
}
message DemoList { repeated Demo items = 2; }`,
    'meta/v1.proto': `syntax = "proto2"; package meta.v1;
message ObjectMeta { optional string name = 1; }
message IntOrString {} message RawExtension {} message Time {}`,
  };
  const types = messageTypes(loadSchemaModel(files), '../..');
  t.same([...types.keys()], ['other.v1.ts', 'demo.v1.ts', 'meta.v1.ts']);
  t.equal(
    types.get('demo.v1.ts'),
    `// Made from proto/ by tools/build.ts: package demo.v1.
import type { ObjectMeta } from '../../src/semantics/metadata/object-meta.ts';
import type { RawJson } from '../../src/codec/json/raw-json.ts';
import type * as other_v1 from './other.v1.ts';

export type Demo = other_v1.Part & {
  metadata: ObjectMeta;
  count?: number | bigint;
  shares?: (number | string)[];
  data?: Record<string, string>;
  "$ref"?: string;
  inner?: DemoInner[];
};

export type DemoInner = {
  raw?: RawJson;
  at?: string;
};

export type DemoList = {
  items?: Demo[];
};
`,
  );
});
