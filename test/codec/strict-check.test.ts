import t from 'tap';
import type { FieldSchema, SchemaModel } from '../../src/codec/model/schema-model.ts';
import {
  compileStrictCheck,
  repeatedMembers,
  strictDecodingError,
} from '../../src/codec/json/strict-check.ts';
import { model } from './proto-model.ts';

const checkConfigMap = compileStrictCheck(model, 'core.v1.ConfigMap');
const checkDeployment = compileStrictCheck(model, 'apps.v1.Deployment');

t.test('problems of a deployment, in the order of the document', async (t) => {
  const text = `{
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
      "name": "a",
      "name": "web",
      "other": "x",
      "labels": {"app": "web"}
    },
    "spec": {
      "first": "v",
      "twice": "v",
      "twice": {"replicas": 1, "replicas": 2},
      "paused": true,
      "paused": false,
      "selector": {"matchLabels": {"app": "web"}},
      "template": {
        "metadata": {"labels": {"app": "web"}},
        "spec": {
          "containers": [
            {
              "name": "web",
              "image": "web:1",
              "inside": "v",
              "imagePullPolicy": "Always",
              "imagePullPolicy": "Never"
            }
          ]
        }
      }
    }
  }`;
  const problems = [
    'duplicate field "metadata.name"',
    'unknown field "metadata.other"',
    'unknown field "spec.first"',
    'unknown field "spec.twice"',
    'duplicate field "spec.paused"',
    'unknown field "spec.template.spec.containers[0].inside"',
    'duplicate field "spec.template.spec.containers[0].imagePullPolicy"',
  ];
  t.same(checkDeployment(text), problems);
  t.equal(strictDecodingError([], problems), `strict decoding error: ${problems.join(', ')}`);
  t.equal(
    strictDecodingError(['line 5: key "a" already set in map', 'line 9: b'], problems.slice(0, 2)),
    'strict decoding error: yaml: unmarshal errors:\n  line 5: key "a" already set in map\n' +
      '  line 9: b, duplicate field "metadata.name", unknown field "metadata.other"',
  );
});

t.test('what is in a config map', async (t) => {
  const cases: [text: string, problems: string[]][] = [
    ['null', []],
    ['[{"x":1}]', []],
    ['"x"', []],
    ['{}', []],
    [' {\n} ', []],
    ['{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"b"},"binaryData":{"c":"ZA=="}}', []],
    ['{"data":null,"metadata":null,"immutable":null}', []],
    ['{"Data":{},"metaData":{},"Kind":"x"}', ['"Data"', '"metaData"', '"Kind"'].map(unknown)],
    ['{"kind":"a","kind":"b"}', ['duplicate field "kind"']],
    ['{"metadata":{"kind":"x"}}', ['unknown field "metadata.kind"']],
    ['{"data":{"a":"1","b":"2","a":"3","a":"4"}}', ['duplicate field "data.a"']],
    ['{"data":{"x.y/z":"1","x.y/z":"2"}}', ['duplicate field "data.x.y/z"']],
    ['{"metadata":{"labels":{"a":"","a":""}}}', ['duplicate field "metadata.labels.a"']],
    ['{"data":{"":"","":""}}', ['duplicate field "data."']],
    ['{"":1}', [unknown('""')]],
    ['{"\\u0064ata":{},"d\\u0061ta":{}}', ['duplicate field "data"']],
    ['{"data":{"\\u0061":"","a":""}}', ['duplicate field "data.a"']],
    ['{"data":{"\\ud800":"","\\udfff":""}}', ['duplicate field "data.\ufffd"']],
    ['{"__proto__":{},"constructor":1}', ['"__proto__"', '"constructor"'].map(unknown)],
    ['{"data":{"__proto__":"","constructor":""}}', []],
    ['{"data":{"__proto__":"","__proto__":""}}', ['duplicate field "data.__proto__"']],
    ['{"x":{"y":1,"y":2,"z":[{"a":"}]"}]},"y":"\\"}"}', ['"x"', '"y"'].map(unknown)],
    ['{"x":1,"x":2}', [unknown('"x"')]],
    [
      '{"metadata":{"x":1},"metadata":{"x":2}}',
      [unknown('"metadata.x"'), 'duplicate field "metadata"'],
    ],
    ['{"metadata":[{"x":1}],"data":[1],"immutable":{"x":1}}', []],
    [
      '{"metadata":{"ownerReferences":[null,{},{"x":1}]}}',
      [unknown('"metadata.ownerReferences[2].x"')],
    ],
    ['{"metadata":{"managedFields":[{"fieldsV1":{"f:x":{},"f:x":{}}}]}}', []],
    ['{"a\\"\\\\\\n\\u0000\\u007f\\u00e9\\u2028":1}', [unknown('"a\\"\\\\\\n\\x00\\x7fé\\u2028"')]],
  ];
  for (const [text, problems] of cases) t.same(checkConfigMap(text), problems, text);
});

