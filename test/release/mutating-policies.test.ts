/** MutatingAdmissionPolicies of the newest release: what they make of an object. */
import '../support/newest-release.ts';
import t from 'tap';
import { MutatingPolicies } from '../../src/admission/plugins/policies/mutating-policies.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import { DEPLOYMENT } from '../../src/resources/apps/deployment.ts';
import { StatusError, type Status } from '../../src/semantics/errors/status.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { ObjectForms } from '../../src/proposals/proposed-forms.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import { MODEL } from '../resources/kind-rules.ts';
import { admissionContext, proposed } from '../support/proposals.ts';

const TYPE = builtInType(DEPLOYMENT, MODEL, compileValidators(MODEL, [DEPLOYMENT.message]));
const FORMS = new ObjectForms(TYPE, TYPE.version(0));
const POD = 'Object.spec.template.spec';

/** A Deployment has this in its place of containers. */
const MAIN = { name: 'main', image: 'a' };

interface Policy {
  readonly name?: string;
  readonly spec?: object;
  /** The expressions of applied configurations, and of JSON patches, in their order. */
  readonly mutations?: readonly string[];
}

/** The plugin with policies, each with a binding. */
function policies(...all: readonly Policy[]): MutatingPolicies {
  const context = admissionContext();
  const plugin = new MutatingPolicies(context);
  context.fed.putObject('namespaces', { metadata: { name: 'ns' } } as never);
  for (const { name = 'p', spec = {}, mutations = [] } of all) {
    context.fed.putObject('mutatingadmissionpolicies', {
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['*'] },
          ],
        },
        mutations: mutations.map((expression) =>
          expression.includes('JSONPatch')
            ? { patchType: 'JSONPatch', jsonPatch: { expression } }
            : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
        ),
        ...spec,
      },
    } as never);
    const binding = { metadata: { name: 'b' + name }, spec: { policyName: name } };
    context.fed.putObject('mutatingadmissionpolicybindings', binding as never);
  }
  return plugin;
}

function deployment(containers: readonly object[] = [MAIN], spec: object = {}): Proposal {
  const document = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'ns', labels: { app: 'a' } },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers } },
      ...spec,
    },
  };
  const object = FORMS.read(JSON.stringify(document), 'apps/v1');
  return proposed('CREATE apps deployments', { object, forms: FORMS });
}

// oxlint-disable-next-line no-explicit-any -- documents are looked into
type Shown = any;

function shown({ object }: Proposal): Shown {
  return JSON.parse(FORMS.text(object as never, 'apps/v1'));
}

/** Gives the Deployment afterwards, or why it is refused. */
async function outcome(plugin: MutatingPolicies, proposal = deployment()): Promise<Shown> {
  try {
    await plugin.admit(proposal);
  } catch (error) {
    return (error as Error).message.replace(/^policy 'p' with binding 'bp' denied request: /, '');
  }
  return shown(proposal);
}

