/** Node agents may do and write more in the newest release. */
import '../support/newest-release.ts';
import t from 'tap';
import { NodeRestriction } from '../../src/admission/plugins/node-restriction/node-restriction.ts';
import { NO_OPINION } from '../../src/auth/authorizer.ts';
import type { AccessAttributes, Decision } from '../../src/auth/authorizer.ts';
import { NodeAuthorizer } from '../../src/auth/node/node-authorizer.ts';
import type { FeatureGate } from '../../src/release/feature-gates.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { proposed } from '../support/proposals.ts';
import type { Proposed } from '../support/proposals.ts';
import { access, HandFed, person } from '../support/rbac.ts';
import { madeRequest } from '../support/signing-requests.ts';
import { refusal } from '../support/thrown-status.ts';

const NODE = person('system:node:n', 'system:nodes', 'system:authenticated');

const STORED: Readonly<Record<string, object>> = {
  'nodes /n': { metadata: { name: 'n', uid: 'node-uid' } },
  'pods ns/mine': {
    metadata: { namespace: 'ns', name: 'mine', uid: 'u' },
    spec: {
      nodeName: 'n',
      volumes: [
        { name: 'a', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } },
        { name: 'b', persistentVolumeClaim: { claimName: 'claim' } },
        { name: 'c', csi: { driver: 'inline' } },
      ],
    },
  },
  'pods ns/certified': {
    metadata: { namespace: 'ns', name: 'certified', uid: 'u' },
    spec: {
      nodeName: 'n',
      serviceAccountName: 'robot',
      volumes: [
        { projected: { sources: [{ podCertificate: { signerName: 'example.com/signer' } }] } },
      ],
    },
  },
  'pods ns/unbound': {
    metadata: { namespace: 'ns', name: 'unbound', uid: 'u' },
    spec: { nodeName: 'n', volumes: [{ persistentVolumeClaim: { claimName: 'unbound' } }] },
  },
  'persistentvolumeclaims ns/unbound': { metadata: {}, spec: {} },
  'serviceaccounts ns/robot': { metadata: { uid: 'robot-uid' } },
  'persistentvolumeclaims ns/claim': { metadata: {}, spec: { volumeName: 'volume' } },
  'persistentvolumes /volume': { metadata: {}, spec: { csi: { driver: 'bound' } } },
  'csidrivers.storage.cluster.io /bound': {
    metadata: {},
    spec: { tokenRequests: [{ audience: 'of-bound' }] },
  },
  'csidrivers.storage.cluster.io /inline': {
    metadata: {},
    spec: { tokenRequests: [{ audience: 'of-inline' }] },
  },
};

const plugin = new NodeRestriction({
  objects: (resource) =>
    ({
      get: async ({ namespace, name }: { namespace: string; name: string }) =>
        STORED[`${resource} ${namespace}/${name}`],
    }) as never,
  authorizer: () => ({
    authorize: ({ verb, resource, name }: AccessAttributes) =>
      `${verb} ${resource} ${name}` === 'request-serviceaccounts-token-audience allowed robot'
        ? { verdict: 'allow', reason: '' }
        : NO_OPINION,
  }),
  gates: DEFAULT_GATES,
});

/** Why it is refused; '' where it is not. */
async function refused(what: string, facts: Proposed): Promise<string> {
  const outcome = (async () => plugin.admit(proposed(what, { user: NODE, ...facts })))();
  try {
    await outcome;
    return '';
  } catch {
    const { message = '' } = await refusal(outcome);
    return message.split(' is forbidden: ')[1] ?? message;
  }
}

t.test('who owns its node does not change', async (t) => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p' };
  const node = (metadata: object = {}): ApiObject => ({ metadata: { name: 'n', ...metadata } });
  const object = node({ ownerReferences: [owner] });
  t.equal(
    await refused('UPDATE - nodes', { name: 'n', object, oldObject: node() }),
    'node "n" is not allowed to modify ownerReferences',
  );
  t.equal(await refused('UPDATE - nodes', { name: 'n', object, oldObject: object }), '');
});

async function encoded(user: string): Promise<string> {
  return Buffer.from((await madeRequest({ user })).request).toString('base64');
}

t.test('certificates are for itself', async (t) => {
  const ask = async (commonName: string, signerName = 'cluster.io/kubelet-serving') =>
    refused('CREATE certificates.cluster.io certificatesigningrequests', {
      object: { metadata: { name: 'x' }, spec: { signerName, request: await encoded(commonName) } },
    });
  const own = 'can only create a node CSR with CN=system:node:n';
  t.equal(await ask('system:node:n'), '');
  t.equal(await ask('system:node:o'), own);
  t.equal(await ask('system:node:o', 'cluster.io/kube-apiserver-client-kubelet'), own);
  t.equal(await ask('jane', 'cluster.io/kube-apiserver-client'), '');
});

