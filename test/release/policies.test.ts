/** ValidatingAdmissionPolicies of the newest release: who is asked, and what they say of a write. */
import '../support/newest-release.ts';
import t from 'tap';
import { ValidatingPolicies } from '../../src/admission/plugins/policies/validating-policies.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import type { AccessAttributes, Decision } from '../../src/auth/authorizer.ts';
import { admissionContext, proposed, type Proposed } from '../support/proposals.ts';
import { refusal } from '../support/thrown-status.ts';

const MADE = 'CREATE - configmaps';
const CONFIG_MAPS = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: ['configmaps'],
};

const STORED: Readonly<Record<string, object>> = {
  'namespaces /ns': {
    metadata: { name: 'ns', labels: { team: 'a' } },
    status: { phase: 'Active' },
  },
  'configmaps ns/limits': { metadata: { name: 'limits', namespace: 'ns' }, data: { max: '3' } },
  'configmaps ns/other': {
    metadata: { name: 'other', namespace: 'ns', labels: { is: 'limit' } },
    data: { max: '5' },
  },
  'gadgets.example.com /g': { metadata: { name: 'g' }, spec: { max: 7 } },
};

/** A shard knows versions by their places: the first one of the definition is at 1. */
function inVersion(object: object | undefined, place: number): object | undefined {
  const version = ['v2', 'v2', 'v1'][place];
  return object && { ...object, apiVersion: `example.com/${version}`, kind: 'Gadget' };
}

function objects(resource: string) {
  const keys = Object.keys(STORED).filter((key) => key.startsWith(`${resource} `));
  return {
    get: async ({ namespace, name }: { namespace: string; name: string }, place = 0) =>
      inVersion(STORED[`${resource} ${namespace}/${name}`], place),
    list: async (namespace: string) => ({
      items: keys
        .filter((key) => key.startsWith(`${resource} ${namespace}/`))
        .map((key) => STORED[key]),
      continueToken: '',
    }),
  };
}

const DEFINITION = {
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    versions: ['v2', 'v1'].map((name) => ({ name, served: true, storage: name === 'v2' })),
  },
  status: {
    acceptedNames: { plural: 'gadgets', kind: 'Gadget' },
    conditions: [{ type: 'Established', status: 'True' }],
  },
};

interface Case {
  readonly spec?: object;
  readonly binding?: object;
  readonly decide?: (asked: AccessAttributes) => Decision | Promise<Decision>;
}

/** The plugin with one policy and its binding; both say what is not given. */
function policies({ spec = {}, binding = {}, decide }: Case): ValidatingPolicies {
  const context = admissionContext({
    objects: objects as never,
    ...(decide && { authorizer: () => ({ authorize: decide }) as never }),
  });
  const plugin = new ValidatingPolicies(context);
  const { fed } = context;
  fed.putObject('namespaces', STORED['namespaces /ns'] as never);
  fed.putObject('customresourcedefinitions', DEFINITION as never);
  fed.putObject('validatingadmissionpolicies', {
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [CONFIG_MAPS] },
      ...spec,
    },
  } as never);
  fed.putObject('validatingadmissionpolicybindings', {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...binding },
  } as never);
  return plugin;
}

function made(name: string, more: object = {}): Proposed {
  return { object: { metadata: { name, namespace: 'ns' }, ...more } as never };
}

/** Gives the refusal; '' where the write passes. */
async function told(
  plugin: ValidatingPolicies,
  what: string,
  facts: Proposed,
): Promise<{ readonly message: string; readonly proposal: Proposal }> {
  const proposal = proposed(what, facts);
  try {
    await plugin.validate(proposal);
    return { message: '', proposal };
  } catch (error) {
    return { message: (error as Error).message.replace(/^.* denied request: /, ''), proposal };
  }
}

const validation = (expression: string, more: object = {}): Case => ({
  spec: { validations: [{ expression, ...more }] },
});

t.test('a refusal is a Status with the reason of the policy', async (t) => {
  const rows: [validation: object, code: number, reason: string][] = [
    [{}, 422, 'Invalid'],
    [{ reason: 'Forbidden' }, 403, 'Forbidden'],
    [{ reason: 'RequestEntityTooLarge' }, 413, 'RequestEntityTooLarge'],
  ];
  for (const [more, code, reason] of rows) {
    const plugin = policies(validation('false', { message: ' not here ', ...more }));
    const status = await refusal(plugin.validate(proposed(MADE, made('a')))!);
    const message = `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not here`;
    t.match(status, {
      code,
      reason,
      message: `configmaps "a" is forbidden: ${message}`,
      details: { name: 'a', kind: 'configmaps', causes: [{ message }] },
    });
  }
});

