/** Plugins that are on by request alone meet pods. */
import t from 'tap';
import type { PodSpec, Toleration } from '#messages/core.v1';
import type { AdmissionPlugin } from '../../src/admission/plugin.ts';
import { ALWAYS_PULL_IMAGES } from '../../src/admission/plugins/pods/always-pull-images.ts';
import { EXTENDED_RESOURCE_TOLERATION } from '../../src/admission/plugins/pods/extended-resource-toleration.ts';
import { LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY } from '../../src/admission/plugins/pods/limit-pod-hard-anti-affinity-topology.ts';
import {
  checkPodNodeSelector,
  PodNodeSelector,
} from '../../src/admission/plugins/pods/pod-node-selector.ts';
import {
  checkPodTolerationRestriction,
  PodTolerationRestriction,
} from '../../src/admission/plugins/pods/pod-toleration-restriction.ts';
import { admissionContext, proposed, verdict } from '../support/proposals.ts';

/** Gives the spec of a pod afterwards; a text where it is refused. */
function admitted(
  plugin: AdmissionPlugin,
  spec: PodSpec,
  stored?: PodSpec,
  namespace = 'a',
): PodSpec | string {
  const metadata = { name: 'pod', namespace };
  const object = { metadata, spec: structuredClone(spec) };
  const oldObject = stored && { metadata, spec: stored };
  const proposal = proposed(`${stored ? 'UPDATE' : 'CREATE'} - pods`, { object, oldObject });
  return verdict(plugin, proposal) ?? (proposal.object?.['spec'] as PodSpec);
}

t.test('images are always pulled, those that are new in an update too', async (t) => {
  const container = (image: string, imagePullPolicy: string) => ({ image, imagePullPolicy });
  const pod = (image: string, policy: string): PodSpec => ({
    initContainers: [container(image, policy)],
    containers: [container('b', policy), container('c', 'Always')],
    ephemeralContainers: [container('d', policy)],
  });
  t.same(admitted(ALWAYS_PULL_IMAGES, pod('a', 'Never')), pod('a', 'Always'));
  t.same(admitted(ALWAYS_PULL_IMAGES, pod('a', 'Never'), pod('a', 'Never')), pod('a', 'Never'));
  t.same(admitted(ALWAYS_PULL_IMAGES, pod('x', 'Never'), pod('a', 'Never')), pod('x', 'Always'));
  const object = { metadata: { name: 'pod' }, spec: pod('a', 'Never') };
  const [init, main, ephemeral] = ['initContainers', 'containers', 'ephemeralContainers'].map(
    (list) =>
      `pods "pod" is forbidden: spec.${list}[0].imagePullPolicy: ` +
      'Unsupported value: "Never": supported values: "Always"',
  );
  t.equal(
    verdict(
      { validate: (proposal) => ALWAYS_PULL_IMAGES.validate?.(proposal) },
      proposed('CREATE - pods', { object }),
    ),
    `500 [${init}, ${main}, ${ephemeral}]`,
    'a webhook has changed them',
  );
});

t.test('who asks for extended resources tolerates their taints', async (t) => {
  const asking = (...names: string[]) => ({
    resources: { requests: Object.fromEntries(names.map((name) => [name, '1'])) },
  });
  const on = (key: string): Toleration => ({ key, operator: 'Exists', effect: 'NoSchedule' });
  const spec: PodSpec = {
    containers: [asking('example.com/b', 'cpu', 'hugepages-2Mi', 'x.cluster.io/y'), {}],
    initContainers: [asking('example.com/a')],
    tolerations: [{ key: 'k', operator: 'Exists' }],
  };
  const before = spec.tolerations ?? [];
  const tolerations = (given: PodSpec): unknown =>
    (admitted(EXTENDED_RESOURCE_TOLERATION, given) as PodSpec).tolerations;
  t.same(tolerations(spec), [...before, on('example.com/a'), on('example.com/b')]);
  const there = [on('example.com/b'), { key: 'k' }, on('example.com/a')];
  t.same(tolerations({ ...spec, tolerations: there }), there);
  t.equal(tolerations({ containers: [asking('memory')] }), undefined);
});

