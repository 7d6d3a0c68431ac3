/** Signers have requirements, and some rights are enough to be approved unseen. */
import t from 'tap';
import type { CertificateSigningRequest } from '#messages/certificates.v1';
import { readSigningRequest } from '../../src/auth/signing-request.ts';
import { sufficientRights } from '../../src/controllers/certificates/approving.ts';
import { requestEndMs } from '../../src/controllers/certificates/request-end.ts';
import { SIGNER_RULES } from '../../src/controllers/certificates/signers.ts';
import { madeRequest } from '../support/signing-requests.ts';
import type { RequestFacts } from '../support/signing-requests.ts';

const CLIENT = ['digital signature', 'key encipherment', 'client auth'];
const SERVING = ['digital signature', 'key encipherment', 'server auth'];
const NODE: RequestFacts = { user: 'system:node:a', groups: ['system:nodes'] };
const DNS = { type: 'dns', value: 'a' } as const;
const EMAIL = { type: 'email', value: 'a@b.c' } as const;
const IP = { type: 'ip', value: '192.0.2.1' } as const;
const URI = { type: 'url', value: 'spiffe://a/b' } as const;
const NOT_NODES = 'subject organization is not system:nodes';
const NOT_A_NODE = 'subject common name does not begin with system:node:';
const USAGES = 'usages did not match [client auth digital signature key encipherment]';

t.test('each signer has its rules', async (t) => {
  const rows: [signer: string, facts: RequestFacts, usages: readonly string[], problem: string][] =
    [
      ['kube-apiserver-client', { user: 'jane' }, ['client auth'], ''],
      ['kube-apiserver-client', { user: 'jane', names: [DNS] }, CLIENT, ''],
      [
        'kube-apiserver-client',
        {},
        ['digital signature'],
        'missing required usage for client certificate: client auth',
      ],
      [
        'kube-apiserver-client',
        {},
        ['client auth', 'server auth'],
        'invalid usage for client certificate: server auth',
      ],
      [
        'kube-apiserver-client',
        { user: 'jane', groups: ['a', 'system:masters'] },
        CLIENT,
        'use of cluster.io/kube-apiserver-client signer with system:masters group is not allowed',
      ],
      [
        'kube-apiserver-client',
        { user: 'front-proxy-client' },
        CLIENT,
        'use of cluster.io/kube-apiserver-client signer with the name front-proxy-client is not allowed',
      ],
      ['kube-apiserver-client-kubelet', NODE, CLIENT.toReversed(), ''],
      ['kube-apiserver-client-kubelet', { ...NODE, groups: [] }, CLIENT, NOT_NODES],
      [
        'kube-apiserver-client-kubelet',
        { ...NODE, groups: ['system:nodes', 'b'] },
        CLIENT,
        NOT_NODES,
      ],
      [
        'kube-apiserver-client-kubelet',
        { ...NODE, names: [IP, DNS] },
        CLIENT,
        'DNS subjectAltNames are not allowed',
      ],
      [
        'kube-apiserver-client-kubelet',
        { ...NODE, names: [IP, EMAIL] },
        CLIENT,
        'Email subjectAltNames are not allowed',
      ],
      [
        'kube-apiserver-client-kubelet',
        { ...NODE, names: [IP] },
        CLIENT,
        'IP subjectAltNames are not allowed',
      ],
      [
        'kube-apiserver-client-kubelet',
        { ...NODE, names: [URI] },
        CLIENT,
        'URI subjectAltNames are not allowed',
      ],
      ['kube-apiserver-client-kubelet', { ...NODE, user: 'a' }, ['any'], NOT_A_NODE],
      ['kube-apiserver-client-kubelet', NODE, ['client auth'], USAGES],
      ['kubelet-serving', { ...NODE, names: [DNS] }, SERVING, ''],
      ['kubelet-serving', { ...NODE, names: [IP] }, SERVING, ''],
      ['kubelet-serving', { user: 'a' }, SERVING, NOT_NODES],
      ['kubelet-serving', NODE, SERVING, 'DNS or IP subjectAltName is required'],
      [
        'kubelet-serving',
        { ...NODE, names: [DNS, EMAIL] },
        SERVING,
        'Email subjectAltNames are not allowed',
      ],
      [
        'kubelet-serving',
        { ...NODE, names: [DNS, URI] },
        SERVING,
        'URI subjectAltNames are not allowed',
      ],
      [
        'kubelet-serving',
        { ...NODE, user: 'a', names: [DNS] },
        CLIENT,
        'usages did not match [digital signature key encipherment server auth]',
      ],
      ['kubelet-serving', { ...NODE, user: 'a', names: [DNS] }, SERVING, NOT_A_NODE],
    ];
  for (const [signer, facts, usages, problem] of rows) {
    const asked = await readSigningRequest((await madeRequest(facts)).request);
    t.equal(SIGNER_RULES.get(`cluster.io/${signer}`)?.(asked, usages), problem, signer);
  }
  t.equal(SIGNER_RULES.size, 3);
});

t.test(
  'a node needs a right for its own certificate, and another for those of others',
  async (t) => {
    const rows: [facts: RequestFacts, username: string, rights: readonly string[]][] = [
      [NODE, 'system:node:a', ['selfnodeclient', 'nodeclient']],
      [NODE, 'system:bootstrap:abcdef', ['nodeclient']],
      [{ ...NODE, groups: [] }, 'system:node:a', []],
      [{ user: 'jane' }, 'jane', []],
    ];
    for (const [facts, username, rights] of rows) {
      const asked = await readSigningRequest((await madeRequest(facts)).request);
      const request = { metadata: {}, spec: { username, usages: CLIENT } };
      const found = sufficientRights(request, asked).map(({ subresource }) => subresource);
      t.same(found, rights, `${facts.user} by ${username}`);
    }
  },
);

t.test('a request goes a day after it was made, or an hour after it was decided', (t) => {
  const at = (hour: number): string => `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
  const condition = (type: string, hour: number) => ({ type, lastUpdateTime: at(hour) });
  const rows: [CertificateSigningRequest['status'], end: string | undefined][] = [
    [undefined, '2026-01-02T01:00:00Z'],
    [{ conditions: [condition('Denied', 5)] }, at(6)],
    [{ conditions: [condition('Approved', 4), condition('Failed', 5)] }, at(6)],
    [{ conditions: [condition('Approved', 4)] }, undefined],
    [{ conditions: [condition('Approved', 4)], certificate: 'eA==' }, at(5)],
    [{ conditions: [{ type: 'Denied' }] }, undefined],
  ];
  for (const [status, end] of rows) {
    const request = { metadata: { creationTimestamp: at(1) }, ...(status && { status }) };
    const expected = end === undefined ? undefined : Date.parse(end);
    t.equal(requestEndMs(request), expected, JSON.stringify(status));
  }
  t.end();
});
