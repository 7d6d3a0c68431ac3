import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import { model } from './proto-model.ts';

const configMaps = compileJsonCodec(model, 'core.v1.ConfigMap');
const secrets = compileJsonCodec(model, 'core.v1.Secret');
const cronJobs = compileJsonCodec(model, 'batch.v1.CronJob');
const leases = compileJsonCodec(model, 'coordination.v1.Lease');
const volumes = compileJsonCodec(model, 'core.v1.PersistentVolume');
const capacities = compileJsonCodec(model, 'storage.v1beta1.CSIStorageCapacity');
const revisions = compileJsonCodec(model, 'apps.v1.ControllerRevision');
const attachments = compileJsonCodec(model, 'storage.v1.VolumeAttachment');

const META = '"metadata":{"creationTimestamp":null}';

function recoded(codec: typeof configMaps, text: string): string {
  return codec.encode(codec.decode(text).object);
}

t.test('the type stands beside the object', async (t) => {
  t.same(configMaps.decode('{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"b"}}'), {
    object: { metadata: {}, data: { a: 'b' } },
    kind: 'ConfigMap',
    apiVersion: 'v1',
    isExact: true,
    membersRead: 4,
  });
  const nothing = { object: { metadata: {} }, kind: '', apiVersion: '', isExact: true };
  t.same(configMaps.decode('{}'), { ...nothing, membersRead: 0 });
  t.same(configMaps.decode('null'), nothing);
});

t.test('unknown members and null are as good as absent; names are case-sensitive', async (t) => {
  const text = '{"Metadata":{"name":"x"},"metadata":{"name":null,"foo":1},"data":null,"x":[{}]}';
  t.same(configMaps.decode(text).object, { metadata: {} });
});

t.test('text is canonical: declaration order, sorted maps, zero values', async (t) => {
  const cases: [codec: typeof configMaps, text: string, expected: string][] = [
    [
      configMaps,
      '{"data":{"b":"2","a":"1","10":"x","9":"y"}}',
      `${META},"data":{"10":"x","9":"y","a":"1","b":"2"}}`,
    ],
    [configMaps, '{"data":{},"binaryData":{"k":"YQ"}}', 'illegal base64 data at input byte 0'],
    [configMaps, '{"immutable":false,"data":{}}', `${META},"immutable":false}`],
    [configMaps, '{"data":{"k":"<&>"}}', `${META},"data":{"k":"\\u003c\\u0026\\u003e"}}`],
    [
      configMaps,
      '{"data":{"\uffff":"","\ud83d\ude00":""}}',
      `${META},"data":{"\uffff":"","\ud83d\ude00":""}}`,
    ],
    [configMaps, '{"data":{"a":null}}', `${META},"data":{"a":""}}`],
    [leases, '{}', `${META},"spec":{}}`],
    [
      leases,
      '{"spec":{"leaseTransitions":0,"holderIdentity":""}}',
      `${META},"spec":{"holderIdentity":"","leaseTransitions":0}}`,
    ],
    [revisions, '{}', `${META},"data":null,"revision":0}`],
    [
      attachments,
      '{}',
      `${META},"spec":{"attacher":"","source":{},"nodeName":""},"status":{"attached":false}}`,
    ],
    [capacities, '{"capacity":"1024Mi"}', `${META},"storageClassName":"","capacity":"1Gi"}`],
    [capacities, '{"capacity":1e3}', `${META},"storageClassName":"","capacity":"1e3"}`],
    [capacities, '{"capacity":0}', `${META},"storageClassName":"","capacity":"0"}`],
    [
      volumes,
      '{"spec":{"hostPath":{"path":"/a"},"storageClassName":"s"}}',
      `${META},"spec":{"hostPath":{"path":"/a"},"storageClassName":"s"},"status":{}}`,
    ],
    [
      volumes,
      '{"spec":{"capacity":{"storage":"0.5Gi"}}}',
      `${META},"spec":{"capacity":{"storage":"512Mi"}},"status":{}}`,
    ],
    [secrets, '{"type":"","data":{"a":null,"b":""}}', `${META},"data":{"a":"","b":""}}`],
  ];
  for (const [codec, text, expected] of cases) {
    if (expected.startsWith('illegal')) t.throws(() => recoded(codec, text), { message: expected });
    else t.equal(recoded(codec, text), expected, text);
  }
});

