/** Requests for certificates: approved by people and by the server, signed, used, removed. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { parse } from 'yaml';
import { FOLDER_FILES } from '../../src/data-folder.ts';
import { until } from '../support/owned-objects.ts';
import { freePort, runToExit, temporaryFolder } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';
import { madeRequest } from '../support/signing-requests.ts';
import type { RequestFacts } from '../support/signing-requests.ts';

const REQUESTS = '/apis/certificates.cluster.io/v1/certificatesigningrequests';
const CLIENT = ['digital signature', 'key encipherment', 'client auth'];
const TOKENS = 'nodetoken0000000,system:node:a,,"system:nodes"\n';

const folder = temporaryFolder();
const tokenFile = join(folder, 'tokens.csv');
writeFileSync(tokenFile, TOKENS);
const dataDirectory = join(folder, 'data');
const data = ['--data-dir', dataDirectory];
// The authority is there before the server is: this makes it.
const first = await runToExit([...data, '--write-client-cert', '../first']);
const authorityFile = join(dataDirectory, 'ca.crt');
const securePort = await freePort();
const trusting = ['--token-auth-file', tokenFile, '--client-ca-file', authorityFile];
const server = await startServer({
  test: t,
  dataDirectory,
  args: [
    ...trusting,
    `--secure-port=${securePort}`,
    // The rules about certificates are on: the server's own controllers go by them.
    '--disable-admission-plugins=ServiceAccount',
  ],
});
const asNode = { authorization: 'Bearer nodetoken0000000' };

/** Makes a request, and gives the key. */
async function ask(
  name: string,
  {
    signer = 'kube-apiserver-client',
    usages = CLIENT,
    headers = {},
    more = {},
    ...facts
  }: RequestFacts & {
    signer?: string;
    usages?: readonly string[];
    headers?: Record<string, string>;
    more?: object;
  },
): Promise<string> {
  const { request, key } = await madeRequest(facts);
  const spec = { signerName: `cluster.io/${signer}`, usages, ...more };
  const body = {
    metadata: { name },
    spec: { ...spec, request: Buffer.from(request).toString('base64') },
  };
  const made = await server.post(REQUESTS, body, headers);
  if (made.status !== 201) throw new Error(made.text);
  return key;
}

async function decide(name: string, type: string, more: object = {}): Promise<void> {
  const { json } = await server.get(`${REQUESTS}/${name}`);
  json.status.conditions = [{ type, status: 'True', reason: 'Test', ...more }];
  const answer = await server.put(`${REQUESTS}/${name}/approval`, json);
  if (answer.status !== 200) throw new Error(answer.text);
}

/** Asks the server as the holder of a certificate. */
async function listPods(cert: string | Buffer, key: string | Buffer): Promise<string> {
  const ca = readFileSync(authorityFile);
  const options = { host: '127.0.0.1', port: securePort, path: '/api/v1/pods', ca, cert, key };
  const [response] = (await once(get(options), 'response')) as [IncomingMessage];
  return text(response);
}

/** The status once it says as much. */
async function statusWith(name: string, member: 'certificate' | 'conditions', count = 1) {
  let status: { certificate?: string; conditions?: { type: string; message?: string }[] } = {};
  await until(async () => {
    status = (await server.get(`${REQUESTS}/${name}`)).json.status;
    return (status[member]?.length ?? 0) >= count;
  });
  return status;
}

t.test('a request keeps what else is known of who asks', async (t) => {
  const headers = {
    'Impersonate-User': 'jane',
    'Impersonate-Group': 'system:masters',
    'Impersonate-Extra-Scopes': 'a "b"',
  };
  await ask('with-extra', { headers });
  const { spec } = (await server.get(`${REQUESTS}/with-extra`)).json;
  t.same(spec.extra, { scopes: ['a "b"'] });
});

t.test('what a person approves is signed by the authority of the server', async (t) => {
  const more = { expirationSeconds: 3600 };
  const key = await ask('jane', { user: 'jane', groups: ['a', 'b'], more });
  t.equal((await server.get(`${REQUESTS}/jane`)).json.status.certificate, undefined, 'not before');
  await decide('jane', 'Approved');
  const { certificate = '' } = await statusWith('jane', 'certificate');
  const pem = Buffer.from(certificate, 'base64').toString();
  const leaf = new X509Certificate(pem);
  const ca = readFileSync(authorityFile, 'utf8');
  t.ok(leaf.verify(new X509Certificate(ca).publicKey));
  const validMs = Date.parse(leaf.validTo) - Date.now();
  t.ok(validMs > 3_000_000 && validMs <= 3_600_000, leaf.validTo);
  t.same(leaf.toLegacyObject().subject, { O: ['a', 'b'], CN: 'jane' });
  t.match(await listPods(pem, key), /User \\"jane\\" cannot list resource \\"pods\\"/);
});

t.test('what breaks the rules of its signer fails, and others are left alone', async (t) => {
  await ask('bad', { user: 'a', signer: 'kube-apiserver-client-kubelet' });
  await ask('other', { user: 'a', signer: 'someone-else' });
  await ask('denied', { user: 'jane' });
  await decide('other', 'Approved');
  await decide('denied', 'Denied');
  await decide('bad', 'Approved');
  const { conditions = [], certificate } = await statusWith('bad', 'conditions', 2);
  t.match(conditions[1], {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: 'subject organization is not system:nodes',
  });
  t.equal(certificate, undefined);
  for (const name of ['other', 'denied']) {
    const { status } = (await server.get(`${REQUESTS}/${name}`)).json;
    t.equal(status.conditions.length, 1);
    t.equal(status.certificate, undefined, name);
  }
});

