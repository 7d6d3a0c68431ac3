// Bodies in protobuf as the audit log tells them.
import t from 'tap';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { AuditedJson } from '../../src/front/audited-json.ts';
import { model } from '../codec/proto-model.ts';

const json = new AuditedJson(() => model);

t.test('a body is known by the message of its type, in whichever package', async (t) => {
  const rows = [
    ['v1', 'ConfigMap', 'core.v1.ConfigMap'],
    ['batch/v1', 'CronJob', 'batch.v1.CronJob'],
    ['batch/v1beta1', 'CronJob', 'batch.v1.CronJob'],
    ['node.cluster.io/v1alpha1', 'RuntimeClass', 'node.v1alpha1.RuntimeClass'],
    [
      'internal.apiserver.cluster.io/v1alpha1',
      'StorageVersion',
      'apiserverinternal.v1alpha1.StorageVersion',
    ],
    ['v1', 'DeleteOptions', 'meta.v1.DeleteOptions'],
  ] as const;
  for (const [apiVersion, kind, message] of rows) {
    const raw = compileProtobufCodec(model, message).encodeObject({});
    const text = json.textOf(wrapProtobuf({ apiVersion, kind, raw }), 'protobuf');
    t.match(JSON.parse(text ?? '{}'), { kind, apiVersion }, message);
  }
  const unknown = wrapProtobuf({ apiVersion: 'v1', kind: 'Nothing', raw: new Uint8Array() });
  t.equal(json.textOf(unknown, 'protobuf'), undefined);
});