t.test('a pod template keeps what is always there', async (t) => {
  const text = '{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{},null]}}}}}}';
  const container = '{"name":"","resources":{}}';
  t.equal(
    recoded(cronJobs, text),
    `${META},"spec":{"schedule":"","jobTemplate":{${META},"spec":{"template":{${META},` +
      `"spec":{"containers":[${container},${container}]}}}}},"status":{}}`,
  );
  t.match(
    recoded(cronJobs, '{}'),
    '"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":null}}',
  );
});

t.test('64-bit numbers are exact', async (t) => {
  const revision = (number: string): unknown =>
    revisions.decode(`{"revision":${number}}`).object.revision;
  t.equal(revision('9007199254740991'), 9007199254740991);
  t.equal(revision('9007199254740993'), 9007199254740993n);
  t.equal(revision('-9223372036854775808'), -9223372036854775808n);
  t.equal(revision('-0'), 0);
  const text = `${META},"data":null,"revision":9007199254740993}`;
  t.equal(recoded(revisions, '{"revision":9007199254740993}'), text);
});

t.test('kept JSON keeps its text', async (t) => {
  const data = '{"z" : 1.0, "10":[1e5 ,"\\u00e9<\\"  "],"a":{},"a":{"b" : null} }';
  const kept = '{"z":1.0,"10":[1e5,"\\u00e9\\u003c\\"  "],"a":{},"a":{"b":null}}';
  const { object } = revisions.decode(`{"data": ${data} ,"revision":1}`);
  t.same(object.data, new RawJson(kept));
  t.equal(revisions.encode(object), `${META},"data":${kept},"revision":1}`);
  t.equal(revisions.decode('{"data":null}').object.data, undefined);
  t.same(revisions.decode('{"data":"\\\\"}').object.data, new RawJson('"\\\\"'));
  t.same(revisions.decode('{"d\\u0061ta":7}').object.data, new RawJson('7'));
  t.same(revisions.decode('{"data":{"a":1},"data":[ 2 ]}').object.data, new RawJson('[2]'));
  t.same(RawJson.ofValue({ b: '<', a: 1 }).text, '{"b":"\\u003c","a":1}');
});

t.test('kept JSON lands in the right list item, whatever surrounds it', async (t) => {
  const text =
    '{"x":{"metadata":[]},"metadata":{"managedFields":[{"fieldsV1":{"f:old":{}}},{},{}]},' +
    '"metadata":{"labels":{"fieldsV1":"\\"}"},"managedFields":[ {"manager":"a"} ,null,' +
    '{"fieldsV1": { "f:data" : {} } ,"manager":"b"}]}}';
  t.same((configMaps.decode(text).object.metadata as { managedFields: unknown }).managedFields, [
    { manager: 'a' },
    {},
    { manager: 'b', fieldsV1: new RawJson('{"f:data":{}}') },
  ]);
});

t.test('defaults fill what is absent', async (t) => {
  const { object } = cronJobs.decode(
    '{"spec":{"successfulJobsHistoryLimit":0,"jobTemplate":{"spec":{"template":{"spec":{' +
      '"containers":[{"livenessProbe":{"periodSeconds":5},"ports":[{}]}],' +
      '"volumes":[{"secret":{}}]}}}}}}',
  );
  cronJobs.applyDefaults(object);
  t.match(object, {
    spec: {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Always',
              securityContext: {},
              terminationGracePeriodSeconds: 30,
              volumes: [{ secret: { defaultMode: 420 } }],
              containers: [
                {
                  terminationMessagePolicy: 'File',
                  ports: [{ protocol: 'TCP' }],
                  livenessProbe: { timeoutSeconds: 1, periodSeconds: 5, failureThreshold: 3 },
                },
              ],
            },
          },
        },
      },
    },
  });
  const volume = {};
  volumes.applyDefaults(volume);
  t.match(volume, { status: { phase: 'Pending' } });
  const configMap = {};
  configMaps.applyDefaults(configMap);
  t.same(configMap, {}, 'a message without defaults below stays untouched');
});