t.test('a node that has the right gets its certificate without a person', async (t) => {
  const roles = '/apis/rbac.authorization.cluster.io/v1';
  const resource = 'certificatesigningrequests';
  const role = (resources: readonly string[]) => ({
    metadata: { name: resources[0]?.replace('/', '-') },
    rules: [{ apiGroups: ['certificates.cluster.io'], resources, verbs: ['create'] }],
  });
  const bind = (name: string) => ({
    metadata: { name: `test-${name}` },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'Group', name: 'system:nodes' }],
  });
  for (const resources of [[resource], [`${resource}/selfnodeclient`]]) {
    const made = role(resources);
    t.equal((await server.post(`${roles}/clusterroles`, made)).status, 201);
  }
  await server.post(`${roles}/clusterrolebindings`, bind(resource));
  const facts = { user: 'system:node:a', groups: ['system:nodes'] };
  const signer = 'kube-apiserver-client-kubelet';
  await ask('node', { ...facts, signer, headers: asNode });
  await ask('by-admin', { ...facts, signer });
  const { spec, status } = (await server.get(`${REQUESTS}/node`)).json;
  t.equal(spec.username, 'system:node:a');
  t.same(status, {}, 'it has no right to it yet');
  await server.post(`${roles}/clusterrolebindings`, bind(`${resource}-selfnodeclient`));
  const { conditions } = await statusWith('node', 'certificate');
  t.match(conditions, [
    {
      type: 'Approved',
      reason: 'AutoApproved',
      message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
    },
  ]);
  const byAdmin = await statusWith('by-admin', 'certificate');
  t.match(byAdmin.conditions, [
    { message: 'Auto approving kubelet client certificate after SubjectAccessReview.' },
  ]);
});

t.test('decided requests go after an hour', async (t) => {
  const lastUpdateTime = new Date(Date.now() - 3_700_000).toISOString().replace(/\.\d+/, '');
  await ask('old', { user: 'jane' });
  await ask('young', { user: 'jane' });
  await decide('young', 'Denied');
  await decide('old', 'Denied', { lastUpdateTime });
  await until(async () => (await server.get(`${REQUESTS}/old`)).status === 404);
  t.equal((await server.get(`${REQUESTS}/young`)).status, 200);
});

t.test('--write-client-cert writes what a user needs, beside the server', async (t) => {
  const written = await runToExit([...data, '--write-client-cert', 'system:node:a,system:nodes']);
  t.equal(written.code, 0, written.stderr);
  const files = join(server.dataDirectory, 'clients', 'system:node:a');
  t.match(
    written.stdout,
    /^shardplane wrote system:node:a\.kubeconfig, .*\.crt, .*\.key into .*\n$/,
  );
  t.match(written.stdout, 'system:node:a in system:nodes, until ');
  for (const file of ['crt', 'key', 'kubeconfig']) {
    t.equal(statSync(`${files}.${file}`).mode & 0o777, 0o600, file);
  }
  const leaf = new X509Certificate(readFileSync(`${files}.crt`));
  const ca = readFileSync(authorityFile);
  t.ok(leaf.verify(new X509Certificate(ca).publicKey));
  t.same(leaf.toLegacyObject().subject, { O: 'system:nodes', CN: 'system:node:a' });
  const { clusters, users } = parse(readFileSync(`${files}.kubeconfig`, 'utf8'));
  t.equal(clusters[0].cluster['certificate-authority-data'], ca.toString('base64'));
  t.equal(users[0].user['client-key-data'], readFileSync(`${files}.key`).toString('base64'));

  const said = await listPods(readFileSync(`${files}.crt`), readFileSync(`${files}.key`));
  t.match(said, /"kind":"PodList"/, 'a node may list pods');

  t.equal(first.code, 0, first.stderr);
  t.ok(statSync(join(server.dataDirectory, 'clients', '..%2Ffirst.kubeconfig')));
  const plain = await runToExit([...data, '--secure-port=0', '--write-client-cert', 'jane']);
  t.equal(plain.code, 1);
  t.match(plain.stderr, /^shardplane: --write-client-cert needs HTTPS: give a --secure-port/);
});

t.test(
  'all that a server keeps in its folder says whether the cluster has it in common',
  async (t) => {
    const names = readdirSync(dataDirectory, { recursive: true, encoding: 'utf8' });
    const kept = names.filter((name) => !/^(clients|store.write-ahead).|\.sock$/.test(name));
    const all = Object.entries(FOLDER_FILES).filter(
      ([, { isOfView, isOfLaboratory, isOfUpgrade }]) =>
        !isOfView && !isOfLaboratory && !isOfUpgrade,
    );
    t.same(kept.toSorted(), all.map(([name]) => name).toSorted());
  },
);

t.test('a server does not start with an authority that is none', async (t) => {
  const cert = join(server.dataDirectory, 'tls.crt');
  const key = join(server.dataDirectory, 'tls.key');
  const port = String(await freePort());
  const listening = ['--data-dir', join(folder, 'refused'), '--port=0', '--secure-port', port];
  const authority = ['--cluster-signing-cert-file', cert, '--cluster-signing-key-file', key];
  const { code, stderr } = await runToExit([...listening, ...authority]);
  t.equal(code, 1);
  t.match(stderr, /^shardplane: .*tls\.key and .*tls\.crt are no key and certificate of an auth/m);
});
