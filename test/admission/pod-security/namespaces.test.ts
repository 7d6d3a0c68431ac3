// PodSecurity: which labels a namespace may have, and what is told of the pods that it has.
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import { warningsOfExisting } from '../../../src/admission/pod-security/existing-pods.ts';
import { PodSecurity } from '../../../src/admission/pod-security/pod-security.ts';
import type { Proposal } from '../../../src/admission/proposal.ts';
import type { ListedPage } from '../../../src/replicas/shard-objects.ts';
import type { ApiObject } from '../../../src/resources/kind.ts';
import { thrownStatus } from '../../support/thrown-status.ts';
import { admissionContext, proposed } from '../../support/proposals.ts';
import type { Proposed } from '../../support/proposals.ts';
import { labelled, podWith, type PodChange } from './pods.ts';

const HOST: PodChange = { spec: { hostNetwork: true } };
const BASELINE = { level: 'baseline', version: 'latest' } as const;

function namespace(labels: string): ApiObject {
  return { metadata: { name: 'n', labels: labelled(labels) } };
}

function relabelled(from: string, to: string, facts: Proposed = {}): Proposal {
  const forms = { ...proposed('UPDATE - namespaces').forms, kind: 'Namespace' };
  const objects = { oldObject: namespace(from), object: namespace(to) };
  return proposed('UPDATE - namespaces', { ...objects, forms, namespace: 'n', ...facts });
}

/** Gives the pods in pages, as shards do. */
function shardOf(pods: readonly Pod[]) {
  let pages = 0;
  const list = async <T extends ApiObject>(
    _namespace: string,
    limit: number,
    token = '0',
  ): Promise<ListedPage<T>> => {
    pages += 1;
    const end = Number(token) + limit;
    const items = pods.slice(Number(token), end) as readonly ApiObject[] as readonly T[];
    const remaining = Math.max(0, pods.length - end);
    const continueToken = remaining === 0 ? '' : `${end}`;
    return { items, remaining, continueToken, resourceVersion: '1' };
  };
  return { list, pageCount: () => pages };
}

function owned(pod: Pod, uid: string): Pod {
  const owner = { apiVersion: 'v1', kind: 'K', name: 'k', uid, controller: true };
  return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
}

const existing = (pods: readonly Pod[]) => ({
  pods: shardOf(pods),
  namespace: 'n',
  isExempt: () => false,
  deadlineMs: performance.now() + 60_000,
});

t.test('labels that say nothing are refused, unless they are there already', async (t) => {
  const plugin = new PodSecurity(admissionContext(), undefined);
  const validate = (proposal: Proposal) => () => void plugin.validate(proposal);
  const creating = (labels: string) =>
    relabelled('', labels, { operation: 'CREATE', oldObject: undefined });
  t.doesNotThrow(validate(creating('enforce=baseline audit-version=v1.99 warn=privileged')));
  const wrong = 'warn=no warn-version=v1 enforce=Baseline';
  const status = thrownStatus(validate(relabelled('', wrong)));
  const field = 'metadata.labels[pod-security.cluster.io/';
  const level = 'must be one of privileged, baseline, restricted';
  t.match(status, { code: 422, reason: 'Invalid', details: { name: 'n', kind: 'Namespace' } });
  t.equal(
    status.message,
    `Namespace "n" is invalid: [${field}enforce]: Invalid value: "Baseline": ${level}, ` +
      `${field}warn]: Invalid value: "no": ${level}, ` +
      `${field}warn-version]: Invalid value: "v1": must be "latest" or "v1.x"]`,
  );
  t.equal(thrownStatus(validate(creating('enforce='))).code, 422);
  t.doesNotThrow(validate(relabelled(wrong, wrong)));
  t.doesNotThrow(validate(relabelled(wrong, 'warn=baseline')));
  t.equal(thrownStatus(validate(relabelled(wrong, 'warn=no'))).code, 422);
});

