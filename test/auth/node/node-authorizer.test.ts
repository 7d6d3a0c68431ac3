/** Node agents may do some things, and are told why not others. */
import t from 'tap';
import type { AccessAttributes, Decision } from '../../../src/auth/authorizer.ts';
import { NodeAuthorizer } from '../../../src/auth/node/node-authorizer.ts';
import { DEFAULT_GATES } from '../../../src/release/own-gates.ts';
import type { ApiObject } from '../../../src/resources/kind.ts';
import { access, HandFed, pathAccess, person } from '../../support/rbac.ts';

const NODE = person('system:node:n', 'system:nodes', 'system:authenticated');
const OTHER = person('system:node:o', 'system:nodes');
const UNRELATED = "no relationship found between node 'n' and this object";

/** Each kind of reference has a name that tells it. */
const SPEC = {
  nodeName: 'n',
  serviceAccountName: 'account',
  imagePullSecrets: [{ name: 'pull' }],
  initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'init' } } }] }],
  containers: [
    {
      envFrom: [{ secretRef: { name: 'env-from' } }, { configMapRef: { name: 'env-from' } }],
      env: [{ name: 'X', value: 'x' }, { valueFrom: { configMapKeyRef: { name: 'env' } } }],
    },
  ],
  ephemeralContainers: [{ envFrom: [{ secretRef: { name: 'ephemeral' } }] }],
  volumes: [
    { name: 'a', secret: { secretName: 'volume' } },
    { name: 'b', configMap: { name: 'volume' } },
    {
      name: 'c',
      projected: { sources: [{ secret: { name: 'part' } }, { configMap: { name: 'part' } }] },
    },
    { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
    { name: 'e', ephemeral: {} },
    { name: 'f', csi: { nodePublishSecretRef: { name: 'csi' } } },
    { name: 'g', azureFile: { secretName: 'azure' } },
    { name: 'h', rbd: { secretRef: { name: 'rbd' } } },
    { name: 'i', iscsi: { secretRef: { name: '' } } },
  ],
};

const SECRETS = ['pull', 'init', 'env-from', 'ephemeral', 'volume', 'part', 'csi', 'azure', 'rbd'];

class Setting {
  readonly fed = new HandFed();
  readonly node = new NodeAuthorizer(this.fed.follow, DEFAULT_GATES);

  constructor() {
    // Whatever is asked first makes it follow.
    void this.node.authorize(access(NODE, 'get - secrets', { name: 'x' }));
  }

  put(type: string, object: object): void {
    this.fed.putObject(type, object as ApiObject);
  }

  pod(name: string, spec: object, metadata: object = {}): void {
    this.put('pods', { metadata: { namespace: 'ns', name, uid: name, ...metadata }, spec });
  }

  said(asked: AccessAttributes): string {
    const decision = this.node.authorize(asked) as Decision;
    return decision.verdict === 'allow' ? 'allow' : decision.reason;
  }

  may(text: string, name: string, user = NODE): boolean {
    return this.said(access(user, text, { name })) === 'allow';
  }
}

t.test('a node sees what its pods refer to', async (t) => {
  const setting = new Setting();
  setting.pod('p', SPEC);
  for (const name of SECRETS) {
    for (const verb of ['get', 'list', 'watch']) {
      t.ok(setting.may(`${verb} - secrets`, name), `${verb} ${name}`);
      t.notOk(setting.may(`${verb} - secrets`, name, OTHER), `another node, ${name}`);
    }
  }
  for (const name of ['env-from', 'env', 'volume', 'part']) {
    t.ok(setting.may('get - configmaps', name), name);
  }
  for (const name of ['claim', 'p-e']) {
    t.ok(setting.may('get - persistentvolumeclaims', name), name);
    t.ok(setting.may('patch - persistentvolumeclaims/status', name), name);
  }
  t.ok(setting.may('create - serviceaccounts/token', 'account'));
  t.notOk(setting.may('get - secrets', 'claim'));
  t.notOk(setting.may('get - configmaps', 'pull'));
  t.equal(
    setting.said(access(NODE, 'get - secrets', { name: 'pull', namespace: 'other' })),
    UNRELATED,
  );
});

t.test('what pods refer to ends with them', async (t) => {
  const setting = new Setting();
  const spec = { nodeName: 'n', volumes: [{ secret: { secretName: 's' } }] };
  setting.pod('p', { ...spec, nodeName: undefined });
  t.notOk(setting.may('get - secrets', 's'), 'a pod that has no node yet');
  setting.pod('p', spec);
  setting.pod('q', spec);
  t.ok(setting.may('get - secrets', 's'));
  setting.fed.remove('pods', 'ns', 'p');
  t.ok(setting.may('get - secrets', 's'), 'of the other one');
  setting.pod('q', { ...spec, volumes: [] });
  t.ok(setting.may('get - secrets', 's'), 'what a pod with a node refers to does not change');
  setting.pod('q', { ...spec, nodeName: 'o' }, { uid: 'another' });
  t.notOk(setting.may('get - secrets', 's'));
  t.ok(setting.may('get - secrets', 's', OTHER));
  setting.fed.remove('pods', 'ns', 'q');
  t.notOk(setting.may('get - secrets', 's', OTHER));
  setting.pod('m', spec, { annotations: { 'cluster.io/config.mirror': '' } });
  t.notOk(setting.may('get - secrets', 's'), 'a mirror gives nothing');
});

