/** How requests are read and refused in the newest release. */
import t from 'tap';
import { outsideAddress } from '../support/fake-agent.ts';
import type { TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const POOLS = 'resource.cluster.io/v1alpha3/resourcepoolstatusrequests';
const server = await startServer({
  test: t,
  args: [
    '--release=1.37',
    '--feature-gates=DRAResourcePoolStatus=true',
    `--runtime-config=${POOLS}=true`,
  ],
});
const MAPS = '/api/v1/namespaces/default/configmaps';
const APPS = '/apis/apps/v1/namespaces/default';
const JSON_TYPE = { 'content-type': 'application/json' };
const YAML_TYPE = { 'content-type': 'application/yaml' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

type Sent = readonly [method: string, path: string, body?: string | undefined, headers?: object];

/** The code and the message of a refusal. */
async function refusal([method, path, body, headers = JSON_TYPE]: Sent) {
  const { status, json, text } = await server.request(method, path, body, { ...headers });
  return [status, json?.message ?? text];
}

async function warnings(path: string, body: string, headers = JSON_TYPE) {
  const answer = await server.request('POST', path, body, headers);
  return answer.headers['warning'];
}

t.test('members that are unknown or come twice are warned of unless clients say', async (t) => {
  const body = '{"metadata":{"name":"a"},"data":{"a":"b"},"data":{"c":"d"},"dates":{}}';
  const both = '299 - "duplicate field \\"data\\"", 299 - "unknown field \\"dates\\""';
  t.equal(await warnings(`${MAPS}?dryRun=All`, body), both);
  t.equal(await warnings(`${MAPS}?dryRun=All&fieldValidation=Ignore`, body), undefined);
  t.equal(
    await warnings(`${MAPS}?dryRun=All`, 'metadata: {name: a}\ndata: {}\ndata: {}\n', YAML_TYPE),
    '299 - "line 3: key \\"data\\" already set in map"',
  );
  const applied =
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{},"data":{}}';
  const answer = await server.request('PATCH', `${MAPS}/a?fieldManager=a`, applied, APPLY);
  t.equal(answer.headers['warning'], '299 - "line 1: key \\"data\\" already set in map"');
  const review = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
  const asked = '{"spec":{"nonResourceAttributes":{"path":"/","verb":"get"},"a":1}}';
  t.equal(await warnings(review, asked), '299 - "unknown field \\"spec.a\\""');
});

t.test('an object of another namespace is told before its name', async (t) => {
  const why =
    'the namespace of the provided object does not match the namespace sent on the request';
  const body = '{"metadata":{"namespace":"other"}}';
  const requests: readonly Sent[] = [
    ['POST', MAPS, body],
    ['PUT', `${MAPS}/a`, body],
    [
      'PATCH',
      `${MAPS}/a?fieldManager=a`,
      `{"apiVersion":"v1","kind":"ConfigMap",${body.slice(1)}`,
      APPLY,
    ],
    ['POST', '/api/v1/namespaces/default/bindings', body],
  ];
  for (const sent of requests) t.same(await refusal(sent), [400, why], sent[1]);
});

t.test('the types of answers that there are are told', async (t) => {
  const text = { accept: 'text/html' };
  const told = async (path: string) => (await refusal(['GET', path, undefined, text]))[1];
  const objects = 'application/json, application/yaml, application/vnd.cluster.protobuf';
  const streams = 'application/json;stream=watch, application/vnd.cluster.protobuf;stream=watch';
  const none = '406: Not Acceptable\n\nAvailable representations: ';
  t.equal(await told(`${MAPS}/a`), none + objects);
  t.equal(await told(MAPS), `${none}${objects}, ${streams}`);
  t.equal(await told('/apis/apps/v1'), none + objects);
  t.equal(await told('/version'), `${none}application/json`);
  t.equal(await told('/api/v1/namespaces/default/pods/a/log'), `${none}text/plain, ${objects}`);
});

t.test('what cannot be read is refused first', async (t) => {
  const rows: readonly (readonly [sent: Sent, code: number, message: string])[] = [
    [['PATCH', `${MAPS}/none`, '[1', MERGE], 400, 'invalid JSON patch'],
    [['PATCH', `${MAPS}/none`, '[1]', MERGE], 404, 'configmaps "none" not found'],
    [
      ['PATCH', `${MAPS}/none?fieldManager=a`, 'a: [', APPLY],
      400,
      'error encoding patch: yaml: line 1: …',
    ],
    [
      ['PATCH', `${MAPS}/none?fieldManager=a`, '{"a":', APPLY],
      400,
      'error decoding patch: error converting YAML to JSON: yaml: line 1: …',
    ],
    [
      ['PATCH', `${MAPS}/none?fieldManager=a`, '{"apiVersion":"v2","kind":"ConfigMap"}', APPLY],
      400,
      'invalid object type: /v2, Kind=ConfigMap',
    ],
    [
      ['PATCH', `${MAPS}/none?fieldManager=a`, '{"apiVersion":"v1","kind":"Secret"}', APPLY],
      400,
      'invalid object type: /v1, Kind=Secret',
    ],
    [
      ['PATCH', '/api/v1/namespaces/default', '[1]', MERGE],
      400,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      ['PATCH', '/api/v1/namespaces/default', '{}', JSON_PATCH],
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      ['PATCH', '/api/v1/namespaces/default', '[{"op":"add","path":7}]', JSON_PATCH],
      400,
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
    [
      ['DELETE', `${MAPS}/none`, '{"orphanDependents":[]}'],
      400,
      'json: cannot unmarshal array into Go struct field DeleteOptions.orphanDependents of type bool',
    ],
    [
      ['PUT', `${MAPS}/none?dryRun=Some`, '{"metadata":{"name":"none"}}'],
      422,
      'UpdateOptions.meta.cluster.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
  ];
  for (const [sent, code, message] of rows) {
    const [status, text] = await refusal(sent);
    // YAML is read by another reader than that of the reference.
    t.same([status, text.replace(/(?<=yaml: line \d: ).*/s, '…')], [code, message]);
  }
});

t.test('what is not there is told by its own name, before what was expected of it', async (t) => {
  const gone = (path: string, name: string): readonly unknown[] => [
    404,
    `${path} "${name}" not found`,
  ];
  t.same(
    await refusal(['GET', `${APPS}/deployments/none/scale`]),
    gone('deployments.apps', 'none'),
  );
  const body = '{"metadata":{"name":"none","uid":"u"}}';
  t.same(await refusal(['PUT', `${MAPS}/none`, body]), gone('configmaps', 'none'));
});

t.test('a request for a token says whose it is, if at all, by the uid of today', async (t) => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const { json } = await server.post(accounts, { metadata: { name: 'robot' } });
  const asked = await server.post(`${accounts}/robot/token`, { spec: {} });
  t.equal(asked.json.metadata.uid, json.metadata.uid);
  t.same(await refusal(['POST', `${accounts}/robot/token`, '{"metadata":{"uid":"u"}}']), [
    409,
    'Operation cannot be fulfilled on TokenRequest.authentication.cluster.io "robot": the UID in ' +
      `the token request (u) does not match the UID of the service account (${json.metadata.uid})`,
  ]);
});

t.test('an account that there is not is told before what is asked of it', async (t) => {
  const path = '/api/v1/namespaces/default/serviceaccounts/none/token';
  t.same(await refusal(['POST', path, '{"spec":{"expirationSeconds":1}}']), [
    404,
    'serviceaccounts "none" not found',
  ]);
});

t.test('what is applied to what is not there has to be YAML', async (t) => {
  const path = `${APPS}/deployments/none/status?fieldManager=a`;
  const [status, message] = await refusal(['PATCH', path, 'a: [', APPLY]);
  t.equal(status, 400);
  t.match(message, /^error encoding patch: yaml: /);
  t.same(await refusal(['PATCH', path, '{"a": [', APPLY]), [
    404,
    'deployments.apps "none" not found',
  ]);
});

t.test('what a watch may match is told by whether it begins with objects', async (t) => {
  const field = 'resourceVersionMatch';
  const told = async (query: string) => (await refusal(['GET', `${MAPS}?watch=1&${query}`]))[1];
  const because = `${field}: Forbidden: ${field} is forbidden for watch unless sendInitialEvents is provided`;
  const why = 'ListOptions.meta.cluster.io "" is invalid: ';
  t.equal(await told(`${field}=NotOlderThan`), why + because);
  t.equal(
    await told(`${field}=Exact&resourceVersion=1`),
    `${why}[${because}, ${field}: Unsupported value: "Exact": supported values: "NotOlderThan"]`,
  );
});

t.test('parts of objects are shown in Tables', async (t) => {
  const made = await server.post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    metadata: { name: 'budget' },
    spec: { minAvailable: 1, selector: {} },
  });
  t.equal(made.status, 201);
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' };
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets/budget/status';
  const { json } = await server.get(path, table);
  t.equal(json.kind, 'Table');
  t.same(json.rows[0].cells.slice(0, 3), ['budget', '1', 'N/A']);
});

