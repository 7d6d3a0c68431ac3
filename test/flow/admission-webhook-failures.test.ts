// Webhooks that answer garbage, nothing, late or wrongly, and what a client is told then.
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { Test } from 'tap';
import { patchOf, startAdmissionWebhook, type Behaviour } from '../support/admission-webhook.ts';
import { makeAuthority } from '../support/authorities.ts';
import { Hooked, type HookOptions } from '../support/hooked.ts';
import { selfSigned } from '../support/self-signed.ts';
import { freePort } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const webhook = await startAdmissionWebhook(t);
const here = new Hooked(server, webhook, 'hooked-failures');
await here.begin();
let made = 0;

/** Gives the code of a create that a webhook is asked about, and the message if it fails. */
async function answerWith(
  t: Test,
  sort: 'Mutating' | 'Validating',
  hook: HookOptions,
): Promise<[code: number, message: string]> {
  const end = await here.register(t, sort, { w: hook });
  const name = `a${++made}`;
  const { status, json } = await here.make(name);
  await end();
  const message = status === 201 ? '' : String(json.message);
  return [status, message.replaceAll(name, 'NAME')];
}

const FAILED = 'Internal error occurred: failed calling webhook "w.example.com":';
const CALLED = `${FAILED} failed to call webhook:`;
const READ = `${FAILED} received invalid webhook response:`;

/** The webhook fails: with `Ignore` writes pass. */
const failures: Record<string, [behaviour: Behaviour, message: string | RegExp]> = {
  garbage: [
    () => ({ raw: 'this is no JSON' }),
    /failed to call webhook: couldn't get version\/kind; json parse error: json: cannot unmarshal string into/,
  ],
  nothing: [
    () => ({ raw: '' }),
    `${CALLED} 0-length response with status code: 200 and content type: application/json`,
  ],
  cut: [
    () => 'cut',
    /failed to call webhook: Post "https:\/\/127.0.0.1:\d+\/.*\?timeout=30s": EOF$/,
  ],
  broken: [
    () => ({ raw: 'it is broken', status: 500, headers: { 'content-type': 'text/plain' } }),
    `${CALLED} an error on the server ("it is broken") has prevented the request from succeeding`,
  ],
  missing: [
    () => ({ raw: 'nowhere', status: 404 }),
    `${CALLED} the server could not find the requested resource`,
  ],
  otherUid: [
    () => ({ uid: 'other' }),
    /invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "other"$/,
  ],
  noResponse: [
    ({ apiVersion, kind }) => ({ review: { apiVersion, kind } }),
    `${READ} webhook response was absent`,
  ],
  patchOfNoType: [
    () => ({ ...patchOf({ op: 'add', path: '/data/b', value: '2' }), patchType: undefined }),
    `${READ} webhook returned response.patch but not response.patchType`,
  ],
  otherPatchType: [
    () => ({ ...patchOf({ op: 'add', path: '/data/b', value: '2' }), patchType: 'MergePatch' }),
    `${FAILED} unsupported patch type "MergePatch"`,
  ],
};

for (const [what, [behaviour, message]] of Object.entries(failures)) {
  t.test(`a webhook fails: ${what}`, async (t) => {
    const [code, told] = await answerWith(t, 'Mutating', { behaviour });
    t.equal(code, 500);
    if (typeof message === 'string') t.equal(told, message);
    else t.match(told, message);
    const open = { behaviour, failurePolicy: 'Ignore' };
    t.same(await answerWith(t, 'Mutating', open), [201, '']);
  });
}

t.test('an answer of 10 MB is no answer', async (t) => {
  const behaviour: Behaviour = () => ({ warnings: ['x'.repeat(10 * 1024 * 1024)] });
  const [code, message] = await answerWith(t, 'Validating', { behaviour });
  t.equal(code, 500);
  t.match(message, /failed to call webhook: .*the answer is longer than 8388608 bytes$/);
});

/** The webhook answers, but not what can be done: its failure policy does not count. */
const refusals: Record<string, [behaviour: Behaviour, code: number, message: string]> = {
  denied: [
    () => ({ allowed: false }),
    400,
    'admission webhook "w.example.com" denied the request without explanation',
  ],
  deniedForReason: [
    () => ({ allowed: false, status: { reason: 'Because', code: 200, status: 'Success' } }),
    400,
    'admission webhook "w.example.com" denied the request: Because',
  ],
  patchIsNoJson: [
    () => ({ patch: Buffer.from('garbage').toString('base64'), patchType: 'JSONPatch' }),
    500,
    "Internal error occurred: invalid character 'g' looking for beginning of value",
  ],
  patchIsNoList: [
    () => ({ patch: Buffer.from('{}').toString('base64'), patchType: 'JSONPatch' }),
    500,
    'Internal error occurred: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  ],
  patchDoesNotApply: [
    () => patchOf({ op: 'add', path: '/x/y/z', value: '2' }),
    500,
    'Internal error occurred: add operation does not apply: doc is missing path: "/x/y/z": missing value',
  ],
  testFails: [
    () => patchOf({ op: 'test', path: '/data/a', value: '9' }),
    500,
    'Internal error occurred: testing value /data/a failed: test failed',
  ],
  objectBreaks: [
    () => patchOf({ op: 'add', path: '/data', value: 'text' }),
    500,
    'Internal error occurred: json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
  ],
  kindChanges: [
    () => patchOf({ op: 'replace', path: '/kind', value: 'Nonsense' }),
    500,
    'Internal error occurred: no kind "Nonsense" is registered for version "v1" in scheme "pkg/runtime/scheme.go:100"',
  ],
  objectBecomesInvalid: [
    () => patchOf({ op: 'add', path: '/data/!', value: 'x' }),
    422,
    'ConfigMap "NAME" is invalid: data[!]: Invalid value: "!": a valid config key must consist of ' +
      "alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', " +
      "regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  namespaceChanges: [
    () => patchOf({ op: 'add', path: '/metadata/namespace', value: 'default' }),
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
};

for (const [what, [behaviour, code, message]] of Object.entries(refusals)) {
  t.test(`a webhook refuses or spoils a write: ${what}`, async (t) => {
    const hook = { behaviour, failurePolicy: 'Ignore' };
    t.same(await answerWith(t, 'Mutating', hook), [code, message]);
  });
}

t.test('patches that do nothing', async (t) => {
  for (const patch of ['null', '[]']) {
    const behaviour = () => ({
      patch: Buffer.from(patch).toString('base64'),
      patchType: 'JSONPatch',
    });
    t.same(await answerWith(t, 'Mutating', { behaviour }), [201, '']);
  }
  const behaviour = () => patchOf({ op: 'add', path: '/unknown', value: 1 });
  t.same(await answerWith(t, 'Mutating', { behaviour }), [201, '']);
});

t.test('a patch of what must not change is refused as the change would be', async (t) => {
  const at = `/api/v1/namespaces/${here.namespace}/secrets`;
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'a/b' };
  await server.post(at, secret);
  await here.register(t, 'Mutating', {
    immutable: {
      rules: [
        { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] },
      ],
      behaviour: () => patchOf({ op: 'replace', path: '/type', value: 'c/d' }),
    },
  });
  const updated = await server.put(`${at}/s`, { ...secret, data: { a: '' } });
  t.equal(updated.status, 422);
  t.match(
    updated.json.message,
    /^Secret "s" is invalid: type: Invalid value: "c\/d": field is immutable$/,
  );
});

