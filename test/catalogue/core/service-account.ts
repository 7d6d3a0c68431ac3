import type { KindCases } from '../../support/kind-cases.ts';

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  minimal: {},
  minimalStored: {},
  full: {
    secrets: [{ name: 'token', kind: 'Secret', namespace: 'other' }],
    imagePullSecrets: [{ name: 'registry' }],
    automountServiceAccountToken: false,
  },
  fullStored: {
    secrets: [{ name: 'token' }],
    imagePullSecrets: [{ name: 'registry' }],
    automountServiceAccountToken: false,
  },
  invalid: [
    [
      '3.7: DNS subdomain',
      { metadata: { name: 'a_b' } },
      [
        'metadata.name: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower ' +
          "case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric " +
          "character (e.g. 'example.com', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
  ],
};
