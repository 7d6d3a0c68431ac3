// Documents by the schema of their kind. More tables are in test/apply.
import t from 'tap';
import { model as MODEL } from '../../codec/proto-model.ts';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { parseFieldsV1 } from '../../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../../src/semantics/fields/field-set-text.ts';
import type { FieldSet } from '../../../src/semantics/fields/field-set.ts';
import { compileFieldTypes } from '../../../src/semantics/fields/field-types.ts';
import { orderOfMerge } from '../../../src/semantics/fields/merge-order.ts';
import { checkDocument } from '../../../src/semantics/fields/check-document.ts';
import { mergeDocuments } from '../../../src/semantics/fields/merge-documents.ts';
import {
  fieldSetOf,
  removeFields,
  withNamedFields,
} from '../../../src/semantics/fields/typed-document.ts';
import { documentText, parseDocument } from '../../../src/semantics/patch/document.ts';

const POD = compileFieldTypes(MODEL, 'core.v1.Pod');
const CONFIG_MAP = compileFieldTypes(MODEL, 'core.v1.ConfigMap');
const REVISION = compileFieldTypes(MODEL, 'apps.v1.ControllerRevision');

function parse(text: string): Members {
  return parseDocument(text) as Members;
}

function parseSet(text: string): FieldSet {
  return parseFieldsV1(JSON.parse(text));
}

const OMITTED = 'associative list with keys has an element that omits key field';
const NO_DEFAULT = "(and doesn't have default value)";

