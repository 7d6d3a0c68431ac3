// Writes change fields. More tables are in test/apply.
import t from 'tap';
import type { Test } from 'tap';
import { compileJsonCodec } from '../../../src/codec/json/json-codec.ts';
import { model as MODEL } from '../../codec/proto-model.ts';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { compareFields } from '../../../src/semantics/fields/compare-fields.ts';
import { pathTexts } from '../../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../../src/semantics/fields/field-set-text.ts';
import { compileFieldTypes } from '../../../src/semantics/fields/field-types.ts';
import { parseDocument } from '../../../src/semantics/patch/document.ts';

type Read = (message: string, text: string) => Members;

const asDocument: Read = (_message, text) => parseDocument(text) as Members;
const asDecoded: Read = (message, text) => compileJsonCodec(MODEL, message).decode(text).object;

type Row = readonly [before: string, after: string, changed: string, removed?: string];

/** Fields are paths, with a space between them. */
function compares(t: Test, message: string, read: Read, rows: readonly Row[]): void {
  const type = compileFieldTypes(MODEL, message);
  for (const [before, after, changed, removed = ''] of rows) {
    const seen = compareFields(type, read(message, before), read(message, after));
    const texts = [seen.changed, seen.removed].map((set) => pathTexts(set).join(' '));
    t.same(texts, [changed, removed], `${before} → ${after}`);
  }
}

t.test('a new object', async (t) => {
  const created = (message: string, text: string, fields: string): void => {
    const type = compileFieldTypes(MODEL, message);
    const { changed } = compareFields(type, asDecoded(message, '{}'), asDecoded(message, text));
    t.equal(fieldsV1Text(changed), fields, text);
  };
  created(
    'core.v1.ConfigMap',
    '{"data":{"b":"","a":"x"}}',
    '{"f:data":{".":{},"f:a":{},"f:b":{}}}',
  );
  created('core.v1.ConfigMap', '{"metadata":{"labels":{}},"data":{}}', '{}');
  created('core.v1.ConfigMap', '{"immutable":false}', '{"f:immutable":{}}');
  created('core.v1.Pod', '{"spec":{"nodeSelector":{"a":"b"}}}', '{"f:spec":{"f:nodeSelector":{}}}');
  created('core.v1.Pod', '{"spec":{"hostNetwork":false,"nodeName":""}}', '{}');
  created(
    'core.v1.Pod',
    '{"spec":{"containers":[{"name":"b"},{"name":"a","ports":[{"containerPort":80}]}]}}',
    '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{},"f:ports":{".":{},' +
      '"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}},' +
      '"f:resources":{}},"k:{\\"name\\":\\"b\\"}":{".":{},"f:name":{},"f:resources":{}}}}}',
  );
  created(
    'core.v1.ReplicationController',
    '{"spec":{"template":{}}}',
    '{"f:spec":{"f:template":{".":{},"f:metadata":{".":{},"f:creationTimestamp":{}},' +
      '"f:spec":{".":{},"f:containers":{}}}}}',
  );
  created(
    'apps.v1.ControllerRevision',
    '{"data":{"a":{"b":[1]},"c":[],"d":{}}}',
    '{"f:data":{"f:a":{".":{},"f:b":{}},"f:c":{},"f:d":{}}}',
  );
  created('rbac.v1.Role', '{"rules":[]}', '{"f:rules":{}}');
});