t.test('expressions see the write', async (t) => {
  const rows: [expression: string, message: string][] = [
    [`object.metadata.name == 'a'`, ''],
    [`oldObject == null`, ''],
    [`object != null && object.data.list != null && null != object`, ''],
    [`object.data.n == 3`, ''],
    [`object.data.f == 1.5`, ''],
    [`object.data.list.exists(one, one == 'x')`, ''],
    [`has(object.data.none)`, 'failed expression: has(object.data.none)'],
    [`request.namespace == 'ns' && request.operation == 'CREATE'`, ''],
    [`request.resource.resource == 'configmaps' && request.kind.version == 'v1'`, ''],
    [`request.userInfo.username == 'somebody'`, ''],
    [`!has(request.subResource) && !request.dryRun`, ''],
    [`namespaceObject.metadata.labels['team'] == 'a'`, ''],
    [`namespaceObject.status.phase == 'Active'`, ''],
    [
      `object.nothing == 1`,
      `expression 'object.nothing == 1' resulted in error: no such key: nothing`,
    ],
  ];
  const facts = made('a', { data: { n: 3, f: 1.5, list: ['y', 'x'] } });
  for (const [expression, message] of rows) {
    const { message: got } = await told(policies(validation(expression)), MADE, facts);
    t.equal(got, message, expression);
  }
});

t.test('messages are made by expressions, where these give a line', async (t) => {
  const rows: [messageExpression: string, message: string][] = [
    [`'no ' + object.metadata.name`, 'no a'],
    [`'  '`, 'else'],
    [`'two\\nlines'`, 'else'],
    [`object.nothing`, 'else'],
  ];
  for (const [messageExpression, message] of rows) {
    const plugin = policies(validation('false', { message: 'else', messageExpression }));
    const { message: got } = await told(plugin, MADE, made('a'));
    t.equal(got, message, messageExpression);
  }
});

t.test('variables are evaluated when they are asked for', async (t) => {
  const variables = [
    { name: 'bad', expression: 'object.nothing' },
    { name: 'size', expression: 'object.metadata.name.size()' },
    { name: 'twice', expression: 'variables.size * 2' },
  ];
  const rows: [expression: string, message: string][] = [
    ['variables.twice == 2', ''],
    [
      'variables.bad == 1',
      `expression 'variables.bad == 1' resulted in error: composited variable "bad" fails to ` +
        'evaluate: no such key: nothing',
    ],
  ];
  for (const [expression, message] of rows) {
    const plugin = policies({ spec: { variables, validations: [{ expression }] } });
    const { message: got } = await told(plugin, MADE, made('a'));
    t.equal(got, message, expression);
  }
});

t.test('a policy is for what its rules name and its selectors take', async (t) => {
  const refusing = { validations: [{ expression: 'false', message: 'asked' }] };
  const rules = (more: object): object => ({
    matchConstraints: { resourceRules: [CONFIG_MAPS], ...more },
  });
  const labels = { matchLabels: { team: 'a' } };
  const rows: [name: string, spec: object, binding: object, what: string, isAsked: boolean][] = [
    ['another type', {}, {}, 'CREATE - secrets', false],
    ['another operation', {}, {}, 'CONNECT - configmaps', false],
    ['labels of the namespace', rules({ namespaceSelector: labels }), {}, MADE, true],
    ['labels that it lacks', rules({ objectSelector: labels }), {}, MADE, false],
    [
      'what is left out',
      rules({ excludeResourceRules: [{ ...CONFIG_MAPS, resourceNames: ['a'] }] }),
      {},
      MADE,
      false,
    ],
    [
      'others are left out',
      rules({ excludeResourceRules: [{ ...CONFIG_MAPS, resourceNames: ['b'] }] }),
      {},
      MADE,
      true,
    ],
    [
      'a name',
      rules({ resourceRules: [{ ...CONFIG_MAPS, resourceNames: ['b'] }] }),
      {},
      MADE,
      false,
    ],
    ['a binding for others', {}, { matchResources: { objectSelector: labels } }, MADE, false],
    ['a binding of another policy', {}, { policyName: 'q' }, MADE, false],
    [
      'a condition that holds',
      { matchConditions: [{ name: 'c', expression: `object.metadata.name == 'a'` }] },
      {},
      MADE,
      true,
    ],
    [
      'a condition that does not, beside one that fails',
      {
        matchConditions: [
          { name: 'c', expression: 'object.nothing == 1' },
          { name: 'd', expression: 'false' },
        ],
      },
      {},
      MADE,
      false,
    ],
  ];
  for (const [name, spec, binding, what, isAsked] of rows) {
    const plugin = policies({ spec: { ...refusing, ...spec }, binding });
    const { message } = await told(plugin, what, made('a'));
    t.equal(message, isAsked ? 'asked' : '', name);
  }
});

t.test('what cannot be evaluated is refused, or passes where the policy says so', async (t) => {
  const rows: [spec: object, message: string][] = [
    [{ validations: [{ expression: 'object.nothing == 1' }] }, 'no such key: nothing'],
    [
      {
        matchConditions: [{ name: 'c', expression: 'object.nothing == 1' }],
        validations: [{ expression: 'true' }],
      },
      'no such key: nothing',
    ],
    [
      {
        paramKind: { apiVersion: 'example.com/v1', kind: 'Unknown' },
        validations: [{ expression: 'true' }],
      },
      'failed to configure binding: paramKind kind ' +
        '`&ParamKind{APIVersion:example.com/v1,Kind:Unknown,}` not known',
    ],
  ];
  const binding = { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } };
  for (const [spec, message] of rows) {
    const { message: got } = await told(policies({ spec, binding }), MADE, made('a'));
    t.match(got, message);
    const open = policies({ spec: { failurePolicy: 'Ignore', ...spec }, binding });
    t.equal((await told(open, MADE, made('a'))).message, '', 'and passes');
  }
});

