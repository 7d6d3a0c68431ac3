/** A patch leaves the rest as it was, and is undone when its commit fails. */
import t from 'tap';
import { CUSTOM_RESOURCE_DEFINITION } from '../../src/resources/apiextensions/custom-resource-definition.ts';
import { CONTROLLER_REVISION } from '../../src/resources/apps/controller-revision.ts';
import { create } from '../../src/shard/verbs/create.ts';
import { patch } from '../../src/shard/verbs/patch.ts';
import type { PatchRequest, PatchType } from '../../src/protocol/shard-protocol.ts';
import { writing } from '../../src/shard/write/driver.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

/** The text of the answer to a patch, or to a create from text. */
async function sent(
  subject: ShardUnderTest,
  name: string,
  type: PatchType | 'create',
  body: string,
): Promise<string> {
  const { namespaced } = subject.shard.kind.definition;
  const namespace = namespaced ? 'default' : '';
  const target = { namespace, name, subresource: '', dryRun: false, manager: 'test' };
  const bytes = Buffer.from(body);
  const answer = answered<unknown>((answer) => {
    if (type === 'create')
      writing(subject.shard, create)({ ...target, format: 'json' }, bytes, answer);
    else {
      const request: PatchRequest = { ...target, patchType: type, force: true };
      writing(subject.shard, patch)(request, bytes, answer);
    }
  });
  subject.shard.pipeline.kick();
  return (await answer).body.toString();
}

/** Ways to set one label and touch nothing else. */
function labelling(apiVersion: string, kind: string, name: string): [PatchType, string][] {
  const metadata = (type: string): object => ({ name, labels: { of: type } });
  return [
    ['json', '[{"op":"add","path":"/metadata/labels","value":{"of":"json"}}]'],
    ['merge', JSON.stringify({ metadata: metadata('merge') })],
    ['strategic', JSON.stringify({ metadata: metadata('strategic') })],
    ['apply', JSON.stringify({ apiVersion, kind, metadata: metadata('apply') })],
  ];
}

/** As clients may write it: another spelling of numbers, order of members, a member twice. */
const ODD_TEXT =
  '{"b":1.0,"a":1e3,"10":-0,"2":0.10,"long":0.1234567890123456789,"n":9007199254740993,' +
  '"huge":1e400,"twice":{"x":1,"x":2},"__proto__":[1E5]}';

t.test('JSON that is kept as text is not spelt anew by a patch of something else', async (t) => {
  t.test('the data of a revision, which is immutable', async (t) => {
    const subject = new ShardUnderTest({ definition: CONTROLLER_REVISION });
    const revision = `{"metadata":{"name":"x"},"revision":1,"data":${ODD_TEXT}}`;
    await sent(subject, 'x', 'create', revision);
    for (const [type, body] of labelling('apps/v1', 'ControllerRevision', 'x')) {
      const text = await sent(subject, 'x', type, body);
      t.ok(text.includes(`"of":"${type}"`), `${type} is obeyed`);
      t.ok(text.includes(`"data":${ODD_TEXT}`), `${type} leaves the data alone`);
    }
  });

  t.test('defaults and schemas in a definition, whose generation stays', async (t) => {
    const subject = new ShardUnderTest({ definition: CUSTOM_RESOURCE_DEFINITION });
    const schemaWith = (one: string, value: string): string =>
      `{"type":"object","properties":{"a":{"type":"number","default":${one},"enum":[${one},2]},` +
      `"b":{"type":"array","items":{"type":"number","maximum":1.5}},` +
      `"c":{"type":"object","default":${value},"x-kubernetes-preserve-unknown-fields":true}}}`;
    const sentSchema = schemaWith('1.0', ODD_TEXT.replace('"huge":1e400,', ''));
    const schema = schemaWith(
      '1',
      '{"10":0,"2":0.1,"__proto__":[100000],"a":1000,"b":1,"long":0.12345678901234568,' +
        '"n":9007199254740993,"twice":{"x":2}}',
    );
    const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${sentSchema}}}`;
    const names = '{"plural":"xs","kind":"X","singular":"x","listKind":"XList"}';
    const spec = `{"group":"ex.io","names":${names},"scope":"Cluster","versions":[${version}]}`;
    await sent(subject, 'xs.ex.io', 'create', `{"metadata":{"name":"xs.ex.io"},"spec":${spec}}`);
    const kind = 'CustomResourceDefinition';
    for (const [type, body] of labelling('apiextensions.cluster.io/v1', kind, 'xs.ex.io')) {
      const text = await sent(subject, 'xs.ex.io', type, body);
      t.ok(text.includes(`"of":"${type}"`), `${type} is obeyed`);
      t.ok(text.includes(`"openAPIV3Schema":${schema}`), `${type} leaves the schema alone`);
      t.match(JSON.parse(text).metadata, { generation: 1 });
    }
  });
});

t.test('a patch may spell a number of kept JSON anew itself', async (t) => {
  const subject = new ShardUnderTest({ definition: CUSTOM_RESOURCE_DEFINITION });
  const schema = `{"type":"object","properties":{"a":{"type":"number","default":1.0}}}`;
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}`;
  const spec = `{"group":"ex.io","names":{"plural":"xs","kind":"X"},"scope":"Cluster","versions":[${version}]}`;
  await sent(subject, 'xs.ex.io', 'create', `{"metadata":{"name":"xs.ex.io"},"spec":${spec}}`);
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/a/default';
  const text = await sent(
    subject,
    'xs.ex.io',
    'json',
    `[{"op":"replace","path":"${path}","value":2}]`,
  );
  t.ok(text.includes('"default":2'), text);
});