t.test('nothing is changed where there is nothing to be changed', async (t) => {
  await here.make('deleted');
  await here.register(t, 'Mutating', {
    gone: { behaviour: () => patchOf({ op: 'add', path: '/data/b', value: '2' }) },
  });
  const deleted = await server.delete(here.path('deleted'));
  t.equal(deleted.status, 500);
  t.equal(
    deleted.json.message,
    'Internal error occurred: admission webhook "gone.example.com" attempted to modify the object, ' +
      'which is not supported for this operation',
  );
});

t.test('a webhook that does not answer in its time', async (t) => {
  const behaviour = () => new Promise<never>(() => undefined);
  const late = { behaviour, timeoutSeconds: 1 };
  const [[closed, message], [open]] = await Promise.all([
    answerWith(t, 'Validating', late),
    (async () => {
      const slow = new Hooked(server, webhook, 'hooked-late');
      await slow.begin();
      await slow.register(t, 'Mutating', { late: { ...late, failurePolicy: 'Ignore' } });
      return [(await slow.make('a')).status];
    })(),
  ]);
  t.equal(closed, 500);
  t.match(
    message,
    /failed to call webhook: Post "https:.*\?timeout=1s": context deadline exceeded$/,
  );
  t.equal(open, 201);
});

t.test('a webhook that is not reached, or is not the right one', async (t) => {
  const { url, caBundle } = webhook.at('never');
  const nowhere = `https://127.0.0.1:${await freePort()}/`;
  const [, unreached] = await answerWith(t, 'Validating', {
    clientConfig: { url: nowhere, caBundle },
  });
  t.match(unreached, /: dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/);
  const { cert } = await selfSigned([]);
  const other = Buffer.from(cert).toString('base64');
  const [, untrusted] = await answerWith(t, 'Validating', {
    clientConfig: { url, caBundle: other },
  });
  t.match(untrusted, /: tls: failed to verify certificate: x509: /);
  const authorities = [
    ['garbage', 'unable to parse bytes as PEM block'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'failed to parse certificate: x509: malformed certificate',
    ],
  ];
  for (const [text = '', problem] of authorities) {
    const spoilt = { url, caBundle: Buffer.from(text).toString('base64') };
    const [, told] = await answerWith(t, 'Validating', { clientConfig: spoilt });
    const what = 'could not get REST client: unable to load root certificates';
    t.equal(told, `${FAILED} ${what}: ${problem}`);
  }
  const named = url.replace('127.0.0.1', 'localhost');
  const [, misnamed] = await answerWith(t, 'Validating', {
    clientConfig: { url: named, caBundle },
  });
  t.match(misnamed, /x509: certificate is not valid for any names, but wanted to match localhost$/);
  const authority = await makeAuthority('authority');
  const pair = await authority.sign({ subject: [{ CN: ['localhost'] }], usage: 'server' });
  const unnamed = createHttpsServer(pair).listen(0, '127.0.0.1');
  t.teardown(() => unnamed.close());
  await once(unnamed, 'listening');
  const { port } = unnamed.address() as AddressInfo;
  const [, namedInOldWay] = await answerWith(t, 'Validating', {
    clientConfig: {
      url: `https://localhost:${port}/`,
      caBundle: Buffer.from(authority.cert).toString('base64'),
    },
  });
  t.match(namedInOldWay, /x509: certificate relies on legacy Common Name field, use SANs instead$/);
  const mute = createServer((socket) => void socket.end('no TLS\n')).listen(0, '127.0.0.1');
  t.teardown(() => mute.close());
  await once(mute, 'listening');
  const plain = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
  const [code, noTls] = await answerWith(t, 'Validating', {
    clientConfig: { url: plain, caBundle },
  });
  t.equal(code, 500);
  t.match(noTls, CALLED);
  const service = { namespace: here.namespace, name: 'nowhere' };
  const [, noService] = await answerWith(t, 'Validating', { clientConfig: { service, caBundle } });
  t.match(noService, /\.svc:443\/\?timeout=30s": service "nowhere" not found$/);
});