t.test('devices that others have claimed are not for it to tell of', async (t) => {
  const pod = (status: object): ApiObject => ({
    metadata: { namespace: 'ns', name: 'mine' },
    spec: { nodeName: 'n' },
    status,
  });
  for (const [member, what] of [
    ['resourceClaimStatuses', 'resource claim statues'],
    ['nodeAllocatableResourceClaimStatuses', 'node allocatable resource claim statuses'],
  ] as const) {
    const facts = { object: pod({ [member]: [{ name: 'a' }] }), oldObject: pod({ [member]: [] }) };
    t.equal(await refused('UPDATE - pods/status', facts), `node "n" cannot update ${what}`);
  }
  t.equal(await refused('UPDATE - pods/status', { object: pod({}), oldObject: pod({}) }), '');
});

t.test('mirrors refer to nothing of the API', async (t) => {
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'node-uid', controller: true },
  ];
  const annotations = { 'cluster.io/config.mirror': 'x' };
  const metadata = { namespace: 'ns', name: 'p', annotations, ownerReferences };
  const source = (one: object) => ({ volumes: [{ name: 'v', projected: { sources: [one] } }] });
  const rows: [object, string][] = [
    [{ serviceAccountName: 'a' }, 'serviceaccounts'],
    [{ volumes: [{ name: 'v', secret: {} }] }, 'secrets (via secret volumes)'],
    [{ volumes: [{ name: 'v', ephemeral: {} }] }, 'persistentvolumeclaims (via ephemeral volumes)'],
    [{ volumes: [{ name: 'v', csi: { driver: 'd' } }] }, 'csidrivers (via CSI volumes)'],
    [source({ serviceAccountToken: {} }), 'serviceaccounts (via projected volumes)'],
    [source({ clusterTrustBundle: {} }), 'clustertrustbundles'],
    [{ resourceClaims: [{ name: 'c' }] }, 'resourceclaims'],
    [source({ downwardAPI: {} }), ''],
    [{ volumes: [{ name: 'v', hostPath: {} }] }, ''],
  ];
  for (const [spec, what] of rows) {
    const object = { metadata, spec: { nodeName: 'n', ...spec } };
    const expected = what && `node "n" can not create pods that reference ${what}`;
    t.equal(await refused('CREATE - pods', { object }), expected, JSON.stringify(spec));
  }
});

t.test('tokens are for whom the volumes of a pod need them', async (t) => {
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'u' };
  const askFor = (pod: string, ...audiences: string[]) =>
    refused('CREATE - serviceaccounts/token', {
      name: 'robot',
      namespace: 'ns',
      object: {
        metadata: { name: 'robot' },
        spec: { audiences, boundObjectRef: { ...boundObjectRef, name: pod } },
      },
    });
  const ask = (...audiences: string[]) => askFor('mine', ...audiences);
  for (const audience of ['vault', 'of-bound', 'of-inline', 'allowed']) {
    t.equal(await ask(audience), '', audience);
  }
  t.equal(await ask('x'), 'system:node:n is not authorized to request tokens for audience "x"');
  t.match(await ask(), 'is not authorized to request tokens for audience ""');
  t.equal(
    await askFor('unbound', 'x'),
    'error validating audience "x": persistentvolume "" not found',
  );
  t.equal(await ask('vault', 'x'), 'node may only request 0 or 1 audiences');
});

const UNRELATED = "no relationship found between node 'n' and this object";

class Setting {
  readonly fed = new HandFed();
  readonly #node: NodeAuthorizer;

  constructor(...without: readonly FeatureGate[]) {
    const gates = new Set([...DEFAULT_GATES].filter((gate) => !without.includes(gate)));
    this.#node = new NodeAuthorizer(this.fed.follow, gates);
    // Whatever is asked first makes it follow.
    this.said('get - secrets', { name: 'x' });
  }

  pod(name: string, spec: object, status: object = {}): void {
    const metadata = { namespace: 'ns', name, uid: name };
    this.fed.putObject('pods', { metadata, spec, status });
  }

  said(text: string, more: Partial<AccessAttributes> = {}): string {
    const decision = this.#node.authorize(access(NODE, text, more)) as Decision;
    return decision.verdict === 'allow' ? 'allow' : decision.reason;
  }
}