t.test('a patch whose commit fails', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  const made = await subject.create(configMap('x', { a: '1' }));
  const config = JSON.stringify({
    ...configMap('x', { b: '2' }),
    apiVersion: 'v1',
    kind: 'ConfigMap',
  });
  await sent(subject, 'x', 'apply', config);
  const before = (await subject.get('x')).text;
  log.hold();
  const bodies: [PatchType, string][] = [
    ['merge', '{"data":{"a":"2"}}'],
    ['json', '[{"op":"add","path":"/data/c","value":"3"}]'],
    ['merge', '{"data":{"c":"3"}}'],
    ['apply', config],
    ['strategic', '{}'],
  ];
  const answers = bodies.map(([type, body]) => sent(subject, 'x', type, body));
  const settled = Promise.allSettled(answers);
  await new Promise((resolve) => setImmediate(resolve));
  log.fail('no space');
  for (const [index, outcome] of (await settled).entries()) {
    t.equal(outcome.status, 'rejected', `${index}`);
    if (outcome.status === 'rejected') t.match(outcome.reason, { code: 500 });
  }
  t.equal((await subject.get('x')).text, before);
  const text = await sent(subject, 'x', 'merge', '{"data":{"d":"4"}}');
  t.same(JSON.parse(text).data, { a: '1', b: '2', d: '4' });
  t.ok(made);
});

t.test('a patch may nest no deeper than other bodies', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('x', { a: '1' }));
  const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
  for (const type of ['merge', 'strategic'] as const) {
    await sent(subject, 'x', type, nested(10_000));
    await t.rejects(sent(subject, 'x', type, nested(10_001)), { code: 400 });
  }
});

t.test('an object grows no further than the store takes it', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('x', { first: '1' }));
  // Keys do not count for the limit of a ConfigMap's data.
  const keys = (letter: string): string => {
    const names = Array.from({ length: 10_000 }, (_, at) => letter.repeat(240) + at);
    return JSON.stringify({ data: Object.fromEntries(names.map((name) => [name, ''])) });
  };
  t.match(await sent(subject, 'x', 'merge', keys('a')), /"resourceVersion":"102"/);
  const { object } = await subject.get('x');
  t.equal(object.metadata.managedFields, undefined, 'first it loses its owners');
  await t.rejects(sent(subject, 'x', 'merge', keys('b')), {
    code: 500,
    message: 'etcdserver: request is too large',
  });
  t.equal((await subject.get('x')).object.metadata.resourceVersion, '102', 'it is as it was');
  t.match(await sent(subject, 'x', 'merge', '{"data":null}'), /"resourceVersion":"103"/);
});
