/** Who may approve and sign requests for certificates, and what nobody may ask for. */
import t from 'tap';
import type { Proposal } from '../../src/admission/proposal.ts';
import { CertificateApproval } from '../../src/admission/plugins/certificates/approval.ts';
import { CertificateSigning } from '../../src/admission/plugins/certificates/signing.ts';
import { CERTIFICATE_SUBJECT_RESTRICTION } from '../../src/admission/plugins/certificates/subject-restriction.ts';
import { admissionContext, proposed } from '../support/proposals.ts';
import { person, rbacOf } from '../support/rbac.ts';
import { madeRequest } from '../support/signing-requests.ts';
import { refusal } from '../support/thrown-status.ts';

const REQUESTS = 'certificates.cluster.io certificatesigningrequests';
const GROUP = 'certificates.cluster.io';
const APPROVED = { type: 'Approved', status: 'True' };

/** Everybody may `verb` the signers that have their name, `all of a.com` all of its domain. */
function contextFor(verb: string) {
  const rights = { jane: 'a.com/x', joe: 'b.com/x', 'all of a.com': 'a.com/*' };
  const names = Object.keys(rights);
  const { rbac } = rbacOf({
    clusterroles: Object.entries(rights).map(([name, signer]) => ({
      name,
      rules: [
        { verbs: [verb], apiGroups: [GROUP], resources: ['signers'], resourceNames: [signer] },
      ],
    })),
    clusterrolebindings: names.map((name) => ({
      name,
      subjects: [{ kind: 'User', name }],
      roleRef: { kind: 'ClusterRole', name },
    })),
  });
  return admissionContext({ authorizer: () => rbac });
}

function changed(part: string, user: string, status: object, stored: object = {}): Proposal {
  const metadata = { name: 'r' };
  const request = { metadata, spec: { signerName: 'a.com/x' } };
  return proposed(`UPDATE ${REQUESTS}/${part}`, {
    user: person(user),
    object: { ...request, spec: { signerName: 'b.com/x' }, status },
    oldObject: { ...request, status: stored },
  });
}

t.test('approving takes the right to the signer or its domain', async (t) => {
  const plugin = new CertificateApproval(contextFor('approve'));
  const ask = (user: string) =>
    plugin.validate(changed('approval', user, { conditions: [APPROVED] }));
  await t.resolves(ask('jane'));
  await t.resolves(ask('all of a.com'));
  for (const user of ['joe', 'nobody']) {
    t.match(await refusal(ask(user)), {
      code: 403,
      message:
        'certificatesigningrequests.certificates.cluster.io "r" is forbidden: ' +
        'user not permitted to approve requests with signerName "a.com/x"',
    });
  }
});

t.test('signing takes the right, and other changes of the status do not', async (t) => {
  const plugin = new CertificateSigning(contextFor('sign'));
  const rows: readonly (readonly [string, object, object, boolean])[] = [
    ['a certificate', { certificate: 'AA==' }, {}, true],
    ['another one', { certificate: 'AA==' }, { certificate: 'AQ==' }, true],
    ['a condition', { conditions: [{ type: 'Failed', status: 'True' }] }, {}, true],
    [
      'nothing',
      { certificate: 'AA==', conditions: [APPROVED] },
      { certificate: 'AA==', conditions: [APPROVED] },
      false,
    ],
    ['none for none', { certificate: '', conditions: [] }, {}, false],
  ];
  for (const [what, status, stored, isRefused] of rows) {
    const ask = async (user: string) => plugin.validate(changed('status', user, status, stored));
    await t.resolves(ask('jane'), what);
    if (!isRefused) {
      await t.resolves(ask('joe'), what);
      continue;
    }
    t.equal(
      (await refusal(ask('joe'))).message,
      'certificatesigningrequests.certificates.cluster.io "r" is forbidden: ' +
        'user not permitted to sign requests with signerName "a.com/x"',
      what,
    );
  }
});

t.test('nobody asks to be one who may do everything', async (t) => {
  const encoded = async (groups: readonly string[]) =>
    Buffer.from((await madeRequest({ user: 'jane', groups })).request).toString('base64');
  const ask = async (signer: string, request: string) =>
    CERTIFICATE_SUBJECT_RESTRICTION.validate?.(
      proposed(`CREATE ${REQUESTS}`, {
        object: { metadata: { name: 'r' }, spec: { signerName: signer, request } },
      }),
    );
  const master = await encoded(['a', 'system:masters']);
  await t.resolves(ask('cluster.io/kube-apiserver-client', await encoded(['a'])));
  await t.resolves(ask('cluster.io/kube-apiserver-client-kubelet', master));
  t.equal(
    (await refusal(ask('cluster.io/kube-apiserver-client', master))).message,
    'certificatesigningrequests.certificates.cluster.io "r" is forbidden: ' +
      'use of cluster.io/kube-apiserver-client signer with system:masters group is not allowed',
  );
  const garbage = Buffer.from(
    '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
  ).toString('base64');
  t.match(await refusal(ask('cluster.io/kube-apiserver-client', garbage)), {
    code: 403,
    message: /"r" is forbidden: failed to parse CSR: ./,
  });
});