t.test('parameters are found by name or by labels', async (t) => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const gadgets = { apiVersion: 'example.com/v1', kind: 'Gadget' };
  const small = 'object.data.n < int(params.data.max)';
  const rows: [kind: object, ref: object | undefined, expression: string, message: string][] = [
    [paramKind, { name: 'limits' }, small, `failed expression: ${small}`],
    [paramKind, { name: 'other' }, small, ''],
    [paramKind, { selector: { matchLabels: { is: 'limit' } } }, small, ''],
    [paramKind, { selector: {} }, small, `failed expression: ${small}`],
    [paramKind, { name: 'gone', parameterNotFoundAction: 'Allow' }, 'false', ''],
    [
      paramKind,
      { name: 'gone', parameterNotFoundAction: 'Deny' },
      'true',
      'failed to configure binding: no params found for policy binding with `Deny` ' +
        'parameterNotFoundAction',
    ],
    [paramKind, undefined, 'params == null', ''],
    [gadgets, { name: 'g' }, 'object.data.n < params.spec.max', ''],
    [gadgets, { name: 'g' }, `params.kind == 'Gadget'`, ''],
    [gadgets, { name: 'g' }, `params.apiVersion == 'example.com/v1'`, ''],
    [{ ...gadgets, apiVersion: 'example.com/v2' }, { name: 'g' }, `has(params.apiVersion)`, ''],
    [paramKind, { name: 'limits' }, '!has(params.kind) && !has(params.apiVersion)', ''],
    [
      gadgets,
      { name: 'g', namespace: 'ns' },
      'true',
      'failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped ' +
        '`paramKind`',
    ],
  ];
  for (const [kind, paramRef, expression, message] of rows) {
    const spec = { paramKind: kind, validations: [{ expression }] };
    const plugin = policies({ spec, binding: { paramRef } });
    const { message: got } = await told(plugin, MADE, made('a', { data: { n: 4 } }));
    t.equal(got, message, `${JSON.stringify(paramRef)}: ${expression}`);
  }
});

t.test('policies ask what users may do, each question once', async (t) => {
  const asked: string[] = [];
  const decide = async ({ user, verb, path, group, resource, name }: AccessAttributes) => {
    asked.push([user.name, verb, path, group, resource, name].join(' '));
    const verdict = verb === 'use' || path === '/ok' ? 'allow' : 'noOpinion';
    return { verdict, reason: 'because' } as const;
  };
  const expressions = [
    `authorizer.group('apps').resource('things').name('t').check('use').allowed()`,
    `authorizer.group('apps').resource('things').name('t').check('use').reason() == 'because'`,
    `authorizer.path('/ok').check('get').allowed()`,
    `!authorizer.serviceAccount('ns', 'robot').group('').resource('pods').check('get').allowed()`,
    `!authorizer.requestResource.check('own').errored()`,
  ];
  const validations = expressions.map((expression) => ({ expression }));
  const plugin = policies({ spec: { validations }, decide });
  t.equal((await told(plugin, MADE, made('a'))).message, '');
  t.same(asked, [
    'somebody use  apps things t',
    'somebody get /ok   ',
    'system:serviceaccount:ns:robot get   pods ',
    'somebody own   configmaps a',
  ]);
});

t.test('a failed validation may warn and be noted for the audit log', async (t) => {
  const spec = {
    validations: [{ expression: 'true' }, { expression: 'false', message: 'careful' }],
    auditAnnotations: [
      { key: 'name', valueExpression: `'is ' + object.metadata.name` },
      { key: 'nothing', valueExpression: 'null' },
    ],
  };
  const plugin = policies({ spec, binding: { validationActions: ['Warn', 'Audit'] } });
  const { message, proposal } = await told(plugin, MADE, made('a'));
  t.equal(message, '');
  t.same(proposal.warnings, [
    `Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': careful`,
  ]);
  const failure = {
    message: 'careful',
    policy: 'p',
    binding: 'b',
    expressionIndex: 1,
    validationActions: ['Warn', 'Audit'],
  };
  t.same(Object.fromEntries(proposal.annotations ?? []), {
    'p/name': 'is a',
    'validation.policy.admission.cluster.io/validation_failure': JSON.stringify([failure]),
  });
});

t.test('without a bound policy nothing is asked', async (t) => {
  const plugin = new ValidatingPolicies(admissionContext());
  t.ok(plugin.isIdle);
  t.equal(plugin.validate(proposed(MADE, made('a'))), undefined);
});

t.end();