t.test('errors of ingresses name their own group', async (t) => {
  const path = '/apis/networking.cluster.io/v1/namespaces/default/ingresses';
  const [, message] = await refusal(['POST', path, '{"metadata":{"name":"a"}}']);
  t.match(message, /^Ingress\.networking\.cluster\.io "a" is invalid: /);
});

t.test('requests to services go to pods that their slices name', async (t) => {
  const namespace = '/api/v1/namespaces/default';
  const services = `${namespace}/services`;
  const none = 'no endpoints available for service "proxied"';
  const asked = (name: string) => refusal(['GET', `${services}/${name}/proxy/`]);
  t.same(await asked('proxied'), [503, none], 'whether there is such a service or not');
  t.same(await asked('proxied:80'), [404, 'services "proxied" not found']);
  const ports = [{ name: 'web', port: 80 }];
  await server.post(services, { metadata: { name: 'proxied' }, spec: { ports } });
  const podIP = outsideAddress();
  const pod = { metadata: { name: 'proxied' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { json } = await server.post(`${namespace}/pods`, pod);
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }] };
  await server.put(`${namespace}/pods/proxied/status`, { ...json, status });
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'proxied' };
  const slices = '/apis/discovery.cluster.io/v1/namespaces/default/endpointslices';
  const slice = (name: string, endpoint: object) => ({
    metadata: { name, labels: { 'cluster.io/service-name': 'proxied' } },
    addressType: 'IPv4',
    ports: [{ name: 'web', port: 1 }],
    endpoints: [{ targetRef, ...endpoint }],
  });
  await server.post(slices, slice('other', { addresses: ['192.0.2.8'] }));
  await server.post(slices, slice('waiting', { addresses: [podIP], conditions: { ready: false } }));
  const { metadata, addressType } = slice('empty', {});
  await server.post(slices, { metadata, addressType });
  for (const name of ['proxied:80', 'proxied:web']) t.same(await asked(name), [503, none]);
  t.same(await asked('proxied:81'), [503, 'no service port 81 found for service "proxied"']);
  await server.post(slices, slice('right', { addresses: ['127.0.0.1'] }));
  t.same(await asked('http:proxied:80'), [503, none], 'nobody reaches this machine so');
  await server.post(slices, slice('found', { addresses: [podIP] }));
  const refused = `dial tcp ${podIP}:1: connect: connection refused`;
  t.same(await asked('proxied:web'), [503, `error trying to reach service: ${refused}`]);
});