t.test('its own node alone', async (t) => {
  const setting = new Setting();
  for (const verb of ['get', 'list', 'watch', 'update']) {
    t.equal(setting.said(`${verb} - nodes`, { name: 'n', namespace: '' }), 'allow', verb);
  }
  t.equal(setting.said('create - nodes', { name: '', namespace: '' }), 'allow');
  t.equal(setting.said('patch - nodes/status', { name: 'n', namespace: '' }), 'allow');
  t.equal(
    setting.said('get - nodes', { name: 'o', namespace: '' }),
    "node 'n' cannot read 'o', only its own Node object",
  );
  t.equal(
    setting.said('list - nodes', { name: '', namespace: '' }),
    "node 'n' cannot read all nodes, only its own Node object",
  );
  t.equal(setting.said('get - nodes/proxy', { name: 'n' }), '');
});

t.test('the pods that are on it', async (t) => {
  const setting = new Setting();
  setting.pod('mine', { nodeName: 'n' });
  setting.pod('other', { nodeName: 'o' });
  const pods = 'can only list/watch pods with spec.nodeName field selector';
  const rows: [string, Partial<AccessAttributes>, string][] = [
    ['get - pods', { name: 'mine' }, 'allow'],
    ['get - pods', { name: 'other' }, UNRELATED],
    ['list - pods', { name: '', fieldSelector: 'spec.nodeName=n' }, 'allow'],
    ['watch - pods', { name: '', fieldSelector: 'spec.nodeName=n,status.phase!=Failed' }, 'allow'],
    ['list - pods', { name: '', fieldSelector: 'spec.nodeName=o' }, pods],
    ['list - pods', { name: '', fieldSelector: 'spec.nodeName!=n' }, pods],
    ['list - pods', { name: '' }, pods],
    ['watch - pods', { name: 'mine' }, 'allow'],
    ['watch - pods', { name: 'other' }, UNRELATED],
    ['create - pods', { name: '' }, 'allow'],
    ['delete - pods', { name: 'other' }, 'allow'],
    ['update - pods', { name: 'mine' }, ''],
    ['patch - pods/status', { name: 'mine' }, 'allow'],
    ['create - pods/eviction', { name: 'mine' }, 'allow'],
    ['get - pods/log', { name: 'mine' }, ''],
  ];
  for (const [text, more, expected] of rows) {
    t.equal(setting.said(text, more), expected, `${text} ${JSON.stringify(more)}`);
  }
});