t.test('volumes of claims, their secrets, and attachments', async (t) => {
  const setting = new Setting();
  const csi = {
    nodeStageSecretRef: { namespace: 'other', name: 'stage' },
    controllerPublishSecretRef: { namespace: 'ns', name: 'controller' },
  };
  const claimRef = { namespace: 'ns', name: 'claim' };
  const volume = (name: string, spec: object): void => {
    setting.put('persistentvolumes', { metadata: { name }, spec: { claimRef, ...spec } });
  };
  const stage = access(NODE, 'get - secrets', { name: 'stage', namespace: 'other' });
  volume('v', { csi });
  volume('w', { cephfs: { secretRef: { name: 'home' } } });
  t.notOk(setting.may('get - persistentvolumes', 'v'));
  setting.pod('p', { nodeName: 'n', volumes: [{ persistentVolumeClaim: { claimName: 'claim' } }] });
  t.ok(setting.may('get - persistentvolumes', 'v'));
  t.equal(setting.said(stage), 'allow');
  t.ok(setting.may('get - secrets', 'home'), 'in the namespace of the claim');
  t.notOk(setting.may('get - secrets', 'controller'), 'not for nodes');
  t.notOk(setting.may('get - persistentvolumes', 'v', OTHER));
  volume('v', { csi, claimRef: undefined });
  t.equal(setting.said(stage), UNRELATED);
  setting.fed.remove('persistentvolumes', '', 'w');
  t.notOk(setting.may('get - secrets', 'home'));
  const attachment = { metadata: { name: 'a' }, spec: { nodeName: 'n' } };
  setting.put('volumeattachments', attachment);
  t.ok(setting.may('get storage.cluster.io volumeattachments', 'a'));
  t.notOk(setting.may('get storage.cluster.io volumeattachments', 'a', OTHER));
  setting.fed.remove('volumeattachments', '', 'a');
  t.notOk(setting.may('get storage.cluster.io volumeattachments', 'a'));
});

t.test('what is the same for all, and what is said', async (t) => {
  const setting = new Setting();
  const lease = (text: string, name: string, namespace = 'cluster-node-lease'): AccessAttributes =>
    access(NODE, `${text} coordination.cluster.io leases`, { name, namespace });
  const of = (text: string, name = 'x', namespace = 'ns'): AccessAttributes =>
    access(NODE, text, { name, namespace });
  const rows: [AccessAttributes, string][] = [
    [of('list - pods', '', ''), 'allow'],
    [of('patch - nodes/status', 'o'), 'allow'],
    [of('delete - nodes'), ''],
    [of('create - pods/eviction'), 'allow'],
    [of('get apps deployments'), ''],
    [pathAccess(NODE, 'get', '/healthz'), ''],
    [of('create - secrets'), 'can only read resources of this type'],
    [of('get - secrets/x'), 'cannot read subresource'],
    [of('list - secrets', '', ''), 'can only read namespaced object of this type'],
    [of('list - secrets', ''), 'No Object name found'],
    [of('get - configmaps'), UNRELATED],
    [of('list - persistentvolumeclaims'), 'can only get individual resources of this type'],
    [of('get - persistentvolumeclaims/status'), 'can only get/update/patch this type'],
    [of('get - persistentvolumes/status'), 'cannot get subresource'],
    [of('get - serviceaccounts'), 'can only create tokens for individual service accounts'],
    [of('create - serviceaccounts'), 'can only create token subresource of serviceaccount'],
    [of('create - serviceaccounts/token'), UNRELATED],
    [lease('update', 'n'), 'allow'],
    [lease('create', ''), 'allow'],
    [lease('list', ''), 'can only get, create, update, patch, or delete a node lease'],
    [
      lease('get', 'n', 'ns'),
      'can only access leases in the "cluster-node-lease" system namespace',
    ],
    [lease('get', 'o'), 'can only access node lease with the same name as the requesting node'],
    [of('delete storage.cluster.io csinodes', 'n'), 'allow'],
    [
      of('get storage.cluster.io csinodes', 'o'),
      'can only access CSINode with the same name as the requesting node',
    ],
    [of('get storage.cluster.io csinodes/x', 'n'), 'cannot authorize CSINode subresources'],
    [
      access(person('system:node:', 'system:nodes'), 'list - pods'),
      'unknown node for user "system:node:"',
    ],
    [access(person('system:node:n'), 'list - pods'), ''],
    [access(person('n', 'system:nodes'), 'list - pods'), ''],
  ];
  for (const [asked, expected] of rows) {
    t.equal(setting.said(asked), expected, `${asked.verb} ${asked.resource}/${asked.subresource}`);
  }
  t.match(setting.node.rulesFor(NODE), { incomplete: true });
  t.match(setting.node.rulesFor(person('jane')), { incomplete: false, evaluationError: '' });
});

t.test('pods are followed when a node asks, and waited for', async (t) => {
  const fed = new HandFed();
  const node = new NodeAuthorizer(fed.follow, DEFAULT_GATES);
  await node.authorize(access(NODE, 'list - pods'));
  await node.authorize(access(person('jane'), 'get - secrets', { name: 's' }));
  t.notOk(fed.isFollowed('pods'));
  fed.fallBehind();
  const asked = node.authorize(access(NODE, 'get - secrets', { name: 's' }));
  t.ok(fed.isFollowed('pods'));
  fed.putObject('pods', {
    metadata: { namespace: 'ns', name: 'p' },
    spec: { nodeName: 'n', volumes: [{ secret: { secretName: 's' } }] },
  });
  fed.catchUp();
  t.match(await asked, { verdict: 'allow' });
});