t.test('Tables tell the state of claims', async (t) => {
  const claims = '/apis/resource.cluster.io/v1/namespaces/default/resourceclaims';
  const made = await server.post(claims, { metadata: { name: 'gpu' }, spec: {} });
  t.equal(made.status, 201, made.text);
  const { json, text } = await server.get(claims, {
    accept: 'application/json;as=Table;v=v1;g=meta.cluster.io',
  });
  t.same(json.rows?.[0]?.cells.slice(0, 2), ['gpu', 'pending'], text);
});

t.test('policies change and refuse what programs write, and are counted', async (t) => {
  const group = '/apis/admissionregistration.cluster.io/v1';
  const resourceRules = [
    {
      apiGroups: [''],
      apiVersions: ['v1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['configmaps'],
    },
  ];
  const objectSelector = { matchLabels: { of: 'policies' } };
  const matchConstraints = { resourceRules, objectSelector };
  const conditions = [{ name: 'c', expression: `object.metadata.name != 'left-out'` }];
  const applied = (expression: string): object => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  });
  const mutating = {
    matchConstraints,
    matchConditions: conditions,
    reinvocationPolicy: 'Never',
    mutations: [applied(`Object{data: {'set': 'so'}}`)],
  };
  const validations = [{ expression: `object.data['set'] == 'so' && object.data['a'] != 'bad'` }];
  const validating = { matchConstraints, matchConditions: conditions, validations };
  for (const [sort, spec, more] of [
    ['mutating', mutating, {}],
    ['validating', validating, { validationActions: ['Deny'] }],
  ] as const) {
    const metadata = { name: `${sort}-one` };
    const made = await server.post(`${group}/${sort}admissionpolicies`, { metadata, spec });
    t.equal(made.status, 201, made.text);
    const binding = { metadata, spec: { policyName: metadata.name, ...more } };
    t.equal((await server.post(`${group}/${sort}admissionpolicybindings`, binding)).status, 201);
  }

  const labels = { of: 'policies' };
  const metadata = { name: 'held', labels };
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } };
  const { json } = await server.request(
    'PATCH',
    `${MAPS}/held?fieldManager=m`,
    JSON.stringify(config),
    { 'content-type': 'application/apply-patch+yaml' },
  );
  t.same(json.data, { a: 'b', set: 'so' });
  t.same(
    json.metadata.managedFields.map(({ manager, fieldsV1 }: TestObject) => [
      manager,
      fieldsV1['f:data'],
    ]),
    [['m', { 'f:a': {} }]],
    'what a policy sets belongs to nobody',
  );
  const other = { metadata: { name: 'other', labels }, data: { a: 'bad' } };
  t.equal((await server.post(`${MAPS}?dryRun=All`, other)).status, 422);
  const leftOut = { metadata: { name: 'left-out', labels } };
  t.equal((await server.post(`${MAPS}?dryRun=All`, leftOut)).json.data, undefined);

  const mine = 'policy="mutating-one",policy_binding="mutating-one"';
  const theirs = 'policy="validating-one",policy_binding="validating-one"';
  const condition = 'kind="policy",name="mutating-one",operation="CREATE",type="validate"';
  const counted = [
    `apiserver_mutating_admission_policy_check_total{error_type="no_error",${mine}} 2`,
    'apiserver_validating_admission_policy_check_total{enforcement_action="deny",' +
      `error_type="invalid_error",${theirs}} 1`,
    `apiserver_admission_match_condition_evaluation_seconds_count{${condition}} 1`,
  ];
  await until(async () => {
    const text = (await server.get('/metrics')).text;
    return counted.every((line) => text.includes(`${line}\n`));
  });
});

