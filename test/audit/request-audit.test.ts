import t from 'tap';
import type { AuditEvent } from '../../src/audit/audit-event.ts';
import type { AuditExtent } from '../../src/audit/policy.ts';
import { RequestAudit } from '../../src/audit/request-audit.ts';
import type { ReadAnswer } from '../../src/audit/request-audit.ts';
import { newGate } from '../support/gate.ts';

const POD = {
  verb: 'get',
  isResource: true,
  namespace: 'shop',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: 'web',
  path: '',
};

function auditOf(
  attributes: Partial<typeof POD> = {},
  extent: Partial<AuditExtent> = {},
  readAnswer: ReadAnswer = () => Promise.resolve(undefined),
) {
  const events: AuditEvent[] = [];
  const request = {
    auditId: 'a',
    uri: '/x',
    attributes: { ...POD, ...attributes },
    user: { name: 'jane', uid: '', groups: [] },
    sourceIps: [],
    userAgent: 'x'.repeat(2_000),
    receivedMs: 1,
  };
  const all: AuditExtent = {
    level: 'RequestResponse',
    omitStages: new Set(),
    omitManagedFields: false,
  };
  const audit = new RequestAudit(
    request,
    { ...all, ...extent },
    {
      take: (event) => {
        events.push(event);
        return true;
      },
      jsonOf: (bytes) => Buffer.from(bytes).toString(),
      readAnswer,
      nowMs: () => 2,
    },
  );
  void audit.received();
  const stages = (): string[] => events.map(({ members }) => members.stage);
  const last = () => events.at(-1)?.members;
  return { audit, events, stages, last };
}

t.test('what nobody has foreseen is told as a panic, and nothing follows', async (t) => {
  const { audit, stages, last } = auditOf();
  audit.panicked('x is undefined');
  void audit.completed(500);
  t.same(stages(), ['RequestReceived', 'Panic']);
  t.same(last()?.responseStatus, {
    status: 'Failure',
    message: "APIServer panic'd: x is undefined",
    reason: 'InternalError',
    code: 500,
  });
});

t.test('a client that goes before its answer ends the request', async (t) => {
  const short = auditOf();
  void short.audit.completed();
  void short.audit.completed();
  t.same(short.stages(), ['RequestReceived', 'ResponseComplete']);
  t.match(short.last()?.responseStatus, { code: 200, message: 'Connection closed early' });
  const long = auditOf({ subresource: 'log' });
  void long.audit.completed();
  t.same(long.stages(), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
});

t.test('only what lasts as its client wants is told of when it begins', async (t) => {
  const list = auditOf({ verb: 'list', name: '' });
  list.audit.started(200);
  void list.audit.completed();
  t.same(list.stages(), ['RequestReceived', 'ResponseComplete']);
  t.same(list.last()?.responseStatus, { code: 200 });
  for (const attributes of [{ verb: 'watch' }, { subresource: 'exec' }]) {
    const { audit, stages } = auditOf(attributes);
    audit.started(101);
    audit.started(101);
    void audit.completed();
    t.same(stages(), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  }
});

t.test('omitted stages are not told', async (t) => {
  const { audit, stages } = auditOf({}, { omitStages: new Set(['RequestReceived'] as const) });
  void audit.completed(200);
  t.same(stages(), ['ResponseComplete']);
});

t.test('what the path does not say of the object is in its body', async (t) => {
  const { audit, last } = auditOf({ verb: 'create', name: '' }, { level: 'Metadata' });
  const body = { metadata: { name: 'web', uid: 'u1', resourceVersion: '7', namespace: 'else' } };
  audit.body(Buffer.from(JSON.stringify(body)), 'json');
  void audit.completed(201);
  t.match(last()?.objectRef, {
    name: 'web',
    uid: 'u1',
    resourceVersion: '7',
    namespace: 'shop',
  });
  t.equal(last()?.requestObject, '', 'the level tells no more');
});

t.test('bodies that are none are left out, and those of paths', async (t) => {
  const broken = auditOf({ verb: 'create' });
  broken.audit.body(Buffer.from('{"a":'), 'json');
  broken.audit.document(Buffer.from('{"a":'), 'json');
  void broken.audit.completed(400);
  t.same([broken.last()?.requestObject, broken.last()?.responseObject], ['', '']);
  const page = auditOf({ isResource: false });
  page.audit.body(Buffer.from('{}'), 'json');
  page.audit.document(Buffer.from('{"kind":"APIGroupList"}'), 'json');
  void page.audit.completed(200);
  t.equal(page.last()?.requestObject, '');
  t.equal(page.last()?.responseObject, '{"kind":"APIGroupList"}', 'but what describes the API');
  t.equal(page.last()?.objectRef, undefined);
});

t.test('a list in parts is one object, and one that is too long is none', async (t) => {
  const { audit, last } = auditOf({ verb: 'list' });
  audit.part(Buffer.from('{"items":[1,\n'));
  audit.part(Buffer.from(' 2]}\n'));
  audit.endOfParts('json');
  void audit.completed();
  t.equal(last()?.responseObject, '{"items":[1,2]}');
  const long = auditOf({ verb: 'list' });
  for (let part = 0; part < 17; part++) long.audit.part(new Uint8Array(1024 * 1024));
  long.audit.endOfParts('json');
  void long.audit.completed();
  t.equal(long.last()?.responseObject, '');
  t.same([...(long.last()?.annotations ?? [])], [['audit.cluster.io/truncated', 'true']]);
});

t.test('the Status of a deletion is told, and long names of clients are cut', async (t) => {
  const { audit, last } = auditOf({ verb: 'delete' }, { level: 'Metadata' });
  audit.document(Buffer.from('{"kind":"Status","status":"Success","details":{}}'), 'json');
  void audit.completed(200);
  t.same(last()?.responseStatus, { status: 'Success', code: 200 });
  t.equal(last()?.request.userAgent, `${'x'.repeat(1_024)}...TRUNCATED`);
});

t.test('a patch of a webhook is told with objects alone', async (t) => {
  const annotations = { 'patch.webhook.x/a': '1', 'mutation.webhook.x/a': '2' };
  for (const [level, count] of [
    ['Metadata', 1],
    ['Request', 2],
  ] as const) {
    const { audit, last } = auditOf({}, { level });
    audit.annotateAll(annotations);
    audit.annotate('mutation.webhook.x/a', 'another');
    void audit.completed(200);
    t.equal(last()?.annotations?.size, count, level);
    t.equal(last()?.annotations?.get('mutation.webhook.x/a'), '2');
  }
});

t.test('an answer in YAML is read elsewhere, and its event waits for that', async (t) => {
  const gate = newGate<string | undefined>();
  const users: string[] = [];
  const { audit, stages, last } = auditOf({}, {}, (user) => {
    users.push(user);
    return gate.promise;
  });
  audit.document(Buffer.from('kind: Pod\n'), 'yaml');
  const completed = audit.completed(200);
  t.same(stages(), ['RequestReceived']);
  gate.open('{"kind":"Pod"}');
  await completed;
  t.same(stages(), ['RequestReceived', 'ResponseComplete']);
  t.equal(last()?.responseObject, '{"kind":"Pod"}');
  t.same(users, ['jane']);
});

t.test('one that cannot be read is left out, which is told', async (t) => {
  const { audit, last } = auditOf();
  audit.document(Buffer.from('kind: Pod\n'), 'yaml');
  await audit.completed(200);
  t.equal(last()?.responseObject, '');
  t.same([...(last()?.annotations ?? [])], [['audit.cluster.io/truncated', 'true']]);
});
