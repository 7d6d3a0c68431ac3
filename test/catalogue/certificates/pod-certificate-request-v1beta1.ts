import type { KindCases } from '../../support/kind-cases.ts';
import { provenKey } from '../../support/trust-anchors.ts';
import { CASES as V1 } from './pod-certificate-request.ts';

const { stubPKCS10Request: _stub, ...REST } = (V1.minimal as { spec: Record<string, unknown> })
  .spec;
const SPEC = { ...REST, ...provenKey('uid-of-pod') };
const STORED = { ...SPEC, maxExpirationSeconds: 86_400, stubPKCS10Request: null };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'certificates.cluster.io/v1beta1',
  kind: 'PodCertificateRequest',
  minimal: { spec: SPEC },
  minimalStored: { spec: STORED, status: {} },
  full: { spec: SPEC },
  fullStored: { spec: STORED, status: {} },
  invalid: [
    [
      'key: signs the identifier of the pod',
      { spec: provenKey('another') },
      [
        'spec.proofOfPossession: Invalid value: ' +
          'could not verify proof-of-possession signature',
      ],
    ],
    [
      'key: can be read',
      { spec: { pkixPublicKey: 'AAAA' } },
      [
        'spec.pkixPublicKey: Invalid value: "AAAA": ' +
          'must be a valid PKIX-serialized public key',
      ],
    ],
  ],
};
