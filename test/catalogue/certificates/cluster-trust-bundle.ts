import type { Change, KindCases } from '../../support/kind-cases.ts';
import { certificatePem } from '../../support/trust-anchors.ts';

const ANCHOR = await certificatePem(true);
const NOBODY = await certificatePem(false);
const bundle = (trustBundle: string): Change => ({ spec: { trustBundle } });
const problem = (text: string): string =>
  `spec.trustBundle: Invalid value: "<value omitted>": ${text}`;

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'certificates.cluster.io/v1',
  kind: 'ClusterTrustBundle',
  minimal: bundle(ANCHOR),
  minimalStored: bundle(ANCHOR),
  full: bundle(`here\n${ANCHOR}\nand there\n`),
  invalid: [
    [
      'the beginning of a name is one of a bundle',
      { metadata: { generateName: 'a:b' } },
      [
        'metadata.generateName: Invalid value: "a:b": ' +
          'ClusterTrustBundle without signer name must not have ":" in its name',
      ],
    ],
    [
      'bundle: of a signer',
      { metadata: { name: 'example.com:signer:a' }, spec: { signerName: 'example.com/signer' } },
      [],
    ],
    [
      'bundle: named like it',
      { metadata: { name: 'a' }, spec: { signerName: 'example.com/signer' } },
      [
        'metadata.name: Invalid value: "a": ClusterTrustBundle for signerName ' +
          'example.com/signer must be named with prefix example.com:signer:',
      ],
    ],
    [
      'bundle: without a signer no colon',
      { metadata: { name: 'a:b' } },
      [
        'metadata.name: Invalid value: "a:b": ' +
          'ClusterTrustBundle without signer name must not have ":" in its name',
      ],
    ],
    [
      'bundle: a signer has a domain',
      { metadata: { name: 'a:b:c' }, spec: { signerName: 'a/b' } },
      [
        'spec.signerName: Invalid value: "a": ' +
          'should be a domain with at least two segments separated by dots',
      ],
    ],
    ['bundle: not empty', bundle(''), [problem('at least one trust anchor must be provided')]],
    [
      'bundle: certificates of authorities alone',
      bundle(`${NOBODY}\n${ANCHOR.replaceAll('CERTIFICATE', 'KEY')}`),
      [problem('entry 0 does not have the CA bit set'), problem('entry 1 has bad block type: KEY')],
    ],
    [
      'bundle: that can be read',
      bundle('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      [problem('entry 0 does not parse as X.509')],
    ],
    [
      'bundle: without headers',
      bundle(ANCHOR.replace('\n', '\nA: b\n\n')),
      [problem('entry 0 has PEM block headers')],
    ],
    [
      'bundle: each once',
      bundle(`${ANCHOR}\n${ANCHOR}`),
      [problem('duplicate trust anchor (indices [0 1])')],
    ],
    [
      'bundle: of a mebibyte at most',
      bundle(ANCHOR + ' '.repeat(1_048_576)),
      ['spec.trustBundle: Too long: may not be more than 1048576 bytes'],
    ],
  ],
  updates: [
    [
      'bundle: keeps its signer',
      { metadata: { name: 'example.com:signer:b' }, spec: { signerName: 'example.com/signer' } },
      { metadata: { name: 'example.com:signer:b' }, spec: { signerName: 'example.com/other' } },
      [
        'metadata.name: Invalid value: "example.com:signer:b": ClusterTrustBundle for ' +
          'signerName example.com/other must be named with prefix example.com:other:',
        'spec.signerName: Invalid value: "example.com/other": field is immutable',
      ],
    ],
  ],
};
