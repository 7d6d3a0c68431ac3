// PodSecurity: which writes it refuses, notes and warns of, by what their namespace asks for.
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import { PodSecurity } from '../../../src/admission/pod-security/pod-security.ts';
import { concernsPodSecurity } from '../../../src/admission/pod-security/pod-templates.ts';
import type { PluginSettings } from '../../../src/admission/plugin.ts';
import type { Proposal } from '../../../src/admission/proposal.ts';
import type { ApiObject } from '../../../src/resources/kind.ts';
import { admissionContext, proposed } from '../../support/proposals.ts';
import { person } from '../../support/rbac.ts';
import { thrownStatus } from '../../support/thrown-status.ts';
import { DOMAIN, labelled, podWith, type PodChange } from './pods.ts';

type Labels = Readonly<Record<string, string>>;

const HOST: PodChange = { spec: { hostNetwork: true } };
const WHY = 'host namespaces (hostNetwork=true)';

function plugin(labels = '', settings?: PluginSettings) {
  const context = admissionContext();
  const plugin = new PodSecurity(context, settings);
  context.fed.putObject('namespaces', { metadata: { name: 'n', labels: labelled(labels) } });
  /** Gives the refusal, or the warnings; and what the audit log says. */
  const told = (proposal: Proposal) => {
    let refused: string | undefined;
    try {
      void plugin.validate(proposal);
    } catch (error) {
      refused = (error as Error).message;
    }
    const notes = [...(proposal.annotations ?? [])].map(([key, value]) => {
      return [key.replace(DOMAIN, ''), value];
    });
    return {
      refused,
      warnings: proposal.warnings ?? [],
      notes: Object.fromEntries(notes) as Labels,
    };
  };
  return { plugin, told, fed: context.fed };
}

function pod(change: PodChange = {}): Pod {
  const made = podWith(change);
  return { ...made, metadata: { ...made.metadata, namespace: 'n' } };
}

const creating = (change: PodChange) => proposed('CREATE - pods', { object: pod(change) });

t.test('a namespace asks for levels with its labels', async (t) => {
  const breach = (standard: string) => `PodSecurity "${standard}": ${WHY}`;
  const refusal = (standard: string) => `pods "p" is forbidden: violates ${breach(standard)}`;
  const would = (standard: string) => `would violate ${breach(standard)}`;
  const rows: [labels: string, refused: string, warning: string, noted: string, policy: string][] =
    [
      ['', '', '', '', 'privileged:latest'],
      ['enforce=privileged enforce-version=v1.20', '', '', '', 'privileged:latest'],
      ['enforce=baseline', 'baseline:latest', '', '', 'baseline:latest'],
      ['enforce-version=v1.20 enforce=baseline', 'baseline:v1.20', '', '', 'baseline:v1.20'],
      ['warn=baseline', '', 'baseline:latest', '', 'privileged:latest'],
      ['warn=baseline warn-version=v1.5', '', 'baseline:v1.5', '', 'privileged:latest'],
      ['audit=baseline audit-version=v1.6', '', '', 'baseline:v1.6', 'privileged:latest'],
      [
        'warn=baseline audit=baseline',
        '',
        'baseline:latest',
        'baseline:latest',
        'privileged:latest',
      ],
      [
        'enforce=baseline warn=baseline audit=baseline',
        'baseline:latest',
        '',
        'baseline:latest',
        'baseline:latest',
      ],
    ];
  for (const [labels, refused, warning, noted, policy] of rows) {
    const found = plugin(labels).told(creating(HOST));
    t.same(
      found,
      {
        refused: refused === '' ? undefined : refusal(refused),
        warnings: warning === '' ? [] : [would(warning)],
        notes: {
          'enforce-policy': policy,
          ...(noted !== '' && { 'audit-violations': would(noted) }),
        },
      },
      labels,
    );
    const allowed = plugin(labels).told(creating({}));
    t.same(allowed, { refused: undefined, warnings: [], notes: { 'enforce-policy': policy } });
  }
});

t.test('a refusal names the pod as other refusals do', async (t) => {
  const { plugin: asked } = plugin('enforce=baseline');
  const status = thrownStatus(() => void asked.validate(creating(HOST)));
  t.match(status, { code: 403, reason: 'Forbidden', details: { name: 'p', kind: 'pods' } });
});

t.test('labels that nobody understands enforce all, and warn of nothing', async (t) => {
  const found = plugin('enforce=x audit=x warn=x enforce-version=1').told(
    creating({ context: { runAsUser: 0 } }),
  );
  t.match(found.refused, /violates PodSecurity "restricted:latest": runAsUser=0/);
  t.same(found.warnings, []);
  t.match(
    found.notes['error'],
    /^Failed to parse policy: \[metadata\.labels\[pod-security\.cluster\.io\/enforce\]: Invalid value: "x": must be one of privileged, baseline, restricted, .*enforce-version\]: Invalid value: "1": must be "latest" or "v1\.x"/,
  );
  t.equal(found.notes['audit-violations'], undefined);
});

