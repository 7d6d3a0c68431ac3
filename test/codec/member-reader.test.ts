/** Members read alone are what decoding the whole object gives of them. */
import t from 'tap';
import { deepEqual } from '../../src/base/deep-equal.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileMemberReader } from '../../src/codec/json/member-reader.ts';
import type { MemberSelection } from '../../src/codec/json/member-selection.ts';
import type { Members } from '../../src/codec/model/schema-model.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random } from '../support/random.ts';
import { MODEL } from '../resources/kind-rules.ts';

/** Gives what is read of a document that is stored as `message`. */
function read(message: string, selection: MemberSelection, document: object): Members {
  const codec = compileJsonCodec(MODEL, message, 'null');
  const stored = codec.encode(codec.decode(documentText(document)).object);
  return compileMemberReader(MODEL, message, selection)(Buffer.from(stored));
}

t.test('of a message only what is selected is there', async (t) => {
  const spec = {
    nodeName: 'n1',
    containers: [
      { name: 'app', image: 'app:1' },
      { name: 'side', image: 'side:1' },
    ],
    nodeSelector: { __proto__x: 'a', '10': 'b', 'a"b': 'c\\' },
  };
  const pod = { metadata: { name: 'a', labels: { l: 'm' } }, spec };
  const of = (selection: MemberSelection): Members => read('core.v1.Pod', selection, pod);
  t.strictSame(of({}), {});
  t.strictSame(of({ spec: { nodeName: true } }), { spec: { nodeName: 'n1' } });
  t.same(of({ spec: { containers: {} } }), { spec: { containers: [{}, {}] } });
  t.same(of({ spec: { containers: { image: true } }, metadata: { name: true } }), {
    metadata: { name: 'a' },
    spec: { containers: [{ image: 'app:1' }, { image: 'side:1' }] },
  });
  t.same(of({ spec: { nodeSelector: true } }), { spec: { nodeSelector: spec.nodeSelector } });
  const keys = of({ spec: { nodeSelector: 'keys' } }) as { spec: { nodeSelector: object } };
  t.same(Object.keys(keys.spec.nodeSelector).sort(), Object.keys(spec.nodeSelector).sort());
  t.strictSame(of({ status: { phase: true } }), { status: {} });
});

t.test('zero values and null are absent, unless presence tells', async (t) => {
  const deployment = {
    metadata: { creationTimestamp: null, name: '', generation: 0 },
    spec: { replicas: 0, paused: false, minReadySeconds: 0, selector: {} },
  };
  t.same(
    read('apps.v1.Deployment', { metadata: { creationTimestamp: true, name: true } }, deployment),
    { metadata: {} },
  );
  const spec = { replicas: true, paused: true, minReadySeconds: true, selector: true } as const;
  t.same(read('apps.v1.Deployment', { spec }, deployment), { spec: { replicas: 0, selector: {} } });
});

t.test('no digit of a number is lost, and text is what was meant', async (t) => {
  const revision = 2n ** 63n - 1n;
  t.strictSame(read('apps.v1.ControllerRevision', { revision: true }, { revision }), { revision });
  const message = 'quote " slash \\ tab \t < & > \u2028 \ud83d\ude00';
  t.strictSame(read('core.v1.Event', { message: true }, { message }), { message });
});

t.test('random objects, of which all is selected that can be', async (t) => {
  const random = new Random(7);
  for (const message of ['core.v1.Service', 'core.v1.Node', 'networking.v1.NetworkPolicy']) {
    const selection = { spec: true, status: true } as const;
    const has = (name: string): boolean =>
      MODEL.messages[message]?.fields.some((field) => field.name === name) === true;
    const wanted = Object.fromEntries(Object.entries(selection).filter(([name]) => has(name)));
    const codec = compileJsonCodec(MODEL, message, 'null');
    const reader = compileMemberReader(MODEL, message, wanted);
    for (let count = 0; count < 40; count += 1) {
      const document = randomObject(MODEL, message, random, { depth: 6, bigints: true });
      const { object } = codec.decode(documentText(document));
      const found = reader(Buffer.from(codec.encode(object)));
      for (const name of Object.keys(wanted)) {
        if (!deepEqual(found[name], object[name])) t.same(found[name], object[name], message);
      }
    }
    t.pass(message);
  }
});

t.test('a member that the message does not have is a bug', async (t) => {
  const compile = (selection: MemberSelection) => () =>
    compileMemberReader(MODEL, 'core.v1.Pod', selection);
  t.throws(compile({ spec: { nodeNam: true } }), /PodSpec has no nodeNam/);
  t.throws(compile({ metadata: { managedFields: true } }), /FieldsV1 cannot be read alone/);
});
