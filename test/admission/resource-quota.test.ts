/** Which writes are counted in which quotas, and what is asked of these. */
import t from 'tap';
import { checkLimitedResources } from '../../src/admission/plugins/resource-quota/limited-resources.ts';
import { ResourceQuotaPlugin } from '../../src/admission/plugins/resource-quota/resource-quota.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import type { ShardObjects } from '../../src/replicas/shard-objects.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { QuotaReservation, QuotaReserved } from '../../src/quota/quota-protocol.ts';
import { admissionContext, proposed } from '../support/proposals.ts';
import { refusal } from '../support/thrown-status.ts';

function newPlugin(settings?: Readonly<Record<string, unknown>>) {
  const asked: QuotaReservation[] = [];
  const settled: [id: number, isMade: boolean][] = [];
  const shard = { answer: { id: 7 } as QuotaReserved };
  const objects = {
    callOwn: async (_verb: string, request: QuotaReservation) => {
      asked.push(request);
      return shard.answer;
    },
    tellOwn: (_verb: string, told: { id: number; isMade: boolean }) =>
      void settled.push([told.id, told.isMade]),
  };
  const context = admissionContext({ objects: () => objects as unknown as ShardObjects });
  const plugin = new ResourceQuotaPlugin(context, settings);
  const put = (name: string, hard: object, more: { spec?: object; used?: object } = {}): void => {
    const used = more.used ?? hard;
    const metadata = { name, namespace: 'a', uid: `uid-${name}` };
    const quota = { metadata, spec: { hard, ...more.spec }, status: { hard, used } };
    context.fed.putObject('resourcequotas', quota);
  };
  /** Which quotas are asked, and for what; undefined where none is. */
  const validate = async (proposal: Proposal) => {
    await plugin.validate(proposal);
    const { quotas, amounts } = asked.pop() ?? {};
    return quotas && { quotas: quotas.map(({ name }) => name), amounts };
  };
  return { put, validate, settled, shard, fed: context.fed };
}

const named = (name: string, more: object = {}): ApiObject => ({
  metadata: { name, namespace: 'a' },
  ...more,
});
const create = (type: string, object: ApiObject) => proposed(`CREATE ${type}`, { object });
const configMap = create('- configmaps', named('x'));
const pod = (spec: object) => create('- pods', named('x', { spec }));

t.test('quotas are asked that count what an object uses', async (t) => {
  const { put, validate } = newPlugin();
  t.equal(await validate(configMap), undefined, 'there is none');
  put('b', { configmaps: '1', pods: '1' });
  put('a', { 'count/configmaps': '1' });
  put('c', { secrets: '1' });
  put('scoped', { configmaps: '1' }, { spec: { scopes: ['NotTerminating'] } });
  t.same(await validate(configMap), {
    quotas: ['a', 'b'],
    amounts: { 'count/configmaps': '1', configmaps: '1' },
  });
  t.equal(await validate(create('apps deployments', named('x'))), undefined);
  t.equal(await validate(create('- events', named('x'))), undefined);
  const elsewhere = { metadata: { name: 'x', namespace: 'b' } };
  t.equal(await validate(create('- configmaps', elsewhere)), undefined);
  const oldObject = named('x');
  const update = proposed('UPDATE - configmaps', { object: named('x'), oldObject });
  t.equal(await validate(update), undefined, 'it is one as before');
});

t.test('a quota that is not counted yet is told of what is made', async (t) => {
  const { validate, fed } = newPlugin();
  const metadata = { name: 'new', namespace: 'a', uid: 'uid' };
  fed.putObject('resourcequotas', { metadata, spec: { hard: { configmaps: '0' } } });
  t.match(await validate(configMap), { quotas: ['new'] });
});

t.test('an update counts what is used more', async (t) => {
  const { put, validate } = newPlugin();
  put('q', { 'services.nodeports': '9', 'services.loadbalancers': '9' });
  const service = (type: string, ports: number) =>
    named('x', { spec: { type, ports: Array.from({ length: ports }, () => ({})) } });
  const update = (oldObject: ApiObject, object: ApiObject) =>
    validate(proposed('UPDATE - services', { oldObject, object }));
  t.same(await update(service('ClusterIP', 2), service('LoadBalancer', 2)), {
    quotas: ['q'],
    amounts: { 'services.nodeports': '2', 'services.loadbalancers': '1' },
  });
  t.match(await update(service('NodePort', 1), service('NodePort', 3)), {
    amounts: { 'services.nodeports': '2' },
  });
  t.equal(await update(service('NodePort', 3), service('NodePort', 1)), undefined);
});