const inPod = (parts: string): string =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: ${POD}{${parts}}}}}`;

t.test('a configuration is merged as an apply merges it, and defaults are set', async (t) => {
  const containers = `containers: [${POD}.containers{name: 'side', image: 'b'}]`;
  const { spec } = await outcome(policies({ mutations: [inPod(containers)] }));
  const [main, side] = spec.template.spec.containers;
  t.match(
    [main, side],
    [
      { name: 'main', image: 'a' },
      { name: 'side', image: 'b' },
    ],
  );
  t.equal(side.imagePullPolicy, 'Always');

  const pulled = inPod(
    'containers: object.spec.template.spec.containers.map(c, ' +
      `${POD}.containers{name: c.name, imagePullPolicy: 'Never'})`,
  );
  const kept = await outcome(policies({ mutations: [pulled] }));
  t.match(kept.spec.template.spec.containers, [{ ...MAIN, imagePullPolicy: 'Never' }]);
});

t.test('items that come several times stay, and give way to those that are applied', async (t) => {
  const env = ['A', 'B', 'A'].map((name, at) => ({ name, value: `${at}` }));
  const set = inPod(
    `containers: [${POD}.containers{name: 'main', env: [${POD}.containers.env{name: 'A', value: 'x'}]}]`,
  );
  const after = await outcome(policies({ mutations: [set] }), deployment([{ ...MAIN, env }]));
  t.same(after.spec.template.spec.containers[0].env, [
    { name: 'A', value: 'x' },
    { name: 'B', value: '1' },
  ]);
});

t.test('what cannot be applied is refused', async (t) => {
  const applying = 'error applying patch: ';
  const typing = `${applying}failed to convert patch object to typed object: `;
  const rows: [expression: string, message: string][] = [
    [
      inPod(`tolerations: [${POD}.tolerations{key: 'k'}]`),
      `${applying}invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ` +
        '.spec.template.spec.tolerations',
    ],
    [inPod('unknown: 1'), `${typing}.spec.template.spec.unknown: field not declared in schema`],
    [
      `Object{spec: Object.spec{replicas: 'many'}}`,
      `${typing}.spec.replicas: expected numeric (int or float), got string`,
    ],
    [
      `Object{spec: Object.spec{template: Object.spec.wrong{}}}`,
      'type mismatch: unexpected type name "Object.spec.wrong", expected "Object.spec.template", ' +
        'which matches field name path from root Object type',
    ],
    [
      'Object{spec: Object.spec{replicas: object.nothing}}',
      "expression 'Object{spec: Object.spec{replicas: object.nothing}}' resulted in error: " +
        'no such key: nothing',
    ],
    ['1', 'must evaluate to Object but got int'],
    [
      `[JSONPatch{op: 'remove', path: '/spec/none'}]`,
      "JSON Patch: error in remove for path: '/spec/none': Unable to remove nonexistent key: " +
        'none: missing value',
    ],
    [
      `[JSONPatch{op: 'add', path: '/spec/none', value: 1}]`,
      'Internal error occurred: strict decoding error: unknown field "spec.none"',
    ],
    [
      `[JSONPatch{op: 'add', path: '/spec', value: Object.spec{template: Object.wrong{}}}]`,
      'type mismatch: unexpected type name "Object.wrong", expected "Object.spec.template", ' +
        'which matches field name path from root Object type',
    ],
  ];
  for (const [expression, message] of rows) {
    t.equal(await outcome(policies({ mutations: [expression] })), message, expression);
  }
});

t.test('a JSON patch changes what its test allows', async (t) => {
  const label = `'/metadata/labels/' + jsonpatch.escapeKey('example.com/a~b')`;
  const rows: [expression: string, expected: object][] = [
    [
      `[JSONPatch{op: 'add', path: ${label}, value: 'x'}]`,
      { metadata: { labels: { 'example.com/a~b': 'x' } } },
    ],
    [
      `[JSONPatch{op: 'test', path: '/spec/replicas', value: 2}, ` +
        `JSONPatch{op: 'replace', path: '/spec/replicas', value: 9}]`,
      { spec: { replicas: 1 } },
    ],
    [
      `[JSONPatch{op: 'test', path: '/spec/replicas', value: 1}, ` +
        `JSONPatch{op: 'replace', path: '/spec/replicas', value: 9}]`,
      { spec: { replicas: 9 } },
    ],
    [
      `object.metadata.labels.map(k, JSONPatch{op: 'replace', path: '/metadata/labels/' + k, value: k})`,
      { metadata: { labels: { app: 'app' } } },
    ],
    [
      `[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', ` +
        `value: ${POD}.containers{name: 'side', image: 'b'}}]`,
      {
        spec: {
          template: {
            spec: {
              containers: [MAIN, { name: 'side', terminationMessagePath: '/dev/termination-log' }],
            },
          },
        },
      },
    ],
  ];
  for (const [expression, expected] of rows) {
    t.match(await outcome(policies({ mutations: [expression] })), expected, expression);
  }
});

const more = (letter: string): string =>
  `[JSONPatch{op: 'replace', path: '/metadata/labels/app', value: object.metadata.labels.app + '${letter}'}]`;

t.test('each mutation sees what those before it have made, policies in their order', async (t) => {
  const conditioned = {
    name: 'z',
    mutations: [more('z')],
    spec: { matchConditions: [{ name: 'c', expression: `object.metadata.labels.app == 'a12'` }] },
  };
  const plugin = policies(conditioned, { mutations: [more('1'), more('2')] });
  t.equal((await outcome(plugin)).metadata.labels.app, 'a12z');
});

t.test('those that ask for it are asked once more after a mutation', async (t) => {
  const again = (name: string): Policy => ({
    name,
    mutations: [more(name)],
    spec: { reinvocationPolicy: 'IfNeeded' },
  });
  const plugin = policies(again('x'), { name: 'y', mutations: [more('y')] }, again('z'));
  const proposal = deployment();
  await plugin.admit(proposal);
  t.equal(shown(proposal).metadata.labels.app, 'axyz');
  t.ok(proposal.beginReinvocation());
  await plugin.admit(proposal);
  t.equal(shown(proposal).metadata.labels.app, 'axyzxz');
  t.notOk(proposal.beginReinvocation());
});

t.test('all failures are told with the first, or pass where the policy says so', async (t) => {
  const failing = { mutations: ['Object{nothing: object.a}', 'Object{nothing: 1}'] };
  const told = async (plugin: MutatingPolicies): Promise<Status | undefined> => {
    try {
      await plugin.admit(deployment());
    } catch (error) {
      if (error instanceof StatusError) return error.status;
      throw error;
    }
    return undefined;
  };
  const status = await told(policies(failing, { name: 'q', ...failing }));
  t.equal(status?.code, 403);
  t.equal(status?.reason, 'Invalid');
  t.equal(status?.details?.causes?.length, 4);
  t.match(status?.message, /^policy 'p' with binding 'bp' denied request: expression /);
  t.equal(await told(policies({ ...failing, spec: { failurePolicy: 'Ignore' } })), undefined);
});

t.test('a policy without a binding changes nothing', async (t) => {
  const plugin = new MutatingPolicies(admissionContext());
  t.ok(plugin.isIdle);
  t.equal(plugin.admit(deployment()), undefined);
});

t.end();