t.test('policies are told what is wrong with the types of their expressions', async (t) => {
  const path = '/apis/admissionregistration.cluster.io/v1/validatingadmissionpolicies';
  const resourceRules = [
    {
      apiGroups: ['apps'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['deployments'],
    },
  ];
  const validations = [
    {
      expression: 'object.spec.replicas > 1',
      messageExpression: `'at ' + string(object.spec.none)`,
    },
    { expression: `object.spec.replicas > '1'` },
    { expression: `object.metadata.creationTimestamp < timestamp('2026-01-01T00:00:00Z')` },
    { expression: 'variables.images.all(i, i.size() < 9)' },
  ];
  const variables = [
    { name: 'images', expression: 'object.spec.template.spec.containers.map(c, c.image)' },
  ];
  const spec = { matchConstraints: { resourceRules }, variables, validations };
  const made = await server.post(path, { metadata: { name: 'typed' }, spec });
  t.equal(made.status, 201, made.text);
  let status: TestObject;
  await until(async () => {
    ({ status } = (await server.get(`${path}/typed`)).json);
    return status?.observedGeneration === 1;
  });
  const told = status.typeChecking.expressionWarnings.map(({ fieldRef, warning }: TestObject) => [
    fieldRef,
    warning.split('\n')[0],
  ]);
  const start = 'apps/v1, Kind=Deployment: ERROR: <input>:1:';
  t.same(told, [
    ['spec.validations[0].messageExpression', `${start}27: undefined field 'none'`],
    [
      'spec.validations[1].expression',
      `${start}22: found no matching overload for '_>_' applied to '(int, string)'`,
    ],
  ]);
});

t.test('a part that is never printed is refused before it is looked for', async (t) => {
  const claim = '/apis/resource.cluster.io/v1/namespaces/default/resourceclaims/a';
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' };
  const codeOf = async (path: string) => (await refusal(['GET', path, undefined, accept]))[0];
  t.equal(await codeOf(claim), 404);
  t.equal(await codeOf(`${claim}/status`), 406);
  t.equal(await codeOf(`${APPS}/deployments/a/status`), 404);
});

t.test('what a schema requires is asked of kinds that the first release has not', async (t) => {
  const path = `/apis/${POOLS}`;
  const body = { metadata: { name: 'a' }, spec: { driver: 'gpu.test' } };
  t.equal((await server.post(path, body)).status, 201);
  t.same(await refusal(['PATCH', `${path}/a/status`, '{"status":{"pools":[]}}', MERGE]), [
    422,
    `ResourcePoolStatusRequest.resource.cluster.io "a" is invalid: status.poolCount: Required value`,
  ]);
});