t.test('what makes pods is never refused', async (t) => {
  const { told } = plugin('enforce=baseline warn=baseline audit=baseline');
  const text = `would violate PodSecurity "baseline:latest": ${WHY}`;
  const template = podWith(HOST);
  const metadata = { name: 'x', namespace: 'n' };
  const rows: [what: string, object: ApiObject][] = [
    ['- podtemplates', { metadata, template }],
    ['- replicationcontrollers', { metadata, spec: { template } }],
    ['apps replicasets', { metadata, spec: { template } }],
    ['apps deployments', { metadata, spec: { template } }],
    ['apps statefulsets', { metadata, spec: { template } }],
    ['apps daemonsets', { metadata, spec: { template } }],
    ['batch jobs', { metadata, spec: { template } }],
    ['batch cronjobs', { metadata, spec: { jobTemplate: { spec: { template } } } }],
  ];
  for (const [what, object] of rows) {
    for (const operation of ['CREATE', 'UPDATE']) {
      const found = told(proposed(`${operation} ${what}`, { object, oldObject: object }));
      t.same(
        found,
        { refused: undefined, warnings: [text], notes: { 'audit-violations': text } },
        what,
      );
    }
  }
  const none = { metadata, spec: {} };
  t.same(told(proposed('CREATE - replicationcontrollers', { object: none })).warnings, []);
  const enforcing = plugin('enforce=baseline');
  const quiet = enforcing.told(proposed('CREATE batch jobs', { object: rows[6]?.[1] }));
  t.same(quiet, { refused: undefined, warnings: [], notes: {} });
});

t.test('an update counts where it changes what runs, or how it is confined', async (t) => {
  const seccomp = 'seccomp.security.alpha.cluster.io/pod';
  const ofContainer = 'container.seccomp.security.alpha.cluster.io/c';
  const rows: [what: string, from: PodChange, to: PodChange, counts: boolean][] = [
    ['nothing', {}, {}, false],
    ['an annotation', {}, { annotations: { a: 'b' } }, false],
    ['the deadline', {}, { spec: { activeDeadlineSeconds: 3 } }, false],
    ['an image', {}, { container: { image: 'j' } }, true],
    ['a profile', {}, { annotations: { [seccomp]: 'runtime/default' } }, true],
    ['a profile of a container', { annotations: { [ofContainer]: 'a' } }, {}, true],
    ['a profile of nothing', { annotations: { [`${ofContainer}x`]: 'a' } }, {}, false],
    ['an init container', {}, { init: {} }, true],
    ['an ephemeral container', {}, { ephemeral: {} }, true],
    ['no ephemeral container', { ephemeral: {} }, { ephemeral: {} }, false],
  ];
  for (const [what, from, to, counts] of rows) {
    const { told } = plugin('enforce=baseline');
    const [oldObject, object] = [from, to].map((change) => {
      return pod({ ...change, spec: { ...change.spec, hostNetwork: true } });
    });
    const found = told(proposed('UPDATE - pods', { object, oldObject }));
    t.equal(found.refused !== undefined, counts, what);
  }
});

t.test('only what can change a pod or a policy is looked at', async (t) => {
  const rows: [what: string, concerned: boolean][] = [
    ['CREATE - pods', true],
    ['UPDATE - pods', true],
    ['DELETE - pods', false],
    ['UPDATE - pods/ephemeralcontainers', true],
    ['UPDATE - pods/status', false],
    ['CREATE - pods/binding', false],
    ['CREATE - pods/eviction', false],
    ['CONNECT - pods/exec', false],
    ['CREATE other.example.com pods', false],
    ['CREATE - namespaces', true],
    ['UPDATE - namespaces', true],
    ['UPDATE - namespaces/status', false],
    ['UPDATE - namespaces/finalize', false],
    ['DELETE - namespaces', false],
    ['UPDATE apps deployments', true],
    ['UPDATE apps deployments/scale', false],
    ['CREATE - configmaps', false],
    ['CREATE - deployments', false],
  ];
  for (const [what, concerned] of rows)
    t.equal(concernsPodSecurity(proposed(what)), concerned, what);
});

t.test('settings say what counts without labels, and for whom nothing counts', async (t) => {
  const settings = {
    defaults: { enforce: 'baseline', 'enforce-version': 'v1.22', warn: 'restricted', audit: '' },
    exemptions: { usernames: ['root'], namespaces: ['free'], runtimeClasses: ['boxed'] },
  };
  const { told, fed } = plugin('', settings);
  t.match(told(creating(HOST)).refused, /violates PodSecurity "baseline:v1\.22"/);
  t.match(told(creating({ inner: { runAsNonRoot: false } })).warnings, [/"restricted:latest"/]);
  const boxed = { spec: { hostNetwork: true, runtimeClassName: 'boxed' } };
  t.same(told(creating(boxed)), {
    refused: undefined,
    warnings: [],
    notes: { exempt: 'runtimeClass' },
  });
  const root = proposed('CREATE - pods', { object: pod(HOST), user: person('root') });
  t.same(told(root), { refused: undefined, warnings: [], notes: { exempt: 'user' } });
  fed.putObject('namespaces', { metadata: { name: 'free' } });
  const free = proposed('CREATE - pods', { object: pod(HOST), namespace: 'free' });
  t.same(told(free), { refused: undefined, warnings: [], notes: { exempt: 'namespace' } });
  const job = { metadata: { name: 'x' }, spec: { template: podWith(boxed) } };
  t.same(told(proposed('CREATE batch jobs', { object: job, namespace: 'n' })).notes, {
    exempt: 'runtimeClass',
  });
});

t.test('a namespace that is not there', async (t) => {
  const { told } = plugin();
  const found = told(proposed('CREATE - pods', { object: pod(), namespace: 'none' }));
  const why = 'failed to lookup namespace none';
  const error = `${why}: namespaces "none" not found`;
  t.equal(found.refused, `Internal error occurred: ${why}`);
  t.same(found.notes, { error: `Internal error occurred: ${error}` });
  const job = told(proposed('CREATE batch jobs', { object: pod(), namespace: 'none' }));
  t.same(job, { refused: undefined, warnings: [], notes: { error } });
});
