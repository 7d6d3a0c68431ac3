/** Plugins meet pods in cases that a server is seldom in. */
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { PLUGINS } from '../../src/admission/plugins.ts';
import { LimitRanger } from '../../src/admission/plugins/limit-ranger/limit-ranger.ts';
import { Priority } from '../../src/admission/plugins/pods/priority.ts';
import {
  DEFAULT_ACCOUNT_WAIT_MS,
  KnownAccounts,
} from '../../src/admission/plugins/service-account/known-accounts.ts';
import { ServiceAccount } from '../../src/admission/plugins/service-account/service-account.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { admissionContext, proposed } from '../support/proposals.ts';
import { refusal, thrownStatus } from '../support/thrown-status.ts';

const newPod = (spec: Pod['spec'] = {}): Pod => ({
  metadata: { name: 'p', namespace: 'ns' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

function accounts() {
  const context = admissionContext();
  const timers = new ManualTimers();
  const plugin = new ServiceAccount(context, new KnownAccounts(timers));
  const add = (name: string, members: object = {}): void =>
    context.fed.putObject('serviceaccounts', { metadata: { namespace: 'ns', name }, ...members });
  return { plugin, timers, add, fed: context.fed };
}

t.test('a pod waits for the account that each namespace has, and for no other', async (t) => {
  const { plugin, timers, add } = accounts();
  const pods = [newPod(), newPod()];
  const waiting = pods.map(async (object) => plugin.admit(proposed('CREATE - pods', { object })));
  t.equal(timers.size, 2);
  add('other');
  t.equal(timers.size, 2);
  add('default', { imagePullSecrets: [{ name: 'pull' }] });
  await Promise.all(waiting);
  t.equal(timers.size, 0);
  for (const { spec } of pods) t.same(spec?.imagePullSecrets, [{ name: 'pull' }]);

  const object = newPod({ serviceAccountName: 'none' });
  const { message } = thrownStatus(() => plugin.admit(proposed('CREATE - pods', { object })));
  t.match(message, 'error looking up service account ns/none: serviceaccount "none" not found');
});

t.test('but not for ever', async (t) => {
  const { plugin, timers } = accounts();
  const waiting = refusal(
    Promise.resolve(plugin.admit(proposed('CREATE - pods', { object: newPod() }))),
  );
  timers.pass(DEFAULT_ACCOUNT_WAIT_MS);
  t.match(await waiting, { code: 403, message: /serviceaccount "default" not found$/ });
  const hurried = proposed('CREATE - pods', { object: newPod(), deadlineMs: performance.now() });
  const late = refusal(Promise.resolve(plugin.admit(hurried)));
  timers.pass(0);
  t.match(await late, { code: 403 }, 'nor longer than the request');
});

t.test('what others make of a pod is looked at again', async (t) => {
  const { plugin, add, fed } = accounts();
  const annotations = { 'cluster.io/enforce-mountable-secrets': 'true' };
  fed.putObject('serviceaccounts', { metadata: { namespace: 'ns', name: 'a', annotations } });
  add('default');
  const object = newPod({ serviceAccountName: 'a' });
  const proposal = proposed('CREATE - pods', { object });
  await plugin.admit(proposal);
  object.spec?.volumes?.push({ name: 'v', secret: { secretName: 's' } });
  t.match(
    thrownStatus(() => plugin.validate(proposal)),
    { code: 403 },
  );
});

t.test('two classes that want to be the default one at the same time', async (t) => {
  const context = admissionContext();
  const plugin = new Priority(context);
  const CLASSES = 'scheduling.cluster.io priorityclasses';
  const classOf = (name: string, value = 1) => ({ metadata: { name }, value, globalDefault: true });
  const write = (name: string, dryRun = false) =>
    proposed(`CREATE ${CLASSES}`, { object: classOf(name), dryRun });

  plugin.validate(write('dry', true));
  const first = write('first');
  plugin.validate(first);
  t.match(
    thrownStatus(() => plugin.validate(write('second'))),
    {
      message: /PriorityClass first is already marked as default. Only one default can exist$/,
    },
  );
  first.settle(false);
  const second = write('second');
  plugin.validate(second);
  second.settle(true);
  t.match(
    thrownStatus(() => plugin.validate(write('third'))),
    { code: 403 },
    'not yet known',
  );
  context.fed.putObject('priorityclasses', classOf('second'));
  const object = classOf('second');
  plugin.validate(proposed(`UPDATE ${CLASSES}`, { object, oldObject: object }));
  context.fed.remove('priorityclasses', '', 'second');
  t.doesNotThrow(() => plugin.validate(write('third')));

  // An older server has let both be made.
  context.fed.putObject('priorityclasses', classOf('high', 9));
  context.fed.putObject('priorityclasses', classOf('low', 3));
  const pod = newPod();
  plugin.admit(proposed('CREATE - pods', { object: pod }));
  t.match(pod.spec, { priorityClassName: 'low', priority: 3 });
});

t.test('groups of pods have priorities as pods do', async (t) => {
  const context = admissionContext({
    gates: new Set(['WorkloadAwarePreemption', 'PodGroupPreemptionPolicy'] as const),
  });
  const plugin = new Priority(context);
  const put = (name: string, value: number, preemptionPolicy: string): void =>
    context.fed.putObject('priorityclasses', { metadata: { name }, value, preemptionPolicy });
  put('high', 9, 'PreemptLowerPriority');
  put('calm', 1, 'Never');
  const admitted = (spec: object, resource = 'podgroups'): unknown => {
    const object = { metadata: { name: 'g', namespace: 'ns' }, spec };
    plugin.admit(proposed(`CREATE scheduling.cluster.io ${resource}`, { object }));
    return object.spec;
  };
  const refusedWith = (spec: object, resource?: string) =>
    thrownStatus(() => admitted(spec, resource)).message;
  t.same(admitted({}), { priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  t.same(admitted({ priorityClassName: 'calm' }, 'compositepodgroups'), {
    priorityClassName: 'calm',
    priority: 1,
    preemptionPolicy: 'Never',
  });
  t.match(
    refusedWith({ priorityClassName: 'high', priority: 1 }),
    /priority set in the pod group \(1\) must match the priority computed \(9\) based on the priority class set in the spec$/,
  );
  t.match(
    refusedWith({ priorityClassName: 'calm', preemptionPolicy: 'Other' }, 'compositepodgroups'),
    /PreemptionPolicy \(Other\) must not be provided in composite pod group spec; priority admission controller computed Never from the given PriorityClass name$/,
  );
  t.match(refusedWith({ priorityClassName: 'none' }), /no PriorityClass with name none was found$/);
});

t.test('several limits of a namespace go by their names', async (t) => {
  const context = admissionContext();
  const plugin = new LimitRanger(context);
  const range = (name: string, cpu: string) =>
    context.fed.putObject('limitranges', {
      metadata: { namespace: 'ns', name },
      spec: { limits: [{ type: 'Container', default: { cpu } }] },
    });
  const limitOf = () => {
    const object = newPod();
    plugin.admit(proposed('CREATE - pods', { object }));
    return object.spec?.containers?.[0]?.resources?.limits?.['cpu'];
  };
  range('b', '2');
  range('a', '1');
  t.equal(limitOf(), '1');
  context.fed.remove('limitranges', 'ns', 'a');
  t.equal(limitOf(), '2');
  context.fed.remove('limitranges', 'ns', 'b');
  t.equal(limitOf(), undefined);
});

t.test('the writes that each looks at', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['CREATE - pods', 'LimitRanger ServiceAccount Priority DefaultTolerationSeconds RuntimeClass'],
    ['UPDATE - pods', 'Priority DefaultTolerationSeconds'],
    ['DELETE - pods', ''],
    ['UPDATE - pods/status', ''],
    ['UPDATE - pods/ephemeralcontainers', ''],
    ['CREATE - pods/binding', ''],
    ['CREATE example.com pods', ''],
    ['CREATE - nodes', 'TaintNodesByCondition'],
    ['UPDATE - nodes', ''],
    ['CREATE - persistentvolumeclaims', 'LimitRanger'],
    ['UPDATE - persistentvolumeclaims', 'LimitRanger'],
    ['UPDATE - persistentvolumeclaims/status', ''],
    ['CREATE scheduling.cluster.io priorityclasses', 'Priority'],
    ['UPDATE scheduling.cluster.io priorityclasses', 'Priority'],
    ['CREATE scheduling.cluster.io podgroups', 'Priority PodGroupProtection'],
    ['UPDATE scheduling.cluster.io podgroups', ''],
    ['CREATE scheduling.cluster.io compositepodgroups', 'Priority'],
    ['CREATE - configmaps', ''],
  ];
  const mine = [
    'LimitRanger',
    'ServiceAccount',
    'TaintNodesByCondition',
    'Priority',
    'PodGroupProtection',
    'DefaultTolerationSeconds',
    'RuntimeClass',
  ];
  const asked = Object.entries(PLUGINS).filter(([name]) => mine.includes(name));
  for (const [what, expected] of rows) {
    const names = asked.filter(([, { concerns }]) =>
      concerns(proposed(what), undefined, DEFAULT_GATES),
    );
    t.equal(names.map(([name]) => name).join(' '), expected, what);
  }
});

t.end();
