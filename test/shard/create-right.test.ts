/**
 * Who may update or patch what is not there, and would so create it: they need that right too,
 * which is asked for when it is known that nothing is there, and at no other time.
 */
import t from 'tap';
import type { AdmissionPlugin, PluginEntry } from '../../src/admission/plugin.ts';
import type { AccessAttributes, Decision } from '../../src/auth/authorizer.ts';
import { NO_RULES } from '../../src/auth/fixed-authorizers.ts';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { ENDPOINTS } from '../../src/resources/core/services/endpoints.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import type { BuiltInKind } from '../../src/resources/kind.ts';
import { RUNTIME_CLASS } from '../../src/resources/node/runtime-class.ts';
import { patch } from '../../src/shard/verbs/patch.ts';
import type { ObjectReply, PatchRequest, WriteRequest } from '../../src/protocol/shard-protocol.ts';
import { update } from '../../src/shard/verbs/update.ts';
import { writing } from '../../src/shard/write/driver.ts';
import { chainOf } from '../support/admission.ts';
import { newGate, turns } from '../support/gate.ts';
import type { Members } from '../support/kinds.ts';
import { answered, ShardUnderTest, type ShardSetup } from '../support/shard-under-test.ts';
import { refusal } from '../support/thrown-status.ts';

const ANN = { name: 'ann', uid: '', groups: ['writers'] };
const ALLOWED: Decision = { verdict: 'allow', reason: '' };
const REFUSED: Decision = { verdict: 'noOpinion', reason: '' };

type Decide = (asked: AccessAttributes) => Decision | Promise<Decision>;

/** A shard, and what was asked about those who write to it. */
function decidedBy(decide: Decide, setup: ShardSetup = {}) {
  const asked: AccessAttributes[] = [];
  const authorize: Decide = (attributes) => {
    asked.push(attributes);
    return decide(attributes);
  };
  const authorizer = () => ({ authorize, rulesFor: () => NO_RULES });
  return { asked, subject: new ShardUnderTest({ ...setup, authorizer }) };
}

interface Asked {
  readonly dryRun?: boolean;
  /** '' is the server itself. */
  readonly user?: string;
  readonly name?: string;
}

/** PUT or apply of an object as clients send it; gives the HTTP status. */
async function sent(
  { shard }: ShardUnderTest,
  verb: 'put' | 'apply',
  members: Members,
  { dryRun = false, user = JSON.stringify(ANN), name = 'x' }: Asked = {},
): Promise<number> {
  const { definition } = shard.kind;
  const namespace = definition.namespaced ? 'default' : '';
  const target = { namespace, name, subresource: '', dryRun, manager: 'test' };
  const request = { ...target, ...(user !== '' && { user }) };
  const { apiVersion, kind } = { apiVersion: shard.kind.stored.groupVersion, ...definition };
  const object = { apiVersion, kind, metadata: { name }, ...members };
  const body = Buffer.from(JSON.stringify(object));
  const put: WriteRequest = { ...request, format: 'json' };
  const applying: PatchRequest = { ...request, patchType: 'apply', force: true };
  const { reply } = await answered<ObjectReply>((answer) => {
    if (verb === 'put') writing(shard, update)(put, body, answer);
    else writing(shard, patch)(applying, body, answer);
    shard.pipeline.kick();
  });
  return reply.code;
}

/** How objects of kinds come to be that are not posted. */
const WAYS: readonly (readonly ['put' | 'apply', BuiltInKind])[] = [
  ['put', ENDPOINTS],
  ['apply', ENDPOINTS],
  ['apply', CONFIG_MAP],
];

for (const [verb, definition] of WAYS) {
  t.test(`${verb} of ${definition.plural}`, async (t) => {
    t.test('takes the right to create what is not there', async (t) => {
      const { subject, asked } = decidedBy(() => REFUSED, { definition });
      for (const dryRun of [false, true]) {
        const error = await refusal(sent(subject, verb, {}, { dryRun }));
        t.match(error, { code: 403, reason: 'Forbidden', details: { name: 'x' } });
        t.match(error.message, /"x" is forbidden: $/, 'nobody said why');
      }
      t.same(subject.keys(), []);
      const { group, plural: resource } = definition;
      const expected = { user: ANN, verb: 'create', isResource: true, namespace: 'default' };
      t.match(asked, [
        { ...expected, group, version: 'v1', resource, subresource: '', name: 'x' },
        { ...expected, name: 'x' },
      ]);
    });

    t.test('creates with that right, and does not ask for it afterwards', async (t) => {
      const { subject, asked } = decidedBy(() => ALLOWED, { definition });
      t.equal(await sent(subject, verb, {}), 201);
      t.equal(asked.length, 1);
      t.equal(await sent(subject, verb, { metadata: { name: 'x', labels: { a: 'b' } } }), 200);
      t.equal(asked.length, 1, 'an update asks nothing');
    });

    t.test('asks nothing about the server itself', async (t) => {
      const { subject, asked } = decidedBy(() => REFUSED, { definition });
      t.equal(await sent(subject, verb, {}, { user: '' }), 201);
      t.same(asked, []);
    });
  });
}

t.test('a namespace is created at the scope of the cluster', async (t) => {
  const { subject, asked } = decidedBy(() => ALLOWED, { definition: NAMESPACE });
  t.equal(await sent(subject, 'apply', {}), 201);
  t.match(asked, [{ namespace: '', resource: 'namespaces', name: 'x' }]);
});