t.test('the slices of its devices, and certificates of its pods', async (t) => {
  const setting = new Setting('DRAAdminAccess');
  const slices = 'resource.cluster.io resourceslices';
  const requests = 'certificates.cluster.io podcertificaterequests';
  setting.fed.putObject('resourceslices', { metadata: { name: 's' }, spec: { nodeName: 'n' } });
  setting.fed.putObject('resourceslices', { metadata: { name: 'o' }, spec: { nodeName: 'o' } });
  setting.fed.putObject('podcertificaterequests', {
    metadata: { namespace: 'ns', name: 'r' },
    spec: { nodeName: 'n' },
  });
  const many = { name: '', namespace: '', fieldSelector: 'spec.nodeName=n' };
  const one = { name: 's', namespace: '' };
  const rows: [string, Partial<AccessAttributes>, string][] = [
    [`get ${slices}`, one, 'allow'],
    [`delete ${slices}`, { ...one, name: 'o' }, UNRELATED],
    [`update ${slices}`, { ...one, name: 'gone' }, UNRELATED],
    [`create ${slices}`, { ...one, name: '' }, 'allow'],
    [`get ${slices}/status`, one, 'cannot authorize ResourceSlice subresources'],
    [`deletecollection ${slices}`, many, 'allow'],
    [
      `list ${slices}`,
      { ...many, fieldSelector: 'spec.nodeName=o' },
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    [
      `proxy ${slices}`,
      one,
      'only the following verbs are allowed for a ResourceSlice: ' +
        'get, watch, list, create, update, patch, delete, deletecollection',
    ],
    [`get ${requests}`, { name: 'r' }, 'allow'],
    [`get ${requests}`, { name: 'x' }, UNRELATED],
    [`list ${requests}`, many, 'allow'],
    [
      `watch ${requests}`,
      { name: '' },
      'can only list/watch podcertificaterequests with nodeName field selector',
    ],
    [`create ${requests}`, { name: '' }, 'allow'],
    [`delete ${requests}`, { name: 'r' }, 'nodes may not delete podcertificaterequests'],
    [
      `patch ${requests}/status`,
      { name: 'r' },
      'nodes may not access the status subresource of PodCertificateRequests',
    ],
  ];
  for (const [text, more, expected] of rows) {
    t.equal(setting.said(text, more), expected, `${text} ${JSON.stringify(more)}`);
  }
});

t.test('it makes and deletes slices of its own devices', async (t) => {
  const slice = (nodeName: string) => ({ metadata: { name: 's' }, spec: { nodeName } });
  const create = 'CREATE resource.cluster.io resourceslices';
  const own = 'ResourceSlice with the same NodeName as the requesting node';
  t.equal(await refused(create, { object: slice('n') }), '');
  t.equal(await refused(create, { object: slice('o') }), `can only create ${own}`);
  const oldObject = slice('o');
  const deleted = { oldObject, object: undefined };
  t.equal(await refused(create.replace('CREATE', 'DELETE'), deleted), `can only delete ${own}`);
});

t.test('it asks for certificates of its own pods', async (t) => {
  const asked = {
    nodeName: 'n',
    nodeUID: 'node-uid',
    podName: 'certified',
    podUID: 'u',
    serviceAccountName: 'robot',
    serviceAccountUID: 'robot-uid',
    signerName: 'example.com/signer',
  };
  const ask = (more: object) =>
    refused('CREATE certificates.cluster.io podcertificaterequests', {
      namespace: 'ns',
      object: { metadata: { name: 'r' }, spec: { ...asked, ...more } },
    });
  const of = 'PodCertificateRequest for pod "ns/certified"';
  const rows: [object, string][] = [
    [{}, ''],
    [
      { nodeName: 'o' },
      'PodCertificateRequest.Spec.NodeName="o", which is not the requesting node "n"',
    ],
    [{ nodeUID: 'x' }, `${of} names node UID "x", inconsistent with the running node ("node-uid")`],
    [{ podUID: 'x' }, `${of} contains pod UID ("x") which differs from running pod "u"`],
    [
      { podName: 'gone' },
      'while retrieving pod "ns/gone" named in the PodCertificateRequest: pod "gone" not found',
    ],
    [
      { serviceAccountName: 'x' },
      `${of} contains serviceAccountName ("x") that differs from running pod ("robot")`,
    ],
    [
      { serviceAccountUID: 'x' },
      `${of} names service account UID "x", ` +
        'which differs from the running service account ("robot-uid")',
    ],
    [
      { signerName: 'example.com/other' },
      'pod "ns/certified" does not mount a podCertificate projected volume ' +
        'for signer "example.com/other"',
    ],
  ];
  for (const [more, expected] of rows) {
    t.equal(await ask(more), expected, JSON.stringify(more));
  }
});

t.test('what its pods have claimed, and come to refer to', async (t) => {
  const setting = new Setting();
  const claim = (name: string) => setting.said('get resource.cluster.io resourceclaims', { name });
  const spec = { nodeName: 'n', resourceClaims: [{ name: 'a', resourceClaimName: 'named' }] };
  const from = { ...spec, resourceClaims: [...spec.resourceClaims, { name: 'b' }] };
  setting.pod('p', from);
  t.equal(claim('named'), 'allow');
  t.equal(claim('made'), UNRELATED);
  setting.pod('p', from, { resourceClaimStatuses: [{ name: 'b', resourceClaimName: 'made' }] });
  t.equal(claim('made'), 'allow', 'since it was made');
  setting.pod('p', from, { extendedResourceClaimStatus: { resourceClaimName: 'extended' } });
  t.equal(claim('extended'), 'allow');
  t.equal(
    setting.said('list resource.cluster.io resourceclaims', { name: '' }),
    'can only get individual resources of this type',
  );
  const secret = { env: [{ valueFrom: { secretKeyRef: { name: 'late' } } }] };
  setting.pod('p', { ...spec, ephemeralContainers: [secret] });
  t.equal(setting.said('get - secrets', { name: 'late' }), 'allow');
});

t.test('the accounts of its pods, where that is a feature', async (t) => {
  const reads = ['KubeletServiceAccountTokenForCredentialProviders', 'PodCertificateRequest'];
  const spec = { nodeName: 'n', serviceAccountName: 'a' };
  const ask = (...without: string[]): string => {
    const setting = new Setting(...(without as FeatureGate[]));
    setting.pod('p', spec);
    return setting.said('get - serviceaccounts', { name: 'a' });
  };
  t.equal(ask(), 'allow');
  t.equal(ask('PodCertificateRequest'), 'allow');
  t.equal(ask(...reads), 'not allowed to get service accounts');
});

t.test('the status of its storage drivers, where that is a feature', async (t) => {
  const drivers = 'storage.cluster.io csinodes/status';
  t.equal(
    new Setting().said(`get ${drivers}`, { name: 'n' }),
    'CSINode status access requires CSIVolumeHealth feature',
  );
});