t.test('it is told what becomes of the write', async (t) => {
  const { put, validate, settled, shard } = newPlugin();
  put('q', { configmaps: '1' });
  const proposal = create('- configmaps', named('x'));
  await validate(proposal);
  t.same(settled, []);
  proposal.settle(true);
  t.same(settled, [[7, true]]);
  shard.answer = { id: 0 };
  await validate(proposal);
  t.equal(proposal.isAwaited, false, 'where nothing is reserved, nobody has to know');
});

t.test('what is refused', async (t) => {
  const { put, validate, shard } = newPlugin();
  const why = async (proposal: Proposal) => {
    const { code, message } = await refusal(validate(proposal));
    return `${code} ${message}`;
  };
  put('q', { pods: '1', 'requests.cpu': '1', 'limits.memory': '1' });
  t.equal(
    await why(pod({ containers: [{}] })),
    '403 pods "x" is forbidden: failed quota: q: must specify limits.memory,requests.cpu',
  );
  put('q', { pods: '1', secrets: '1' }, { used: { secrets: '1' } });
  t.equal(
    await why(pod({ containers: [{}] })),
    '403 pods "x" is forbidden: status unknown for quota: q, resources: pods',
  );
  put('q', { configmaps: '1' });
  shard.answer = { refusal: 'exceeded quota: q, requested: …' };
  t.equal(await why(configMap), '403 configmaps "x" is forbidden: exceeded quota: q, requested: …');
});

const LIMITED = {
  apiVersion: 'apiserver.config.cluster.io/v1',
  kind: 'ResourceQuotaConfiguration',
  limitedResources: [
    {
      resource: 'pods',
      matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['urgent', 'now'] }],
    },
    { resource: 'persistentvolumeclaims', matchContains: ['gold.storageclass'] },
  ],
};

t.test('settings say what needs a quota', async (t) => {
  const { put, validate } = newPlugin(LIMITED);
  const spec = { storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } };
  const claim = create('- persistentvolumeclaims', named('x', { spec }));
  const { code, message } = await refusal(validate(claim));
  const storage = 'gold.storageclass.storage.cluster.io/requests.storage';
  const claims = 'gold.storageclass.storage.cluster.io/persistentvolumeclaims';
  t.equal(code, 403);
  t.match(message, `"x" is forbidden: insufficient quota to consume: ${claims},${storage}`);
  put('claims', { [storage]: '1Gi' });
  t.match((await refusal(validate(claim))).message, `insufficient quota to consume: ${claims}`);
  put('claims', { [storage]: '1Gi', [claims]: '1' });
  t.match(await validate(claim), { quotas: ['claims'] });
  t.equal(await validate(configMap), undefined);

  const urgent = pod({ priorityClassName: 'urgent' });
  const status = await refusal(validate(urgent));
  t.equal(status.code, 500, 'as the reference');
  const scopes = '[{PriorityClass In [urgent now]}]';
  t.equal(status.message, `insufficient quota to match these scopes: ${scopes}`);
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['urgent'] }];
  put('urgent', { pods: '1' }, { spec: { scopeSelector: { matchExpressions } } });
  t.match(await validate(urgent), { quotas: ['urgent'] });
  t.match(await refusal(validate(pod({ priorityClassName: 'now' }))), { code: 500 });
});

t.test('settings are checked', async (t) => {
  const fields = (settings: Readonly<Record<string, unknown>>): (string | undefined)[] =>
    checkLimitedResources(settings).map(({ field }) => field);
  t.same(fields({}), []);
  t.same(fields(LIMITED), []);
  t.same(fields({ ...LIMITED, limitedResources: [{ matchContains: ['a'] }] }), [
    'limitedResources[0].resource',
  ]);
  t.same(fields({ ...LIMITED, kind: 'Other', more: 1 }), ['more', 'kind']);
});