t.test('a POST was asked for as a whole', async (t) => {
  const { subject, asked } = decidedBy(() => REFUSED);
  t.equal((await subject.create({ metadata: { name: 'x' } }, { user: 'ann' })).code, 201);
  t.same(asked, []);
});

t.test('the refusal tells the reason, and what could not be decided is 500', async (t) => {
  const reasons: readonly [Decision, object][] = [
    [
      { verdict: 'noOpinion', reason: 'no role\nno reply' },
      { code: 403, message: 'configmaps "x" is forbidden: no role\nno reply' },
    ],
    [
      { verdict: 'deny', reason: 'never' },
      { code: 403, message: 'configmaps "x" is forbidden: never' },
    ],
    [
      { verdict: 'noOpinion', reason: '', error: 'nobody is there' },
      { code: 500, reason: 'InternalError', message: 'Internal error occurred: nobody is there' },
    ],
  ];
  for (const [decision, expected] of reasons) {
    for (const decide of [() => decision, async () => decision]) {
      const { subject } = decidedBy(decide);
      t.match(await refusal(sent(subject, 'apply', {})), expected);
    }
  }
  const error = 'one of them is not there';
  const { subject } = decidedBy(() => ({ ...ALLOWED, error }));
  t.equal(await sent(subject, 'apply', {}), 201, 'who allows is not asked what went wrong');
});

t.test(
  'it comes after mutating admission and validation, before validating admission',
  async (t) => {
    const order: string[] = [];
    const plugin: AdmissionPlugin = {
      admit: () => void order.push('admit'),
      validate: () => void order.push('validate'),
    };
    const spy: PluginEntry = { isOnByDefault: true, concerns: () => true, load: () => plugin };
    const decide: Decide = () => {
      order.push('authorize');
      return order.length > 3 ? REFUSED : ALLOWED;
    };
    const { subject } = decidedBy(decide, {
      definition: RUNTIME_CLASS,
      admission: chainOf(undefined, { spy }),
    });
    t.match(await refusal(sent(subject, 'apply', {})), { code: 422 });
    t.same(order.splice(0), ['admit'], 'what is invalid is refused as that');
    t.equal(await sent(subject, 'apply', { handler: 'a' }), 201);
    t.same(order, ['admit', 'authorize', 'validate']);
    t.match(await refusal(sent(subject, 'apply', { handler: 'a' }, { name: 'y' })), { code: 403 });
    t.same(order.slice(3), ['admit', 'authorize'], 'what is not allowed is seen by nobody after');
  },
);

t.test('preconditions come first', async (t) => {
  const { subject, asked } = decidedBy(() => REFUSED, { definition: ENDPOINTS });
  for (const verb of ['put', 'apply'] as const) {
    const metadata = { name: 'x', uid: 'other' };
    t.match(await refusal(sent(subject, verb, { metadata })), { code: 409 });
  }
  t.same(asked, []);
});

t.test('races', async (t) => {
  t.test('what has appeared meanwhile is updated, and nobody is asked again', async (t) => {
    const gate = newGate<Decision>();
    const { subject, asked } = decidedBy(() => gate.promise);
    const applied = sent(subject, 'apply', { data: { a: '1' } });
    await turns();
    await subject.create({ metadata: { name: 'x' }, data: { b: '2' } });
    gate.open(ALLOWED);
    t.equal(await applied, 200);
    t.match((await subject.get('x')).object.data, { a: '1', b: '2' });
    t.equal(asked.length, 1);
  });

  t.test('what has disappeared meanwhile is created only with the right', async (t) => {
    const gate = newGate<undefined>();
    const plugin: AdmissionPlugin = { validate: () => gate.promise };
    const concerns: PluginEntry['concerns'] = ({ operation }) => operation === 'UPDATE';
    const spy: PluginEntry = { isOnByDefault: true, concerns, load: () => plugin };
    const { subject, asked } = decidedBy(() => REFUSED, {
      definition: RUNTIME_CLASS,
      admission: chainOf(undefined, { spy }),
    });
    await subject.create({ metadata: { name: 'x' }, handler: 'a' });
    const metadata = { name: 'x', labels: { a: 'b' } };
    const applied = sent(subject, 'apply', { metadata, handler: 'a' });
    await turns();
    await subject.delete('x');
    gate.open(undefined);
    t.match(await refusal(applied), { code: 403 });
    t.equal(asked.length, 1);
    t.same(subject.keys(), []);
  });

  t.test('who has come and gone is asked about once', async (t) => {
    const gate = newGate<Decision>();
    const { subject, asked } = decidedBy(() => gate.promise);
    const applied = sent(subject, 'apply', {});
    await turns();
    await subject.create({ metadata: { name: 'x' } });
    await subject.delete('x');
    gate.open(ALLOWED);
    t.equal(await applied, 201);
    t.equal(asked.length, 1);
  });
});

t.test('a large object waits for the answer without holding up others', async (t) => {
  const gate = newGate<Decision>();
  const { subject } = decidedBy(() => gate.promise);
  const data = { long: 'x'.repeat(200_000) };
  const applied = sent(subject, 'apply', { data });
  await turns();
  t.equal((await subject.create({ metadata: { name: 'y' }, data })).code, 201);
  gate.open(ALLOWED);
  t.equal(await applied, 201);
});
