// Which writes a webhook is asked about, and in which version it is shown their objects.
import t from 'tap';
import type { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import { selects } from '../../src/admission/matching.ts';
import { webhooksOf } from '../../src/admission/plugins/webhooks/configured-webhook.ts';
import { namedBy } from '../../src/admission/plugins/webhooks/webhook-index.ts';
import type { Webhook } from '../../src/resources/admissionregistration/webhook-validation.ts';
import { proposed } from '../support/proposals.ts';
import type { Proposed } from '../support/proposals.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const PODS = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const NAMESPACES: Pick<NamespaceReplica, 'get'> = {
  get: (name) =>
    name === 'gone'
      ? undefined
      : { isTerminating: false, labels: { name, team: 'a' }, annotations: {} },
};

function asked(webhook: Webhook, what: string, facts: Proposed = {}) {
  const webhooks = webhooksOf({ metadata: { name: 'c' }, webhooks: [webhook] });
  const object = { metadata: { name: 'a', namespace: 'ns' } };
  const proposal = proposed(what, { object, ...facts });
  const [invocation] = namedBy(webhooks, proposal);
  if (invocation === undefined) return undefined;
  return selects(invocation.webhook, proposal, NAMESPACES) ? invocation : undefined;
}

t.test('rules name operations, groups, versions, types and subresources', async (t) => {
  const rows: [rule: object, what: string, isAsked: boolean][] = [
    [{}, 'CREATE - pods', true],
    [{}, 'CREATE - pods/status', false],
    [{}, 'CREATE - services', false],
    [{}, 'CREATE apps pods', false],
    [{ operations: ['UPDATE', 'DELETE'] }, 'CREATE - pods', false],
    [{ operations: ['UPDATE', 'CREATE'] }, 'CREATE - pods', true],
    [{ apiGroups: ['*'] }, 'CREATE apps pods', true],
    [{ apiVersions: ['v2'] }, 'CREATE - pods', false],
    [{ apiVersions: ['*'] }, 'CREATE - pods', true],
    [{ resources: ['*'] }, 'CREATE - services', true],
    [{ resources: ['*'] }, 'CREATE - services/status', false],
    [{ resources: ['pods/*'] }, 'CONNECT - pods/exec', true],
    [{ resources: ['pods/*'] }, 'CREATE - pods', true],
    [{ resources: ['pods/*'] }, 'CREATE - services/proxy', false],
    [{ resources: ['*/scale'] }, 'UPDATE - replicationcontrollers/scale', true],
    [{ resources: ['*/scale'] }, 'UPDATE - replicationcontrollers', false],
    [{ resources: ['*/*'] }, 'UPDATE - replicationcontrollers/scale', true],
    [{ scope: 'Namespaced' }, 'CREATE - pods', true],
    [{ scope: 'Cluster' }, 'CREATE - pods', false],
    [{ scope: '*' }, 'CREATE - pods', true],
  ];
  for (const [rule, what, isAsked] of rows) {
    const invocation = asked({ rules: [{ ...PODS, ...rule }] }, what);
    t.equal(invocation !== undefined, isAsked, `${JSON.stringify(rule)} and ${what}`);
  }
});

t.test('namespaces themselves are in none', async (t) => {
  const rule = { ...PODS, resources: ['*'] };
  const facts = { namespace: 'ns', object: { metadata: { name: 'ns' } } };
  const isAsked = (scope: string, what: string): boolean =>
    asked({ rules: [{ ...rule, scope }] }, what, facts) !== undefined;
  t.equal(isAsked('Cluster', 'CREATE - namespaces'), true);
  t.equal(isAsked('Namespaced', 'CREATE - namespaces'), false);
  t.equal(isAsked('Namespaced', 'CREATE - configmaps'), true);
  t.equal(isAsked('Cluster', 'CREATE - configmaps'), false);
});

t.test('a rule for another version means the same objects, if it may', async (t) => {
  const event = (groupVersion: string, group: string) => ({
    groupVersion,
    group,
    resource: 'events',
  });
  const forms = {
    ...proposed('CREATE - events').forms,
    versions: [event('events.example/v1', 'events.example'), event('v1', '')],
  };
  const rules = [{ ...PODS, apiGroups: ['events.example'], resources: ['events'] }];
  const equivalent = asked({ rules }, 'CREATE - events', { forms });
  t.match(equivalent, {
    resource: { group: 'events.example', version: 'v1', resource: 'events' },
    groupVersion: 'events.example/v1',
  });
  t.equal(asked({ rules, matchPolicy: 'Exact' }, 'CREATE - events', { forms }), undefined);
  const both = [...rules, { ...PODS, resources: ['*'] }];
  t.match(asked({ rules: both }, 'CREATE - events', { forms }), { groupVersion: 'v1' });

  const ofScale = { ...forms, kind: 'Scale', groupVersion: 'autoscaling/v1' };
  const scales = [{ ...PODS, apiGroups: ['events.example'], resources: ['events/scale'] }];
  t.match(
    asked({ rules: scales }, 'UPDATE - events/scale', { forms: ofScale }),
    { resource: { group: 'events.example' }, groupVersion: 'autoscaling/v1' },
    'a Scale is one, whatever the version of the object',
  );
});

t.test('a selector of namespaces looks at the namespace of the object', async (t) => {
  const rules = [{ ...PODS, resources: ['*'] }];
  const of = (team: string): Webhook => ({
    rules,
    namespaceSelector: { matchLabels: { team } },
  });
  t.ok(asked(of('a'), 'CREATE - pods'));
  t.notOk(asked(of('b'), 'CREATE - pods'));
  const inGone = { namespace: 'gone' };
  t.equal(thrownStatus(() => asked(of('a'), 'CREATE - pods', inGone)).code, 404);
  t.notOk(asked({ ...of('a'), rules: [] }, 'CREATE - pods', inGone), 'only where the rules fit');
  t.ok(asked({ rules }, 'CREATE - pods', inGone), 'where nothing is asked for, nobody looks');
  t.ok(asked(of('b'), 'CREATE - nodes', { namespace: '' }), 'what is in none is never left out');
});

t.test('a selector of namespaces looks at what a namespace is to be', async (t) => {
  const webhook = {
    rules: [{ ...PODS, resources: ['*/*'] }],
    namespaceSelector: { matchLabels: { team: 'b' } },
  };
  const object = { metadata: { name: 'ns', labels: { team: 'b' } } };
  const facts = { object, namespace: 'ns' };
  t.ok(asked(webhook, 'CREATE - namespaces', facts));
  t.ok(asked(webhook, 'UPDATE - namespaces', facts));
  t.notOk(asked(webhook, 'UPDATE - namespaces/status', facts), 'but for its parts');
  t.notOk(asked(webhook, 'DELETE - namespaces', { ...facts, object: undefined }));
});

t.test('a selector of objects looks at the object before and after', async (t) => {
  const webhook = { rules: [PODS], objectSelector: { matchLabels: { app: 'a' } } };
  const object = (labels?: Record<string, string>) => ({
    metadata: { name: 'a', namespace: 'ns', ...(labels && { labels }) },
  });
  const [with_, without] = [object({ app: 'a' }), object()];
  t.ok(asked(webhook, 'UPDATE - pods', { object: with_, oldObject: without }));
  t.ok(asked(webhook, 'UPDATE - pods', { object: without, oldObject: with_ }));
  t.ok(asked(webhook, 'DELETE - pods', { object: undefined, oldObject: with_ }));
  t.notOk(asked(webhook, 'UPDATE - pods', { object: without, oldObject: without }));
});
