import t from 'tap';
import { AuditEvent, eventListJson } from '../../src/audit/audit-event.ts';
import type { AuditEventMembers } from '../../src/audit/audit-event.ts';
import { withoutManagedFields } from '../../src/audit/audited-object.ts';
import { RequestTexts } from '../../src/audit/request-texts.ts';
import type { AuditedRequest } from '../../src/audit/request-texts.ts';
import type { AuditVersion } from '../../src/audit/settings.ts';
import { auditedRequest } from '../support/audit-events.ts';

const RECEIVED_MS = Date.UTC(2026, 10, 23, 1, 2, 3, 4) + 0.25;

const REQUEST: AuditedRequest = {
  ...auditedRequest('a1'),
  uri: '/api/v1/pods?a=<b>',
  attributes: { ...auditedRequest('').attributes, verb: 'list' },
  receivedMs: RECEIVED_MS,
};

const FEW: AuditEventMembers = {
  level: 'Metadata',
  stage: 'RequestReceived',
  request: new RequestTexts(REQUEST),
  impersonatedUser: undefined,
  impersonationConstraint: '',
  objectRef: undefined,
  responseStatus: undefined,
  requestObject: '',
  responseObject: '',
  stageMs: RECEIVED_MS,
  annotations: undefined,
};

const ALL: AuditEventMembers = {
  ...FEW,
  level: 'RequestResponse',
  stage: 'ResponseComplete',
  request: new RequestTexts({
    ...REQUEST,
    user: { name: 'jane', uid: '7', groups: ['dev'], extra: { z: ['1'], a: ['2'] } },
    sourceIps: ['10.0.0.1', '::1'],
    userAgent: 'curl/8',
  }),
  impersonatedUser: { name: 'joe', uid: '', groups: ['ops', 'x"y'] },
  objectRef: {
    resource: 'pods',
    namespace: 'shop',
    name: '',
    uid: '',
    apiGroup: '',
    apiVersion: 'v1',
    resourceVersion: '',
    subresource: '',
  },
  responseStatus: { status: 'Failure', reason: 'NotFound', code: 404 },
  requestObject: '{"a":1}',
  responseObject: '{"b":2}',
  stageMs: RECEIVED_MS + 1.5,
  annotations: new Map([
    ['z', 'last'],
    ['a', 'first'],
  ]),
};

t.test('an event is a document on one line, without what says nothing', async (t) => {
  t.equal(
    new AuditEvent(FEW).json('v1'),
    '{"kind":"Event","apiVersion":"audit.cluster.io/v1","level":"Metadata","auditID":"a1",' +
      '"stage":"RequestReceived","requestURI":"/api/v1/pods?a=\\u003cb\\u003e","verb":"list",' +
      '"user":{"username":"jane"},"requestReceivedTimestamp":"2026-11-23T01:02:03.004250Z",' +
      '"stageTimestamp":"2026-11-23T01:02:03.004250Z"}',
  );
});

t.test('its members are in the order of the reference', async (t) => {
  t.equal(
    new AuditEvent(ALL).json('v1'),
    '{"kind":"Event","apiVersion":"audit.cluster.io/v1","level":"RequestResponse",' +
      '"auditID":"a1","stage":"ResponseComplete","requestURI":"/api/v1/pods?a=\\u003cb\\u003e",' +
      '"verb":"list","user":{"username":"jane","uid":"7","groups":["dev"],' +
      '"extra":{"a":["2"],"z":["1"]}},"impersonatedUser":{"username":"joe",' +
      '"groups":["ops","x\\"y"]},"sourceIPs":["10.0.0.1","::1"],"userAgent":"curl/8",' +
      '"objectRef":{"resource":"pods","namespace":"shop","apiVersion":"v1"},' +
      '"responseStatus":{"metadata":{},"status":"Failure","reason":"NotFound","code":404},' +
      '"requestObject":{"a":1},"responseObject":{"b":2},' +
      '"requestReceivedTimestamp":"2026-11-23T01:02:03.004250Z",' +
      '"stageTimestamp":"2026-11-23T01:02:03.005750Z","annotations":{"a":"first","z":"last"}}',
  );
});