t.test('an update of a decoded object', async (t) => {
  compares(t, 'core.v1.ConfigMap', asDecoded, [
    ['{"data":{"a":"x"}}', '{"data":{"a":"x"}}', ''],
    ['{"data":{"a":"x"}}', '{"data":{"a":"y"}}', '.data.a'],
    ['{"data":{"a":"x"}}', '{"data":{"a":"x","b":"y"}}', '.data.b'],
    ['{"data":{"a":"x","b":"y"}}', '{"data":{"b":"y"}}', '', '.data.a'],
    ['{"data":{"a":"x"}}', '{}', '', '.data .data.a'],
    ['{"data":{"b":"x","a":"y"}}', '{"data":{"a":"z","b":"z"}}', '.data.a .data.b'],
    [
      '{"data":{"__proto__":"x"}}',
      '{"data":{"constructor":"x"}}',
      '.data.constructor',
      '.data.__proto__',
    ],
    ['{"data":{"__proto__":"x"}}', '{"data":{"__proto__":"y"}}', '.data.__proto__'],
  ]);
  compares(t, 'core.v1.Pod', asDecoded, [
    [
      '{"spec":{"containers":[{"name":"a"},{"name":"b","image":"x"}]}}',
      '{"spec":{"containers":[{"name":"b","image":"y"},{"name":"c"}]}}',
      '.spec.containers[name="c"] .spec.containers[name="b"].image' +
        ' .spec.containers[name="c"].name .spec.containers[name="c"].resources',
      '.spec.containers[name="a"] .spec.containers[name="a"].name' +
        ' .spec.containers[name="a"].resources',
    ],
    [
      '{"spec":{"containers":[{"name":"b","image":"x"},{"name":"a","image":"x"}]}}',
      '{"spec":{"containers":[{"name":"b","image":"y"},{"name":"a","image":"y"}]}}',
      '.spec.containers[name="a"].image .spec.containers[name="b"].image',
    ],
    [
      '{"spec":{"tolerations":[{"key":"a"}]}}',
      '{"spec":{"tolerations":[{"key":"a","value":"b"}]}}',
      '.spec.tolerations',
    ],
    [
      '{"spec":{"containers":[{"name":"a"}]}}',
      '{}',
      '', // prettier-ignore
      '.spec.containers[name="a"] .spec.containers[name="a"].name' +
        ' .spec.containers[name="a"].resources',
    ],
    ['{"metadata":{"finalizers":["b","a"]}}', '{"metadata":{"finalizers":["a","b"]}}', ''],
    [
      '{"metadata":{"finalizers":["b","a"]}}',
      '{"metadata":{"finalizers":["c","b"]}}',
      '.metadata.finalizers[="c"]',
      '.metadata.finalizers[="a"]',
    ],
    ['{}', '{"spec":{"securityContext":{}}}', '.spec.securityContext'],
    [
      '{"spec":{"securityContext":{}}}',
      '{"spec":{"securityContext":{"runAsUser":0}}}',
      '.spec.securityContext.runAsUser',
    ],
  ]);
});

t.test('values that mean the same', async (t) => {
  const container = (more: string): string => `{"spec":{"containers":[{"name":"a",${more}}]}}`;
  compares(t, 'core.v1.Pod', asDocument, [
    [
      container('"resources":{"limits":{"cpu":"1000m","memory":"1Gi"}}'),
      container('"resources":{"limits":{"cpu":1,"memory":"1024Mi"}}'),
      '',
    ],
    [
      container('"resources":{"limits":{"cpu":"x"}}'),
      container('"resources":{"limits":{"cpu":"y"}}'),
      '.spec.containers[name="a"].resources.limits.cpu',
    ],
    [
      container('"ports":[{"containerPort":80}]'), // prettier-ignore
      container('"ports":[{"containerPort":80.0,"protocol":"TCP"}]'),
      '.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"].protocol',
    ],
    [container('"resources":{}'), container('"args":[],"resources":null'), ''],
    ['{"spec":{}}', '{"spec":{"hostNetwork":false,"nodeName":"","containers":null}}', ''],
    ['{"status":{}}', '{"metadata":{"creationTimestamp":null,"labels":{}}}', ''],
    [
      '{"metadata":{"deletionTimestamp":"2021-12-07T10:11:12Z"}}',
      '{"metadata":{"deletionTimestamp":"2021-12-07T11:11:12+01:00"}}',
      '',
    ],
    [
      '{"spec":{"tolerations":[{"key":"a","value":""}]}}',
      '{"spec":{"tolerations":[{"key":"a"}]}}',
      '',
    ],
    [
      '{"spec":{"terminationGracePeriodSeconds":0}}',
      '{"spec":{}}',
      '',
      '.spec.terminationGracePeriodSeconds',
    ],
    [
      '{"spec":{"terminationGracePeriodSeconds":0}}',
      '{"spec":{"terminationGracePeriodSeconds":-0.0}}',
      '',
    ],
    [
      '{"spec":{"activeDeadlineSeconds":9007199254740993}}',
      '{"spec":{"activeDeadlineSeconds":9007199254740992}}',
      '.spec.activeDeadlineSeconds',
    ],
  ]);
  compares(t, 'core.v1.Secret', asDocument, [
    ['{"data":{"a":"YQ=="}}', '{"data":{"a":"YQ=\\n="}}', ''],
    ['{"data":{"a":"YQ=="}}', '{"data":{"a":"Yg=="}}', '.data.a'],
  ]);
  compares(t, 'apps.v1.StatefulSet', asDocument, [
    [
      '{"spec":{"volumeClaimTemplates":[{"kind":"PersistentVolumeClaim","apiVersion":"v1",' +
        '"metadata":{"name":"a","creationTimestamp":null},"spec":{"resources":{}},"status":{}}]}}',
      '{"spec":{"volumeClaimTemplates":[{"metadata":{"name":"a"}}]}}',
      '',
    ],
  ]);
});

