/** Requests for certificates: who may approve them, sign, and what nobody may ask for. */
import { grants } from './admission-steps.ts';
import type { Step } from './admission-steps.ts';
import { madeRequest } from './signing-requests.ts';

const REQUESTS = '/apis/certificates.cluster.io/v1/certificatesigningrequests';

export async function certificateSteps(): Promise<readonly Step[]> {
  const group = 'certificates.cluster.io';
  const parts = 'certificatesigningrequests/approval,certificatesigningrequests/status';
  const own = [`patch,update ${group} ${parts}`];
  const encoded = async (groups: readonly string[]) =>
    Buffer.from((await madeRequest({ user: 'jane', groups })).request).toString('base64');
  const request = await encoded(['a']);
  const ask = (name: string, signerName: string, of = request) => ({
    send: `POST ${REQUESTS}`,
    body: {
      metadata: { name: `steps-${name}` },
      spec: { request: of, signerName, usages: ['client auth'] },
    },
  });
  const condition = (name: string, part: string, type: string) => ({
    send: `PATCH ${REQUESTS}/steps-${name}/${part}`,
    body: { status: { conditions: [{ type, status: 'True', reason: 'Test', message: '' }] } },
  });
  const refused = (verb: string, signer: string) =>
    `user not permitted to ${verb} requests with signerName "${signer}"`;
  return [
    ...grants({
      approver: [...own, `approve ${group} signers a.com/x`],
      'domain-approver': [...own, `approve ${group} signers a.com/*`],
      signer: [...own, `sign ${group} signers a.com/x`],
    }),
    { what: 'a request', ...ask('a', 'a.com/x'), code: 201 },
    { what: 'another', ...ask('b', 'a.com/y'), code: 201 },
    {
      what: 'approval by who may sign',
      as: 'signer',
      ...condition('a', 'approval', 'Approved'),
      code: 403,
      message: refused('approve', 'a.com/x'),
    },
    {
      what: 'approval by who may approve',
      as: 'approver',
      ...condition('a', 'approval', 'Approved'),
      code: 200,
    },
    {
      what: 'approval for another signer',
      as: 'approver',
      ...condition('b', 'approval', 'Approved'),
      code: 403,
      message: refused('approve', 'a.com/y'),
    },
    {
      what: 'denial by who may approve for the domain',
      as: 'domain-approver',
      ...condition('b', 'approval', 'Denied'),
      code: 200,
    },
    {
      what: 'a failure, by who may not sign',
      as: 'approver',
      ...condition('a', 'status', 'Failed'),
      code: 422,
      message:
        'CertificateSigningRequest.certificates.cluster.io "steps-a" is invalid: ' +
        'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    },
    {
      what: 'a label through the status, by who may not sign',
      as: 'approver',
      send: `PATCH ${REQUESTS}/steps-a/status`,
      body: { metadata: { labels: { a: 'b' } } },
      code: 200,
    },
    { what: 'one more request', ...ask('c', 'a.com/x'), code: 201 },
    {
      what: 'a failure, by who may not sign',
      as: 'approver',
      ...condition('c', 'status', 'Failed'),
      code: 403,
      message: refused('sign', 'a.com/x'),
    },
    {
      what: 'a failure, by who may sign',
      as: 'signer',
      ...condition('c', 'status', 'Failed'),
      code: 200,
    },
    {
      what: 'to be one who may do everything',
      ...ask('d', 'cluster.io/kube-apiserver-client', await encoded(['a', 'system:masters'])),
      code: 403,
      message:
        'use of cluster.io/kube-apiserver-client signer with system:masters group is not allowed',
    },
    {
      what: 'the same of another signer',
      ...ask('d', 'a.com/x', await encoded(['system:masters'])),
      code: 201,
    },
  ];
}