function unknown(path: string): string {
  return `unknown field ${path}`;
}

t.test('kinds inside kinds have a kind and a version, templates have none', async (t) => {
  const check = compileStrictCheck(model, 'apps.v1.StatefulSet');
  const claim = '{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"a"},"x":1}';
  t.same(check(`{"spec":{"volumeClaimTemplates":[${claim}],"template":{"kind":"Pod"}}}`), [
    'unknown field "spec.volumeClaimTemplates[0].x"',
    'unknown field "spec.template.kind"',
  ]);
});

t.test('members of inline messages are members of the parent', async (t) => {
  const check = compileStrictCheck(model, 'core.v1.PersistentVolume');
  t.same(check('{"spec":{"hostPath":{"path":"/","x":1},"persistentVolumeSource":{}}}'), [
    'unknown field "spec.hostPath.x"',
    'unknown field "spec.persistentVolumeSource"',
  ]);
});

t.test('no more than 100 problems, each once', async (t) => {
  const names = Array.from({ length: 150 }, (_, index) => `"x${index}":1`);
  const problems = checkConfigMap(`{${[...names, ...names].join()}}`);
  t.equal(problems.length, 100);
  t.equal(problems.at(-1), 'unknown field "x99"');
  const same = `{${'"x":1,"data":{},'.repeat(200)}"y":1}`;
  t.same(checkConfigMap(same), [unknown('"x"'), 'duplicate field "data"', unknown('"y"')]);
});

const RECURSIVE = recursiveModel({ name: 'next', type: 'x.v1.Root' });
const RECURSIVE_MAP = recursiveModel({ name: 'next', type: 'x.v1.Root', container: 'map' });

function recursiveModel(field: Pick<FieldSchema, 'name' | 'type'> & Partial<FieldSchema>) {
  const next: FieldSchema = { number: 1, container: 'single', ...field };
  return { messages: { 'x.v1.Root': { name: 'x.v1.Root', fields: [next] } } } satisfies SchemaModel;
}

t.test('depth does not exhaust the stack', async (t) => {
  const depth = 200_000;
  const known = `${'{"next":'.repeat(depth)}{"x":1}${'}'.repeat(depth)}`;
  const [problem, ...others] = compileStrictCheck(RECURSIVE, 'x.v1.Root')(known);
  t.equal(problem?.length, 'unknown field ""'.length + depth * 'next.'.length + 1);
  t.same(others, []);
  t.same(checkConfigMap(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`), [unknown('"x"')]);
});

t.test('problems under long keys do not add up without end', async (t) => {
  const key = 'k'.repeat(1_000_000);
  const members = Array.from({ length: 90 }, (_, index) => `"x${index}":1`).join();
  const problems = compileStrictCheck(
    RECURSIVE_MAP,
    'x.v1.Root',
  )(`{"next":{"${key}":{${members}}}}`);
  t.equal(problems.length, 2);
});

t.test('many keys are looked up, not compared with each other', async (t) => {
  const keys = Array.from({ length: 200_000 }, (_, index) => `"k${index}":""`).join();
  t.same(checkConfigMap(`{"data":{${keys},"k77777":""}}`), ['duplicate field "data.k77777"']);
});

t.test('of a document without a message, names that come twice, each once', async (t) => {
  for (const [text, names] of [
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', []],
    ['{"labels":{"a":"b","a":"c"},"spec":{"a":1, "a":2,"e":{"s":{},"s":{}}}}', ['"a"', '"s"']],
    ['{"a":1,"\\u0061":2,"__proto__":1,"__proto__":2}', ['"a"', '"__proto__"']],
    ['[{"x y\\"":[],"x y\\"":[[{"z":{},"z":1}]]}]', ['"x y\\""', '"z"']],
    [' {"a" : "{\\"b\\":1,\\"b\\":2}" , "a":null} ', ['"a"']],
    ['5', []],
  ] as const) {
    const told = names.map((name) => `duplicate field ${name}`);
    t.same(repeatedMembers(text), told, text);
  }
  const members = Array.from({ length: 500 }, (_, at) => `"n${at}":1,"n${at}":2`).join();
  t.equal(repeatedMembers(`{${members}}`).length, 100);
  const deep = `${'{"a":['.repeat(5000)}{"b":1,"b":2}${']}'.repeat(5000)}`;
  t.same(repeatedMembers(deep), ['duplicate field "b"']);
});