t.test('pods keep others off their node, not off more', async (t) => {
  const keeping = (...keys: string[]): PodSpec => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: keys.map((topologyKey) => ({
          topologyKey,
        })),
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'zone' } },
        ],
      },
    },
  });
  const said = (spec: PodSpec): unknown => admitted(LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY, spec);
  t.same(said({}), {});
  t.same(said(keeping('cluster.io/hostname')), keeping('cluster.io/hostname'));
  t.equal(
    said(keeping('cluster.io/hostname', 'zone')),
    '403 pods "pod" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has ' +
      'TopologyKey zone but only key cluster.io/hostname is allowed',
  );
});

t.test('nodes of a namespace are selected by its annotation, or the settings', async (t) => {
  const context = admissionContext();
  const settings = { clusterDefaultNodeSelector: 'zone=one', listed: 'zone=one,disk=ssd' };
  const plugin = new PodNodeSelector(context, { podNodeSelectorPluginConfig: settings });
  const annotation = 'scheduler.alpha.cluster.io/node-selector';
  const put = (name: string, selector?: string): void => {
    const annotations = { other: 'x', ...(selector !== undefined && { [annotation]: selector }) };
    context.fed.putObject('namespaces', { metadata: { name, annotations } });
  };
  const selector = (namespace: string, nodeSelector?: Record<string, string>): unknown => {
    const spec = admitted(plugin, { ...(nodeSelector && { nodeSelector }) }, undefined, namespace);
    return typeof spec === 'string' ? spec : spec.nodeSelector;
  };
  put('plain');
  put('listed');
  put('own', ' a = b ,c=');
  put('none', '');
  put('short', 'a');
  put('bad', 'a b=c');
  put('long', 'a=b c');
  t.same(selector('plain'), { zone: 'one' });
  t.same(selector('plain', { zone: 'one', a: 'b' }), { zone: 'one', a: 'b' });
  t.same(selector('own', { x: 'y' }), { a: 'b', c: '', x: 'y' });
  t.equal(selector('none'), undefined);
  t.same(selector('listed', { disk: 'ssd' }), { zone: 'one', disk: 'ssd' });
  const refused = '403 pods "pod" is forbidden: pod node label selector';
  const conflict = `${refused} conflicts with its namespace node label selector`;
  const notListed = `${refused} labels conflict with its namespace whitelist`;
  t.equal(selector('plain', { zone: 'two' }), conflict);
  t.equal(selector('own', { c: 'x' }), conflict);
  t.equal(selector('listed', { disk: 'hdd' }), notListed);
  t.equal(selector('listed', { a: 'b' }), notListed);
  t.equal(selector('short'), '500 invalid selector: [a]');
  t.match(selector('bad'), /^500 <nil>: Invalid value: "a b": name part must consist of/);
  t.match(selector('long'), /^500 \[a\]: Invalid value: "b c": a valid label must be an empty/);
  t.equal(selector('gone'), '500 Internal error occurred: namespace gone does not exist');
  const problems = checkPodNodeSelector({ podNodeSelectorPluginConfig: { a: 'b', c: 'd=e' } });
  t.same(
    problems.map(({ field, message }) => `${field}: ${message}`),
    ['podNodeSelectorPluginConfig.a: Invalid value: "b": invalid selector: [b]'],
  );
  t.match(checkPodNodeSelector({ a: 'b' }), [{ field: 'a', message: 'Forbidden: unknown member' }]);
  t.same(checkPodNodeSelector({}), []);
});

