import type { Change, KindCases } from '../../support/kind-cases.ts';
import { stubRequest } from '../../support/trust-anchors.ts';

const STUB = await stubRequest();
const SPEC = {
  signerName: 'example.com/signer',
  podName: 'pod',
  podUID: 'uid-of-pod',
  serviceAccountName: 'account',
  serviceAccountUID: 'uid-of-account',
  nodeName: 'node',
  nodeUID: 'uid-of-node',
  stubPKCS10Request: STUB,
};
const TIME = '2024-01-01T00:00:00Z';
const spec = (members: Change): Change => ({ spec: members });
const condition = (type: string, status = 'True'): object => ({
  type,
  status,
  reason: 'A',
  message: '',
  lastTransitionTime: TIME,
});
const conditions = (...all: readonly object[]): Change => ({ status: { conditions: all } });
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
  "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'certificates.cluster.io/v1',
  kind: 'PodCertificateRequest',
  minimal: spec(SPEC),
  minimalStored: { ...spec({ ...SPEC, maxExpirationSeconds: 86_400 }), status: {} },
  full: spec({
    ...SPEC,
    maxExpirationSeconds: 3600,
    unverifiedUserAnnotations: { 'example.com/a': 'b' },
  }),
  fullStored: {
    ...spec({
      ...SPEC,
      maxExpirationSeconds: 3600,
      unverifiedUserAnnotations: { 'example.com/a': 'b' },
    }),
    status: {},
  },
  invalid: [
    ['request: of a signer', spec({ signerName: '' }), ['spec.signerName: Required value']],
    [
      'request: for a pod with names and identifiers',
      spec({ podName: 'A', podUID: '', serviceAccountUID: '', nodeUID: 'x'.repeat(129) }),
      [
        `spec.podName: Invalid value: "A": ${SUBDOMAIN}`,
        'spec.podUID: Invalid value: "": must not be empty',
        'spec.serviceAccountUID: Invalid value: "": must not be empty',
        'spec.nodeUID: Too long: may not be more than 128 bytes',
      ],
    ],
    [
      'request: for an hour at least',
      spec({ maxExpirationSeconds: 3599 }),
      ['spec.maxExpirationSeconds: Invalid value: 3599: must be in the range [3600, 7862400]'],
    ],
    [
      'request: of the signers of the system for a day at most',
      spec({ signerName: 'cluster.io/a', maxExpirationSeconds: 86_401 }),
      ['spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]'],
    ],
    [
      'request: what is said has domains',
      spec({ unverifiedUserAnnotations: { A: 'b' } }),
      [
        'spec.unverifiedUserAnnotations: Invalid value: "a": ' +
          'must be a domain-prefixed key (such as "acme.io/foo")',
      ],
    ],
    [
      'request: has a key',
      spec({ stubPKCS10Request: undefined }),
      [
        'spec: Invalid value: ' +
          'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
      ],
    ],
    [
      'request: in a request',
      spec({ stubPKCS10Request: 'AAAA' }),
      ['spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR'],
    ],
    [
      'request: that is signed',
      spec({ stubPKCS10Request: withLastByteChanged(STUB) }),
      ['spec.stubPKCS10Request: Invalid value: invalid signature'],
    ],
  ],
  statusUpdates: [
    [
      'decision: looked at where the metadata is right',
      {},
      { metadata: { deletionGracePeriodSeconds: 1 }, ...conditions(condition('Other')) },
      ['metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable'],
    ],
    ['decision: denied', {}, conditions(condition('Denied')), []],
    [
      'decision: one, which holds',
      {},
      conditions(condition('Denied'), condition('Failed', 'False'), condition('Other')),
      [
        'status.conditions.[1].type: Invalid value: "Failed": ' +
          'There may be at most one condition with type "Issued", "Denied", or "Failed"',
        'status.conditions.[1].status: Unsupported value: "False": supported values: "True"',
        'status.conditions.[2].type: Unsupported value: "Other": ' +
          'supported values: "Issued", "Denied", "Failed"',
      ],
    ],
    [
      'decision: with nothing else where it is against',
      {},
      { status: { conditions: [condition('Failed')], certificateChain: 'a' } },
      [
        'status: Invalid value: non-condition status fields must be empty when denying or ' +
          'failing the PodCertificateRequest',
      ],
    ],
    [
      'decision: nothing without it',
      {},
      { status: { certificateChain: 'a' } },
      [
        'status: Invalid value: ' +
          'status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
      ],
    ],
    [
      'decision: a certificate',
      {},
      conditions(condition('Issued')),
      [
        'status.certificateChain: Invalid value: "": ' +
          'issued certificate chain must contain at least one certificate',
      ],
    ],
  ],
};

function withLastByteChanged(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  return bytes.toString('base64');
}