t.test('what a document sets to zero or null does not go unasked', async (t) => {
  compares(t, 'core.v1.Pod', asDocument, [
    ['{"spec":{"hostNetwork":true}}', '{"spec":{"hostNetwork":false}}', '.spec.hostNetwork'],
    ['{"spec":{"hostNetwork":true}}', '{"spec":{"hostNetwork":null}}', '.spec.hostNetwork'],
    ['{"spec":{"nodeSelector":{"a":"b"}}}', '{"spec":{"nodeSelector":{}}}', '.spec.nodeSelector'],
    ['{"spec":{"tolerations":[{}]}}', '{"spec":{"tolerations":null}}', '.spec.tolerations'],
    ['{"metadata":{"labels":{"a":"b"}}}', '{"metadata":{"labels":null}}', '', '.metadata.labels.a'],
    ['{"metadata":{"labels":null}}', '{"metadata":{"labels":{"a":"b"}}}', '.metadata.labels.a'],
  ]);
});

t.test('free-form JSON', async (t) => {
  for (const read of [asDecoded, asDocument]) {
    compares(t, 'apps.v1.ControllerRevision', read, [
      ['{"data":{"a":1,"b":[1,2]}}', '{"data": {"b":[1, 2], "a":1.0}}', ''],
      ['{"data":{"a":{"b":1}}}', '{"data":{"a":{"b":2,"c":{}}}}', '.data.a.b .data.a.c'],
      ['{"data":{"a":[1]}}', '{"data":{"a":[1,2]}}', '.data.a'],
      ['{"data":{"a":{"b":1}}}', '{"data":{"a":"x"}}', '.data.a', '.data.a.b'],
      ['{"data":{"a":["x"]}}', '{"data":{"a":{"b":1}}}', '.data.a .data.a.b'],
      ['{"data":{"a":null}}', '{"data":{"a":{"b":1}}}', '.data.a.b'],
      ['{"data":{"a":{"b":1}}}', '{"data":{"a":null}}', '', '.data.a.b'],
      ['{"data":{"a":{}}}', '{"data":{"a":null}}', '.data.a'],
      ['{"data":{"a":9007199254740993}}', '{"data":{"a":9007199254740992}}', '.data.a'],
    ]);
  }
});

t.test('items that cannot be told apart', async (t) => {
  const fails = (message: string, before: string, after: string, text: string): void => {
    const type = compileFieldTypes(MODEL, message);
    for (const read of [asDecoded, asDocument]) {
      const [left, right] = [read(message, before), read(message, after)];
      t.throws(() => compareFields(type, left, right), { name: 'TypedError', message: text });
      t.throws(() => compareFields(type, right, left), { name: 'TypedError', message: text });
    }
  };
  const twice = '{"name":"a","env":[{"name":"x"},{"name":"y"},{"name":"x"}]}';
  fails(
    'core.v1.Pod',
    '{}',
    `{"spec":{"containers":[${twice}]}}`,
    '.spec.containers[name="a"].env: duplicate entries for key [name="x"]',
  );
  fails(
    'core.v1.Pod',
    '{"spec":{"containers":[{"name":"a","env":[{"name":"x","value":"v"}]}]}}',
    `{"spec":{"containers":[${twice}]}}`,
    '.spec.containers[name="a"].env: duplicate entries for key [name="x"]',
  );
  fails(
    'core.v1.Pod',
    '{}',
    '{"metadata":{"finalizers":["b","b"]}}',
    '.metadata.finalizers: duplicate entries for key [="b"]',
  );
  fails(
    'core.v1.Pod',
    '{}',
    '{"spec":{"hostAliases":[{"ip":"::1"},{"hostnames":["a"]}]}}',
    '.spec.hostAliases: element 1: associative list with keys has an element that omits key ' +
      'field "ip" (and doesn\'t have default value)',
  );
});

t.test('nesting without end is one leaf at last', async (t) => {
  const nested = (depth: number, last: string): string =>
    '{"data":' + '{"a":'.repeat(depth) + last + '}'.repeat(depth + 1);
  const message = 'apps.v1.ControllerRevision';
  const type = compileFieldTypes(MODEL, message);
  const [one, two] = [
    asDocument(message, nested(9_000, '1')),
    asDocument(message, nested(9_000, '2')),
  ];
  const { changed, removed } = compareFields(type, one, two);
  t.equal(pathTexts(changed).length, 1);
  t.equal(pathTexts(removed).length, 0);
  t.equal(
    pathTexts(compareFields(type, one, asDocument(message, nested(9_000, '1'))).changed).length,
    0,
  );
  t.equal(pathTexts(compareFields(type, {}, one).changed).length, 500);
});
