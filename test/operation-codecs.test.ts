/** Bodies and answers of kinds that are never stored, in every encoding. */
import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { compileProtobufCodec } from '../src/codec/protobuf/protobuf-codec.ts';
import { unwrapProtobuf, wrapProtobuf } from '../src/codec/protobuf/protobuf-envelope.ts';
import type { OperationKind } from '../src/front/operation.ts';
import { LazyOperationCodecs } from '../src/operation-codecs.ts';
import { model } from './codec/proto-model.ts';
import { thrownStatus } from './support/thrown-status.ts';

const REVIEW: OperationKind = {
  group: 'authorization.cluster.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  message: 'authorization.v1.SubjectAccessReview',
};
const EVICTION: OperationKind = {
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  message: 'policy.v1.Eviction',
  accepts: ['policy/v1beta1'],
};
const USER = 'system:serviceaccount:cluster-system:robot';
const ENCODINGS = ['json', 'yaml', 'protobuf'] as const;
const IGNORE = { fieldValidation: 'Ignore' } as const;

const binary = compileProtobufCodec(model, REVIEW.message);

const codecs = new LazyOperationCodecs(() => model);

/** Reads the type and the user of a body or document. */
function read(encoding: (typeof ENCODINGS)[number], bytes: Uint8Array): unknown[] {
  if (encoding === 'protobuf') {
    const { kind, apiVersion, raw } = unwrapProtobuf(bytes);
    const { spec } = binary.decode(raw) as { spec: { user: string } };
    return [kind, apiVersion, spec.user];
  }
  const text = Buffer.from(bytes).toString();
  const { kind, apiVersion, spec } = encoding === 'json' ? JSON.parse(text) : parseYaml(text);
  return [kind, apiVersion, spec.user];
}

t.test('what is encoded is decoded again', async (t) => {
  const object = { metadata: {}, spec: { user: USER }, status: { allowed: true } };
  for (const encoding of ENCODINGS) {
    const bytes = codecs.encode(REVIEW, object, { encoding });
    const type = [REVIEW.kind, 'authorization.cluster.io/v1'];
    t.same(read(encoding, bytes), [...type, USER], encoding);
    const decoded = codecs.decode(REVIEW, bytes, { format: encoding, ...IGNORE });
    t.same(decoded.warnings, []);
    t.match(decoded.object, object, `${encoding} and back`);
  }
});

t.test('bodies that are refused', async (t) => {
  const raw = binary.encodeObject({ metadata: {}, spec: {} });
  const envelope = (kind: string, apiVersion: string): Uint8Array =>
    wrapProtobuf({ kind, apiVersion, raw });
  const rows: [string, Uint8Array, RegExp][] = [
    ['no envelope', Buffer.from('{}'), /does not appear to be a protobuf message/],
    ['nothing', new Uint8Array(0), /empty data/],
    ['another kind', envelope('Pod', 'v1'), /^Pod in version "v1" cannot be handled as a Subject/],
    [
      'the other dialect',
      envelope(REVIEW.kind, 'authorization.k8s.io/v1'),
      /^the API version in the data \(authorization\.\S+\/v1\) does not match the expected/,
    ],
    [
      'a broken message',
      wrapProtobuf({ kind: '', apiVersion: '', raw: Uint8Array.of(0x0a, 0xff) }),
      /^SubjectAccessReview in version "v1" cannot be handled as a SubjectAccessReview: /,
    ],
  ];
  for (const [what, body, message] of rows) {
    const decode = () => codecs.decode(REVIEW, body, { format: 'protobuf', ...IGNORE });
    t.match(thrownStatus(decode), { code: 400, reason: 'BadRequest', message }, what);
  }
  const untyped = envelope('', '');
  const { object } = codecs.decode(REVIEW, untyped, { format: 'protobuf', ...IGNORE });
  t.match(object, { metadata: {}, spec: {} }, 'a body need not say what it is');
});

t.test('a kind that is taken in an older version too', async (t) => {
  for (const apiVersion of ['policy/v1', 'policy/v1beta1']) {
    const document = { kind: 'Eviction', apiVersion, metadata: { name: 'p' } };
    const raw = compileProtobufCodec(model, EVICTION.message).encodeObject({
      metadata: { name: 'p' },
    });
    const bodies = {
      json: Buffer.from(JSON.stringify(document)),
      yaml: Buffer.from(`kind: Eviction\napiVersion: ${apiVersion}\nmetadata: {name: p}\n`),
      protobuf: wrapProtobuf({ kind: 'Eviction', apiVersion, raw }),
    };
    for (const format of ENCODINGS) {
      const { object } = codecs.decode(EVICTION, bodies[format], { format, ...IGNORE });
      t.equal(object.metadata.name, 'p', `${apiVersion} ${format}`);
    }
  }
  const body = wrapProtobuf({ kind: 'Eviction', apiVersion: 'policy/v2', raw: new Uint8Array(0) });
  const decode = () => codecs.decode(EVICTION, body, { format: 'protobuf', ...IGNORE });
  t.match(thrownStatus(decode), { code: 400, message: /\(policy\/v2\) does not match/ });
});

t.end();
