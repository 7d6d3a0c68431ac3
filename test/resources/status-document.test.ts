/** A Status in each encoding. */
import t from 'tap';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import {
  lazyStatusCodec,
  statusDocument,
  statusEvent,
} from '../../src/resources/status-document.ts';
import { notFound } from '../../src/semantics/errors/status.ts';
import type { Status } from '../../src/semantics/errors/status.ts';
import { schemaModel, statusCodec } from '../support/answer-context.ts';

const GONE = notFound({ group: 'apps', resource: 'deployments' }, '<x>').status;

function text(status: Status, encoding: 'json' | 'yaml'): string {
  return Buffer.from(statusDocument(status, encoding, statusCodec)).toString();
}

function binary(status: Status): Record<string, unknown> {
  const { apiVersion, kind, raw } = unwrapProtobuf(statusDocument(status, 'protobuf', statusCodec));
  t.same({ apiVersion, kind }, { apiVersion: 'v1', kind: 'Status' });
  return statusCodec().decode(raw);
}

t.test('the document of an error', async (t) => {
  t.equal(
    text(GONE, 'json'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",' +
      '"message":"deployments.apps \\"\\u003cx\\u003e\\" not found","reason":"NotFound",' +
      '"details":{"name":"\\u003cx\\u003e","group":"apps","kind":"deployments"},"code":404}\n',
  );
  t.equal(
    text(GONE, 'yaml'),
    [
      'apiVersion: v1',
      'code: 404',
      'details:',
      '  group: apps',
      '  kind: deployments',
      '  name: <x>',
      'kind: Status',
      'message: deployments.apps "<x>" not found',
      'metadata: {}',
      'reason: NotFound',
      'status: Failure',
      '',
    ].join('\n'),
  );
  t.match(binary(GONE), {
    status: 'Failure',
    message: 'deployments.apps "<x>" not found',
    reason: 'NotFound',
    details: { name: '<x>', group: 'apps', kind: 'deployments' },
    code: 404,
  });
});

t.test('the model is loaded for binary ones only, and once', async (t) => {
  let loads = 0;
  const codec = lazyStatusCodec(() => {
    loads++;
    return schemaModel();
  });
  statusDocument(GONE, 'json', codec);
  statusDocument(GONE, 'yaml', codec);
  t.equal(loads, 0);
  const first = statusDocument(GONE, 'protobuf', codec);
  t.same(statusDocument(GONE, 'protobuf', codec), first);
  t.equal(loads, 1);
});

t.test('the event that ends a watch', async (t) => {
  const line = Buffer.from(statusEvent(GONE, 'json', statusCodec)).toString();
  t.equal(line, `{"type":"ERROR","object":${text(GONE, 'json').trim()}}\n`);
  const frame = Buffer.from(statusEvent(GONE, 'protobuf', statusCodec));
  const document = statusDocument(GONE, 'protobuf', statusCodec);
  t.equal(frame.readUInt32BE(), frame.length - 4);
  t.same(frame.subarray(4, 11), Buffer.from([0x0a, 5, ...Buffer.from('ERROR')]));
  t.same(frame.subarray(-document.length), Buffer.from(document));
});