t.test('without its objects it says so', async (t) => {
  const { requestObject, responseObject, annotations } = JSON.parse(
    new AuditEvent(ALL).truncated().json('v1'),
  );
  t.same([requestObject, responseObject], [undefined, undefined]);
  t.same(annotations, { a: 'first', z: 'last', 'audit.cluster.io/truncated': 'true' });
});

t.test('webhooks get a list, which says what its items are', async (t) => {
  const events = [new AuditEvent(FEW), new AuditEvent(ALL)];
  const { items, ...list } = JSON.parse(eventListJson(events, 'v1beta1'));
  t.same(list, { kind: 'EventList', apiVersion: 'audit.cluster.io/v1beta1', metadata: {} });
  t.equal(items.length, 2);
  t.equal(Object.keys(items[0])[0], 'metadata');
});

t.test('older versions have the times in seconds too', async (t) => {
  const apps = { apiGroup: 'apps', apiVersion: 'v1', resource: 'deployments' };
  const reference = { namespace: 'shop', name: 'd', uid: '', resourceVersion: '', subresource: '' };
  const event = new AuditEvent({ ...FEW, objectRef: { ...apps, ...reference } });
  const TIME = '2026-11-23T01:02:03Z';
  t.match(
    event.json('v1beta1'),
    `{"kind":"Event","apiVersion":"audit.cluster.io/v1beta1","metadata":{"creationTimestamp":` +
      `"${TIME}"},"level":"Metadata","timestamp":"${TIME}","auditID":"a1","stage":`,
  );
  const referenceIn = (version: AuditVersion): object => JSON.parse(event.json(version)).objectRef;
  t.same(referenceIn('v1beta1'), { ...apps, namespace: 'shop', name: 'd' });
  const joined = { resource: 'deployments', apiVersion: 'apps/v1', namespace: 'shop', name: 'd' };
  t.same(referenceIn('v1alpha1'), joined);
});

t.test('the short text has one line for people', async (t) => {
  t.equal(
    new AuditEvent(FEW).legacyText,
    '2026-11-23T01:02:03.00425Z AUDIT: id="a1" stage="RequestReceived" ip="<unknown>" ' +
      'method="list" user="jane" groups="<none>" as="<self>" asgroups="<lookup>" ' +
      'user-agent="" namespace="<none>" uri="/api/v1/pods?a=<b>" response="<deferred>"',
  );
  t.equal(
    new AuditEvent(ALL).legacyText,
    '2026-11-23T01:02:03.00425Z AUDIT: id="a1" stage="ResponseComplete" ip="10.0.0.1" ' +
      'method="list" user="jane" groups="\\"dev\\"" as="joe" ' +
      'asgroups="\\"ops\\",\\"x\\\\\\"y\\"" user-agent="curl/8" namespace="shop" ' +
      'uri="/api/v1/pods?a=<b>" response="404"',
  );
});

t.test('managedFields go from objects, lists and tables, and nothing else does', async (t) => {
  const object =
    '{"metadata":{"name":"a","managedFields":[{"x":"}"}],"z":1},"n":90071992547409930}';
  const left = '{"metadata":{"name":"a","z":1},"n":90071992547409930}';
  t.equal(withoutManagedFields(object), left);
  const list = (item: string): string => `{"metadata":{},"items":[${item},${item}]}`;
  t.equal(withoutManagedFields(list(object)), list(left));
  const table = (item: string): string => `{"rows":[{"cells":["a",1],"object":${item}}]}`;
  t.equal(withoutManagedFields(table(object)), table(left));
  const other = '{"spec":{"managedFields":1},"items":null}';
  t.equal(withoutManagedFields(other), other);
  t.equal(withoutManagedFields('["managedFields"]'), '["managedFields"]');
});