t.test('what does not fit the schema', async (t) => {
  for (const [text, expected] of [
    ['{"spec":{"foo":1}}', '.spec.foo: field not declared in schema'],
    ['{"__proto__":1}', '.__proto__: field not declared in schema'],
    ['{"spec":"x"}', '.spec: expected map, got &{x}'],
    ['{"spec":[{"b":true,"a":[1,null]}]}', '.spec: expected map, got &{[map[a:[1 <nil>] b:true]]}'],
    ['{"spec":{"containers":{}}}', '.spec.containers: expected list, got &{map[]}'],
    [
      '{"spec":{"nodeName":1}}',
      '.spec.nodeName: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      '{"spec":{"nodeName":{"b":[1.5,"x",null],"a":1000000}}}',
      '.spec.nodeName: expected string, got &value.valueUnstructured{Value:' +
        'map[string]interface {}{"a":1e+06, "b":[]interface {}{1.5, "x", interface {}(nil)}}}',
    ],
    ['{"spec":{"priority":"1"}}', '.spec.priority: expected numeric (int or float), got string'],
    ['{"spec":{"priority":true}}', '.spec.priority: expected numeric (int or float), got bool'],
    [
      '{"spec":{"priority":{}}}',
      '.spec.priority: expected numeric (int or float), got map[string]interface {}',
    ],
    [
      '{"spec":{"priority":[]}}',
      '.spec.priority: expected numeric (int or float), got []interface {}',
    ],
    ['{"spec":{"hostIPC":"true"}}', '.spec.hostIPC: expected boolean, got &{true}'],
    [
      '{"spec":{"containers":[{"name":"x","foo":1}]}}',
      '.spec.containers[name="x"].foo: field not declared in schema',
    ],
    [
      '{"spec":{"imagePullSecrets":[{"name":"x"},{},{"foo":1}]}}',
      `.spec.imagePullSecrets: element 1: ${OMITTED} "name" ${NO_DEFAULT}`,
    ],
    [
      '{"spec":{"containers":[{"image":"x"},{"name":""}]}}',
      '.spec.containers: duplicate entries for key [name=""]',
    ],
    [
      '{"spec":{"containers":[{"name":"x"},{"name":"x"}]}}',
      '.spec.containers: duplicate entries for key [name="x"]',
    ],
    [
      '{"spec":{"containers":[{"name":"x","ports":[{"containerPort":80},' +
        '{"protocol":"TCP","containerPort":80}]}]}}',
      '.spec.containers[name="x"].ports: ' +
        'duplicate entries for key [containerPort=80,protocol="TCP"]',
    ],
    [
      '{"spec":{"containers":[null]}}',
      '.spec.containers: element 0: associative list with keys may not have a null element',
    ],
    [
      '{"spec":{"containers":["x"]}}',
      '.spec.containers: element 0: associative list with keys may not have non-map elements',
    ],
    [
      '{"metadata":{"finalizers":[null]}}',
      '.metadata.finalizers: element 0: ' +
        "associative list without keys has an element that's an explicit null",
    ],
    [
      '{"metadata":{"finalizers":[{}]}}',
      '.metadata.finalizers: element 0: ' +
        "associative list without keys has an element that's a map type",
    ],
    [
      '{"metadata":{"finalizers":[[]]}}',
      '.metadata.finalizers: element 0: ' +
        'not supported: associative list with lists as elements',
    ],
    [
      '{"spec":{"tolerations":[{"key":"a"},{"foo":"b"}]}}',
      '.spec.tolerations[1].foo: field not declared in schema',
    ],
    [
      '{"kind":1,"metadata":{"labels":{"a":1}}}',
      'errors:\n  .kind: expected string, got &value.valueUnstructured{Value:1}\n' +
        '  .metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
  ] as const) {
    const seen = (): void => checkDocument(POD, parse(text));
    t.throws(seen, { name: 'TypedError', message: expected }, text);
  }
});

t.test('what fits', async (t) => {
  for (const text of [
    '{}',
    '{"apiVersion":"v1","kind":"Pod","metadata":null,"spec":{"containers":null}}',
    '{"spec":{"containers":[{"name":null,"ports":[{"containerPort":80},' +
      '{"containerPort":80,"protocol":"UDP"}]}]}}',
    '{"spec":{"overhead":{"cpu":1,"memory":"1Gi","any":{}}}}',
    '{"spec":{"containers":[{"name":"a","livenessProbe":{"httpGet":{"port":true}}}]}}',
    '{"spec":{"nodeSelector":{"__proto__":"x"},"priority":12345678901234567890}}',
    '{"metadata":{"creationTimestamp":"any"}}',
  ]) {
    t.doesNotThrow(() => checkDocument(POD, parse(text)), text);
  }
  const sets = compileFieldTypes(MODEL, 'apps.v1.StatefulSet');
  const claim = '{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"a"}}';
  t.doesNotThrow(() => checkDocument(sets, parse(`{"spec":{"volumeClaimTemplates":[${claim}]}}`)));
  t.doesNotThrow(() => checkDocument(REVISION, parse('{"data":{"any":[{"thing":null}]}}')));
});

t.test('the fields of a document', async (t) => {
  for (const [type, text, fields] of [
    [CONFIG_MAP, '{"data":{"b":"x","a":""}}', '{"f:data":{"f:a":{},"f:b":{}}}'],
    [CONFIG_MAP, '{"data":{},"binaryData":null}', '{"f:binaryData":{},"f:data":{}}'],
    [CONFIG_MAP, '{"data":{"__proto__":null}}', '{"f:data":{"f:__proto__":{}}}'],
    [
      POD,
      '{"kind":"Pod","spec":{"nodeSelector":{}}}',
      '{"f:kind":{},"f:spec":{"f:nodeSelector":{}}}',
    ],
    [POD, '{"spec":{"containers":[],"volumes":null}}', '{"f:spec":{"f:volumes":{}}}'],
    [POD, '{"spec":{"tolerations":[]}}', '{"f:spec":{"f:tolerations":{}}}'],
    [
      POD,
      '{"spec":{"containers":[{"name":"b","resources":{}},{"name":"a","args":["x"]}]}}',
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:args":{},"f:name":{}},' +
        '"k:{\\"name\\":\\"b\\"}":{".":{},"f:name":{},"f:resources":{}}}}}',
    ],
    [
      POD,
      '{"metadata":{"finalizers":["b","a"]}}',
      '{"f:metadata":{"f:finalizers":{"v:\\"a\\"":{},"v:\\"b\\"":{}}}}',
    ],
    [
      REVISION,
      '{"data":{"a":{"b":1},"c":[{}],"d":null}}',
      '{"f:data":{"f:a":{".":{},"f:b":{}},"f:c":{},"f:d":{}}}',
    ],
    [POD, '{}', '{}'],
  ] as const) {
    t.equal(fieldsV1Text(fieldSetOf(type, parse(text))), fields, text);
  }
});

t.test('a config over a live document', async (t) => {
  for (const [type, live, config, merged] of [
    [
      CONFIG_MAP,
      '{"data":{"a":"x","b":"y"}}',
      '{"data":{"b":"z","c":"w"}}',
      '{"data":{"a":"x","b":"z","c":"w"}}',
    ],
    [CONFIG_MAP, '{"data":{"a":"x"}}', '{"data":{}}', '{"data":{"a":"x"}}'],
    [CONFIG_MAP, '{"data":{"a":"x"}}', '{"data":null}', '{"data":{"a":"x"}}'],
    [CONFIG_MAP, '{"data":{"a":"x"}}', '{"data":{"a":null}}', '{"data":{"a":null}}'],
    [CONFIG_MAP, '{"data":{}}', '{"data":null}', '{"data":null}'],
    [
      CONFIG_MAP,
      '{"data":{"__proto__":"x"}}',
      '{"data":{"constructor":"y","__proto__":"z"}}',
      '{"data":{"__proto__":"z","constructor":"y"}}',
    ],
    [
      POD,
      '{"spec":{"nodeSelector":{"a":"x"}}}',
      '{"spec":{"nodeSelector":{"b":"y"}}}',
      '{"spec":{"nodeSelector":{"b":"y"}}}',
    ],
    [
      POD,
      '{"spec":{"containers":[{"name":"a","image":"x"},{"name":"b"}]}}',
      '{"spec":{"containers":[{"name":"c"},{"name":"a","args":["y"]}]}}',
      '{"spec":{"containers":[{"name":"c"},{"name":"a","image":"x","args":["y"]},{"name":"b"}]}}',
    ],
    [
      POD,
      '{"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"protocol":"TCP"}]}]}}',
      '{"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"w"}]}]}}',
      '{"spec":{"containers":[{"name":"a","ports":' +
        '[{"containerPort":80,"protocol":"TCP","name":"w"}]}]}}',
    ],
    [
      REVISION,
      '{"data":{"a":{"b":1},"c":[1]}}',
      '{"data":{"a":{"d":2},"c":[2]}}',
      '{"data":{"a":{"b":1,"d":2},"c":[2]}}',
    ],
    [REVISION, '{"data":{"a":{"b":1}}}', '{"data":{"a":"x"}}', '{"data":{"a":"x"}}'],
    [REVISION, '{"data":{"a":"x"}}', '{"data":{"a":{"b":1}}}', '{"data":{"a":{"b":1}}}'],
    [REVISION, '{"data":{"a":{"b":1}}}', '{"data":{"a":null}}', '{"data":{"a":{"b":1}}}'],
  ] as const) {
    const [left, right] = [parse(live), parse(config)];
    t.equal(documentText(mergeDocuments(type, left, right)), merged, `${live} + ${config}`);
    t.equal(documentText(left), live, 'the live document stays');
    t.equal(documentText(right), config, 'the config stays');
  }
  const twice = parse('{"metadata":{"finalizers":["a","a"]}}');
  const once = parse('{"metadata":{"finalizers":["a"]}}');
  const message = 'duplicate entries for key [="a"]';
  t.throws(() => mergeDocuments(POD, once, twice), { name: 'TypedError', message });
  t.throws(() => mergeDocuments(POD, twice, once), { name: 'TypedError', message });
});

t.test('the order of merged items', async (t) => {
  for (const [left, right, merged] of [
    ['abc', '', 'abc'],
    ['', 'abc', 'abc'],
    ['abc', 'abc', 'abc'],
    ['abc', 'cba', 'cba'],
    ['abcd', 'xb', 'axbcd'],
    ['abx', 'ba', 'bxa'],
    ['ax', 'ya', 'yax'],
    ['xay', 'bac', 'xbayc'],
    ['abcdef', 'fxb', 'acdefxb'],
  ] as const) {
    t.equal(orderOfMerge(left.split(''), right.split('')).join(''), merged, `${left} + ${right}`);
  }
});

t.test('a document without some fields', async (t) => {
  const containers = '"containers":[{"name":"a","image":"x"},{"name":"b"}]';
  for (const [type, text, fields, left] of [
    [CONFIG_MAP, '{"data":{"a":"x","b":"y"}}', '{"f:data":{"f:a":{}}}', '{"data":{"b":"y"}}'],
    [CONFIG_MAP, '{"data":{"a":"x"}}', '{"f:data":{"f:a":{}}}', '{"data":null}'],
    [CONFIG_MAP, '{"data":{"a":"x"}}', '{"f:data":{".":{},"f:b":{}}}', '{}'],
    [CONFIG_MAP, '{"data":{"a":"x"}}', '{}', '{"data":{"a":"x"}}'],
    [
      CONFIG_MAP,
      '{"data":{"__proto__":"x","a":"y"}}',
      '{"f:data":{"f:a":{}}}',
      '{"data":{"__proto__":"x"}}',
    ],
    [
      POD,
      `{"spec":{${containers}}}`,
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"b\\"}":{".":{}}}}}',
      '{"spec":{"containers":[{"name":"a","image":"x"}]}}',
    ],
    [
      POD,
      `{"spec":{${containers}}}`,
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"a\\"}":{"f:image":{}}}}}',
      '{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}',
    ],
    [
      POD,
      '{"metadata":{"finalizers":["a"]}}',
      '{"f:metadata":{"f:finalizers":{"v:\\"a\\"":{}}}}',
      '{"metadata":{"finalizers":null}}',
    ],
    [
      POD,
      '{"spec":{"nodeSelector":{"a":"x","b":"y"}}}',
      '{"f:spec":{"f:nodeSelector":{"f:a":{}}}}',
      '{"spec":{"nodeSelector":null}}',
    ],
    [
      REVISION,
      '{"data":{"a":{"b":1,"c":2}}}',
      '{"f:data":{"f:a":{"f:b":{}}}}',
      '{"data":{"a":{"c":2}}}',
    ],
    [REVISION, '{"data":{"a":"x"}}', '{"f:data":{"f:a":{"f:b":{}}}}', '{"data":{"a":"x"}}'],
  ] as const) {
    const document = parse(text);
    const seen = documentText(removeFields(type, document, parseSet(fields)));
    t.equal(seen, left, `${text} without ${fields}`);
    t.equal(documentText(document), text, 'the document stays');
  }
});

