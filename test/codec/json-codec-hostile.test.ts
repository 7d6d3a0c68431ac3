import t from 'tap';
import { DecodeError } from '../../src/codec/json/go-errors.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { model } from './proto-model.ts';

function errorOf(message: string, text: string): string {
  try {
    compileJsonCodec(model, message).decode(text);
    return 'no error';
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function mismatch(value: string, field: string, type: string): string {
  return `json: cannot unmarshal ${value} into Go struct field ${field} of type ${type}`;
}

const CONFIG_MAP: [text: string, message: string][] = [
  ['[]', 'json: cannot unmarshal array into Go value of type v1.ConfigMap'],
  ['"x"', 'json: cannot unmarshal string into Go value of type v1.ConfigMap'],
  ['1', 'json: cannot unmarshal number into Go value of type v1.ConfigMap'],
  ['true', 'json: cannot unmarshal bool into Go value of type v1.ConfigMap'],
  ['', 'unexpected end of JSON input'],
  ['{"data":}', "invalid character '}' looking for beginning of value"],
  ['{"kind":1}', mismatch('number', 'ConfigMap.kind', 'string')],
  ['{"apiVersion":{}}', mismatch('object', 'ConfigMap.apiVersion', 'string')],
  ['{"metadata":[]}', mismatch('array', 'ConfigMap.metadata', 'v1.ObjectMeta')],
  ['{"metadata":{"name":1}}', mismatch('number', 'ObjectMeta.metadata.name', 'string')],
  ['{"data":"x"}', mismatch('string', 'ConfigMap.data', 'map[string]string')],
  ['{"data":["x"]}', mismatch('array', 'ConfigMap.data', 'map[string]string')],
  ['{"data":{"a":true}}', mismatch('bool', 'ConfigMap.data', 'string')],
  ['{"data":{"a":{}}}', mismatch('object', 'ConfigMap.data', 'string')],
  ['{"binaryData":{"a":1}}', mismatch('number', 'ConfigMap.binaryData', '[]uint8')],
  ['{"binaryData":{"a":"!"}}', 'illegal base64 data at input byte 0'],
  ['{"immutable":"true"}', mismatch('string', 'ConfigMap.immutable', 'bool')],
  [
    '{"metadata":{"finalizers":{}}}',
    mismatch('object', 'ObjectMeta.metadata.finalizers', '[]string'),
  ],
  [
    '{"metadata":{"finalizers":[1]}}',
    mismatch('number', 'ObjectMeta.metadata.finalizers', 'string'),
  ],
  [
    '{"metadata":{"ownerReferences":[{"controller":1}]}}',
    mismatch('number', 'OwnerReference.metadata.ownerReferences.controller', 'bool'),
  ],
  [
    '{"metadata":{"ownerReferences":{}}}',
    mismatch('object', 'ObjectMeta.metadata.ownerReferences', '[]v1.OwnerReference'),
  ],
  [
    '{"metadata":{"ownerReferences":["x"]}}',
    mismatch('string', 'ObjectMeta.metadata.ownerReferences', 'v1.OwnerReference'),
  ],
  [
    '{"metadata":{"generation":"1"}}',
    mismatch('string', 'ObjectMeta.metadata.generation', 'int64'),
  ],
  [
    '{"metadata":{"generation":1.5}}',
    mismatch('number 1.5', 'ObjectMeta.metadata.generation', 'int64'),
  ],
  [
    '{"metadata":{"generation":9223372036854775808}}',
    mismatch('number 9223372036854775808', 'ObjectMeta.metadata.generation', 'int64'),
  ],
  [
    '{"metadata":{"generation":1e400}}',
    mismatch('number 1e400', 'ObjectMeta.metadata.generation', 'int64'),
  ],
  [
    '{"metadata":{"creationTimestamp":"x"}}',
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    '{"metadata":{"creationTimestamp":1}}',
    'json: cannot unmarshal number into Go value of type string',
  ],
];

t.test('wrong types and wrong text, in the words of the reference', async (t) => {
  for (const [text, message] of CONFIG_MAP)
    t.equal(errorOf('core.v1.ConfigMap', text), message, text);
});

t.test('numbers that do not fit', async (t) => {
  const field = 'LeaseSpec.spec.leaseDurationSeconds';
  for (const number of ['3000000000', '-2147483649', '1.5', '1e40', '9007199254740993']) {
    const text = `{"spec":{"leaseDurationSeconds":${number}}}`;
    const message = mismatch(`number ${number}`, field, 'int32');
    t.equal(errorOf('coordination.v1.Lease', text), message, number);
  }
  const digits = '9'.repeat(1_000_000);
  const text = `{"spec":{"leaseDurationSeconds":${digits}}}`;
  t.match(errorOf('coordination.v1.Lease', text), /^json: cannot unmarshal number 9{9}/);
  for (const number of ['2147483647', '-2147483648', '-0']) {
    const good = `{"spec":{"leaseDurationSeconds":${number}}}`;
    t.equal(errorOf('coordination.v1.Lease', good), 'no error', number);
  }
});

t.test('leaf types of volumes and probes', async (t) => {
  const probe = (port: string): string =>
    '{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"livenessProbe":' +
    `{"tcpSocket":{"port":${port}}}}]}}}}}}`;
  const cronJob = (port: string): string => errorOf('batch.v1.CronJob', probe(port));
  t.equal(cronJob('"http"'), 'no error');
  t.equal(cronJob('80'), 'no error');
  t.equal(cronJob('true'), 'json: cannot unmarshal bool into Go value of type int32');
  t.equal(cronJob('8.5'), 'json: cannot unmarshal number 8.5 into Go value of type int32');
  const capacity = (value: string): string =>
    errorOf('storage.v1beta1.CSIStorageCapacity', `{"capacity":${value}}`);
  t.match(capacity('"1 GB"'), /^quantities must match the regular expression/);
  t.match(capacity('{}'), /^quantities must match the regular expression/);
  t.equal(
    capacity('"1GB"'),
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
  t.equal(capacity('1.5'), 'no error');
});

t.test('deep nesting is refused at 10,001, and costs nothing below', async (t) => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const unknown = (depth: number): string => `{"unknown":${nested(depth)}}`;
  t.equal(errorOf('core.v1.ConfigMap', unknown(9_999)), 'no error');
  t.equal(errorOf('core.v1.ConfigMap', unknown(10_000)), 'exceeded max depth');
  t.equal(errorOf('core.v1.ConfigMap', '{"a":'.repeat(20_000)), 'exceeded max depth');
  t.equal(errorOf('apps.v1.ControllerRevision', `{"data":${nested(9_999)}}`), 'no error');
  const exact = `{"capacity":1,"unknown":${nested(9_999)}}`;
  t.equal(errorOf('storage.v1beta1.CSIStorageCapacity', exact), 'no error');
});

t.test('the second attempt reads what the first one does', async (t) => {
  const codec = compileJsonCodec(model, 'storage.v1beta1.CSIStorageCapacity');
  const text =
    ' { "x" : [ { "]" : "}" } , 1 ] , "kind" : "CSIStorageCapacity" , "capacity" : 1.50 , ' +
    '"metadata" : { "labels" : { "__proto__" : "\\u0061" } , "generation" : 7 , ' +
    '"finalizers" : [ "a" , null ] , "managedFields" : [ { "fieldsV1" : { "f:a" : 1.0 } } ] } , ' +
    '"nodeTopology" : { } , "storageClassName" : null } ';
  t.equal(
    codec.encode(codec.decode(text).object),
    '"metadata":{"generation":7,"creationTimestamp":null,"labels":{"__proto__":"a"},' +
      '"finalizers":["a",""],"managedFields":[{"fieldsV1":{"f:a":1.0}}]},' +
      '"nodeTopology":{},"storageClassName":"","capacity":"1500m"}',
  );
  t.equal(codec.decode(text).kind, 'CSIStorageCapacity');
});

t.test('names of Object.prototype are data like any other', async (t) => {
  const codec = compileJsonCodec(model, 'core.v1.ConfigMap');
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  const members = names.map((name) => `"${name}":"x"`).join(',');
  const { object } = codec.decode(`{"metadata":{"labels":{${members}}},"data":{${members}}}`);
  t.same(Object.keys(object.data as object), names);
  t.equal(
    codec.encode(object),
    '"metadata":{"creationTimestamp":null,"labels":' + `{${members}}},"data":{${members}}}`,
  );
  const evil =
    '{"__proto__":{"data":{"a":"b"}},"constructor":{},"metadata":{"__proto__":{"name":"x"}}}';
  t.same(codec.decode(evil).object, { metadata: {} });
  t.equal(({} as Record<string, unknown>).data, undefined);
});

t.test('of repeated members the last one wins', async (t) => {
  const codec = compileJsonCodec(model, 'core.v1.ConfigMap');
  const text =
    '{"data":{"a":"1","a":"2"},"immutable":true,"immutable":null,"data":{"b":"3","b":"4"}}';
  t.same(codec.decode(text).object, { metadata: {}, data: { b: '4' } });
});