t.test('tolerations are those of the namespace, or the settings, and allowed ones', async (t) => {
  const context = admissionContext();
  const exists = (key: string, effect = ''): Toleration => ({
    ...(key !== '' && { key }),
    operator: 'Exists',
    ...(effect !== '' && { effect }),
  });
  const plugin = new PodTolerationRestriction(context, {
    default: [exists('default')],
    whitelist: [exists('', 'NoSchedule'), exists('default')],
  });
  const put = (name: string, defaults?: string, allowed?: string): void => {
    const key = 'scheduler.alpha.cluster.io/';
    const annotations = {
      ...(defaults !== undefined && { [`${key}defaultTolerations`]: defaults }),
      ...(allowed !== undefined && { [`${key}tolerationsWhitelist`]: allowed }),
    };
    context.fed.putObject('namespaces', { metadata: { name, annotations } });
  };
  const given = (namespace: string, tolerations: Toleration[], spec: PodSpec = {}): unknown => {
    const got = admitted(plugin, { ...spec, tolerations }, undefined, namespace);
    return typeof got === 'string' ? got : got.tolerations;
  };
  put('plain');
  put('own', '[{"key": "own", "value": "x", "operator": "Equal"}]', '[{"operator": "Exists"}]');
  put('free', '', '');
  put('bad', '[');
  put('map', '{}');
  put('number', '[{"key": 3}]');
  put('half', '[{"tolerationSeconds": 1.5}]');
  const pressure = exists('node.cluster.io/memory-pressure', 'NoSchedule');
  const asking: PodSpec = { containers: [{ resources: { requests: { cpu: '1' } } }] };
  t.same(given('plain', []), [exists('default')]);
  t.same(given('plain', [exists('x', 'NoSchedule')], asking), [
    exists('x', 'NoSchedule'),
    exists('default'),
    pressure,
  ]);
  const conflict = (whose: string): string =>
    '500 pod tolerations (possibly merged with namespace default tolerations) conflict with ' +
    `its ${whose} whitelist`;
  t.equal(given('plain', [exists('x')]), conflict('cluster'));
  t.same(given('own', [exists('x')]), [exists('x'), { key: 'own', operator: 'Equal', value: 'x' }]);
  t.same(given('free', [exists('x')]), [exists('x')], 'all are allowed');
  put('none', '[]', '[{"key": "y"}]');
  t.equal(given('none', [exists('x')]), conflict('namespace'));
  t.equal(given('bad', []), '500 unexpected end of JSON input');
  t.match(given('map', []), /^500 json: cannot unmarshal object into Go value of type \[\]v1\.Tol/);
  t.match(given('number', []), /^500 json: .* number into Go .* Toleration\.key of type string/);
  t.match(given('half', []), /number 1\.5 into Go .* Toleration\.tolerationSeconds of type int64/);
  t.equal(given('gone', []), '404 namespaces "gone" not found');
  const stored = { tolerations: [exists('y', 'NoSchedule')] };
  t.same(admitted(plugin, stored, stored, 'plain'), stored, 'an update gets no defaults');
  t.same(admitted(plugin, asking, asking, 'plain'), { ...asking, tolerations: [pressure] });
});

t.test('settings of tolerations are checked as those of pods', async (t) => {
  const head = {
    apiVersion: 'podtolerationrestriction.admission.cluster.io/v1alpha1',
    kind: 'Configuration',
  };
  const problems = (settings: Readonly<Record<string, unknown>>): string[] =>
    checkPodTolerationRestriction(settings).map(({ field, message }) => `${field}: ${message}`);
  t.same(problems({}), []);
  t.same(problems({ ...head, default: [{ key: 'a', operator: 'Exists' }] }), []);
  t.match(problems({ default: [] }), [/^apiVersion: Required value/, /^kind: Required value/]);
  t.match(problems({ ...head, whitelist: [{ key: 3 }] }), [
    /^whitelist\[0\]\.key: Invalid value: 3/,
  ]);
  t.match(problems({ ...head, default: [{ key: 'a', operator: 'x' }] }), [
    /^default\[0\]\.operator: Unsupported value: "x"/,
  ]);
});