t.test('pods that there are count when less is allowed than before', async (t) => {
  const rows: [from: string, to: string, isAsked: boolean][] = [
    ['', '', false],
    ['', 'enforce=baseline', true],
    ['', 'warn=baseline audit=restricted', false],
    ['enforce=baseline', 'enforce=restricted', true],
    ['enforce=restricted', 'enforce=baseline', false],
    ['enforce=restricted', 'enforce=baseline enforce-version=v1.20', true],
    ['enforce=restricted', 'enforce=privileged enforce-version=v1.20', false],
    ['enforce=baseline enforce-version=v1.20', 'enforce=baseline enforce-version=v1.21', true],
  ];
  for (const [from, to, isAsked] of rows) {
    const shard = shardOf([podWith({ ...HOST, inner: { privileged: true } }, 'a')]);
    const plugin = new PodSecurity({ ...admissionContext(), objects: () => shard }, undefined);
    const proposal = relabelled(from, to);
    await plugin.validate(proposal);
    t.equal(shard.pageCount(), isAsked ? 1 : 0, `${from} → ${to}`);
    t.equal(proposal.warnings?.length ?? 0, isAsked ? 2 : 0);
  }
  const exemptions = { namespaces: ['n'] };
  const plugin = new PodSecurity(admissionContext(), { exemptions });
  const proposal = relabelled('', 'enforce=baseline');
  t.equal(plugin.validate(proposal), undefined);
  t.same([...(proposal.annotations ?? [])], [['pod-security.cluster.io/exempt', 'namespace']]);
});

t.test('pods are told of by what is wrong with them', async (t) => {
  const both = { ...HOST, inner: { privileged: true } };
  const pods = [
    podWith(HOST, 'z'),
    podWith({}, 'good'),
    podWith(both, 'b'),
    podWith(HOST, 'y'),
    podWith(HOST, 'x'),
    podWith({ volumes: ['hostPath'] }, 'w'),
    podWith({ volumes: ['hostPath'] }, 'v'),
  ];
  t.same(await warningsOfExisting(existing(pods), BASELINE), [
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    'b: host namespaces, privileged',
    'v (and 1 other pod): hostPath volumes',
    'x (and 2 other pods): host namespaces',
  ]);
  t.same(await warningsOfExisting(existing([podWith()]), BASELINE), []);
  t.same(await warningsOfExisting(existing([]), BASELINE), []);
  const boxed = { ...existing(pods), isExempt: (pod: Pod) => pod.spec?.hostNetwork === true };
  t.match(await warningsOfExisting(boxed, BASELINE), [/existing pods/, /^v \(and 1 other pod\)/]);
});

t.test('of very many pods a part is looked at, and one of each controller before', async (t) => {
  const many = Array.from({ length: 4000 }, (_, index) => owned(podWith({}, `p${index}`), 'one'));
  const pods = [...many, owned(podWith(HOST, 'last'), 'two'), podWith(HOST, 'alone')];
  t.same(await warningsOfExisting(existing(pods), BASELINE), [
    'new PodSecurity enforce level only checked against the first 3000 of 4002 existing pods',
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    'alone (and 1 other pod): host namespaces',
  ]);
  const free = Array.from({ length: 3300 }, (_, index) => podWith({}, `p${index}`));
  const asked = existing([...free, podWith(HOST, 'z')]);
  t.same(await warningsOfExisting(asked, BASELINE), [
    'new PodSecurity enforce level only checked against the first 3000 of 3301 existing pods',
  ]);
  t.equal(asked.pods.pageCount(), 12, 'the rest is not read');
});

t.test('when the time is over, what was seen is told', async (t) => {
  const pods = [podWith(HOST, 'a'), podWith(HOST, 'b'), podWith(HOST, 'c')];
  const late = { ...existing(pods), deadlineMs: 0 };
  t.same(await warningsOfExisting(late, BASELINE), [
    'new PodSecurity enforce level only checked against the first 1 of 3 existing pods',
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    'a: host namespaces',
  ]);
});

t.test('pods that cannot be read refuse nothing', async (t) => {
  const logged: string[] = [];
  const never = () => new Promise<never>(() => undefined);
  const rows: [list: () => Promise<never>, deadlineMs: number, logged: string][] = [
    [() => Promise.reject(new Error('broken')), Infinity, 'PodSecurity cannot list pods: broken'],
    [never, 0, 'PodSecurity cannot list pods: no pods were read in time'],
  ];
  for (const [list, deadlineMs, log] of rows) {
    const logError = (text: string): void => void logged.push(text);
    const context = { ...admissionContext(), objects: () => ({ list }), logError };
    const proposal = relabelled('', 'enforce=baseline', { deadlineMs });
    await new PodSecurity(context, undefined).validate(proposal);
    t.same(proposal.warnings, ['failed to list pods while checking new PodSecurity enforce level']);
    t.equal(logged.pop(), log);
  }
});