t.test('sets with the fields that lead to what they have', async (t) => {
  const item = '"k:{\\"name\\":\\"a\\"}"';
  for (const [type, before, after] of [
    [CONFIG_MAP, '{"f:data":{"f:a":{}}}', '{"f:data":{".":{},"f:a":{}}}'],
    [
      POD,
      `{"f:spec":{"f:containers":{${item}:{"f:resources":{"f:limits":{"f:cpu":{}}}}}}}`,
      `{"f:spec":{".":{},"f:containers":{".":{},${item}:{"f:resources":` +
        '{".":{},"f:limits":{".":{},"f:cpu":{}}}}}}}',
    ],
    [REVISION, '{"f:data":{"f:a":{"f:b":{}}}}', '{"f:data":{".":{},"f:a":{"f:b":{}}}}'],
    [POD, '{"f:foo":{"f:bar":{}}}', '{"f:foo":{"f:bar":{}}}'],
  ] as const) {
    t.equal(fieldsV1Text(withNamedFields(type, parseSet(before))), after);
  }
});

t.test('nesting without end is refused', async (t) => {
  const deep = parse(`{"data":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_001)}`);
  const error = { name: 'TypedError', message: 'exceeded max depth' };
  t.throws(() => checkDocument(REVISION, deep), error);
  t.throws(() => fieldSetOf(REVISION, deep), error);
  t.throws(() => mergeDocuments(REVISION, deep, deep), error);
});
