import type { Change, KindCases } from '../../support/kind-cases.ts';

/** A request and a certificate of no one, as DER in base64. */
const REQUEST_DER =
  'MIHJMHACAQAwDjEMMAoGA1UEAwwDd2ViMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEitd4x8EbDOUxudgbpa5j' +
  'wKvjd42++M3oPIwJ60HHEJdmchcMFCFZVkrtlOsTMJJm7Px4ddIxaifqP3RpByvvE6AAMAoGCCqGSM49BAMCA0kA' +
  'MEYCIQDIaOHki6nWRc4GkGQNtcgYkPJ7WSn954lLvAGqZp0oeAIhAPqMHrAo7g2LC2xCOC4K5L5d3bWiAXwqL0dL' +
  '5hx1T9zy';
const CERTIFICATE_DER =
  'MIIBczCCARmgAwIBAgIUV/4N0dvJpFKiHFfY+HR3l8aJnpYwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDd2ViMCAX' +
  'DTI2MTEyMTEyMzMxOFoYDzIxMjYxMDI4MTIzMzE4WjAOMQwwCgYDVQQDDAN3ZWIwWTATBgcqhkjOPQIBBggqhkjO' +
  'PQMBBwNCAAQGwLmepbNzbytGyKmI16hY9y+SUQLU95rTwc9yDKucaHkbgqUp2dLlZiMi2crIllMztytHcm00Nye5' +
  'v62hzK8fo1MwUTAdBgNVHQ4EFgQUowXOaSRHKeqY/K51JDaia/+g/dgwHwYDVR0jBBgwFoAUowXOaSRHKeqY/K51' +
  'JDaia/+g/dgwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAvTY/rhCKb2AJ2UFelktDUEDp6O/z' +
  'EipX63CXcsJUvTQCIBKbrw00X/JEfQmcsr8egPXgQxwfmeoZwaNkyVkZRDCh';

/** A block of PEM, as the base64 of its text. */
function pem(type: string, der: string, headers = ''): string {
  const text = `-----BEGIN ${type}-----\n${headers}${der}\n-----END ${type}-----\n`;
  return Buffer.from(text).toString('base64');
}

const REQUEST = pem('CERTIFICATE REQUEST', REQUEST_DER);
/** For another name than the signature. */
const OTHERS_REQUEST = pem('CERTIFICATE REQUEST', REQUEST_DER.replace('d2Vi', 'd2Vj'));
const CERTIFICATE = pem('CERTIFICATE', CERTIFICATE_DER);
const SPEC = { request: REQUEST, signerName: 'example.com/serving', usages: ['server auth'] };
const TIME = '2024-01-01T00:00:00Z';
const APPROVED = {
  type: 'Approved',
  status: 'True',
  lastUpdateTime: TIME,
  lastTransitionTime: TIME,
};
const spec = (members: Change): Change => ({ spec: members });
const conditions = (...list: Change[]): Change => ({ status: { conditions: list } });
const certificate = (text: string): Change => ({ status: { certificate: text } });
const REFUSED = 'status.certificate: Invalid value: "<certificate data>": ';
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for " +
  "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** Whoever the tests are. */
const ASKED_BY = {
  username: 'admin',
  uid: 'admin',
  groups: ['system:masters', 'system:authenticated'],
};

export const CASES: KindCases = {
  apiVersion: 'certificates.cluster.io/v1',
  kind: 'CertificateSigningRequest',
  minimal: { spec: SPEC },
  minimalStored: { spec: { ...SPEC, ...ASKED_BY }, status: {} },
  // Who asks is set by the server, whatever the client says.
  full: {
    spec: {
      ...SPEC,
      expirationSeconds: 600,
      usages: ['client auth', 'digital signature'],
      username: 'someone',
      uid: '1',
      groups: ['a'],
      extra: { a: ['b'] },
    },
  },
  fullStored: {
    spec: {
      ...SPEC,
      expirationSeconds: 600,
      usages: ['client auth', 'digital signature'],
      ...ASKED_BY,
    },
    status: {},
  },
  invalid: [
    [
      'request: PEM of a request',
      spec({ request: CERTIFICATE }),
      [
        `spec.request: Invalid value: "${CERTIFICATE}": ` +
          'PEM block type must be CERTIFICATE REQUEST',
      ],
    ],
    [
      'request: required',
      spec({ request: undefined }),
      ['spec.request: Invalid value: "": PEM block type must be CERTIFICATE REQUEST'],
    ],
    [
      'request: DER of a request',
      spec({ request: pem('CERTIFICATE REQUEST', 'YWJj') }),
      [
        `spec.request: Invalid value: "${pem('CERTIFICATE REQUEST', 'YWJj')}": ` +
          "asn1: structure error: tags don't match (16 vs {class:1 tag:1 length:98 " +
          'isCompound:true}) {optional:false explicit:false application:false private:false ' +
          'defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} ' +
          'certificateRequest @2',
      ],
    ],
    [
      'request: nothing is in it',
      spec({ request: pem('CERTIFICATE REQUEST', 'MAA=') }),
      [
        `spec.request: Invalid value: "${pem('CERTIFICATE REQUEST', 'MAA=')}": ` +
          'asn1: syntax error: sequence truncated',
      ],
    ],
    [
      'request: signed with its own key',
      spec({ request: OTHERS_REQUEST }),
      [`spec.request: Invalid value: "${OTHERS_REQUEST}": x509: ECDSA verification failure`],
    ],
    [
      'spec.usages required',
      spec({ usages: [] }),
      ['spec.usages: Required value: usages must be provided'],
    ],
    [
      'usages unique and known',
      spec({ usages: ['any', 'none', 'any'] }),
      [
        'spec.usages[1]: Unsupported value: "none": supported values: "any", "cert sign", ' +
          '"client auth", "code signing", "content commitment", "crl sign", ' +
          '"data encipherment", "decipher only", "digital signature", "email protection", ' +
          '"encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", ' +
          '"key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", ' +
          '"server auth", "signing", "timestamping"',
        'spec.usages[2]: Duplicate value: "any"',
      ],
    ],
    [
      'spec.signerName required',
      spec({ signerName: '' }),
      ['spec.signerName: Required value: signerName must be provided'],
    ],
    [
      'legacy-unknown signer not creatable',
      spec({ signerName: 'cluster.io/legacy-unknown' }),
      [
        'spec.signerName: Invalid value: "cluster.io/legacy-unknown": ' +
          'the legacy signerName is not allowed via this API version',
      ],
    ],
    [
      'request: form of signers',
      spec({ signerName: 'a' }),
      [
        'spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the ' +
          "form 'example.com/signer-name'",
      ],
    ],
    [
      'request: domain of signers',
      spec({ signerName: 'A/b' }),
      [
        `spec.signerName: Invalid value: "A": validating label "A": ${LABEL}`,
        'spec.signerName: Invalid value: "A": ' +
          'should be a domain with at least two segments separated by dots',
      ],
    ],
    [
      'request: expirationSeconds',
      spec({ expirationSeconds: 599 }),
      [
        'spec.expirationSeconds: Invalid value: 599: ' +
          'may not specify a duration less than 600 seconds (10 minutes)',
      ],
    ],
  ],
  updates: [['request: spec is kept', {}, spec({ usages: [], signerName: 'a' }), []]],
  statusUpdates: [
    ['request: a certificate', {}, certificate(CERTIFICATE), []],
    [
      'status.certificate with only CERTIFICATE blocks',
      {},
      certificate(REQUEST),
      [`${REFUSED}only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"`],
    ],
    [
      'status.certificate PEM',
      {},
      certificate('YWJj'),
      [
        'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
      ],
    ],
    [
      'request: no headers',
      {},
      certificate(pem('CERTIFICATE', CERTIFICATE_DER, 'A: b\n\n')),
      [`${REFUSED}no PEM block headers are permitted`],
    ],
    [
      'request: an empty block',
      {},
      certificate(pem('CERTIFICATE', '')),
      [`${REFUSED}found CERTIFICATE PEM block containing 0 certificates`],
    ],
    [
      'request: no certificate at all',
      {},
      certificate(pem('CERTIFICATE', REQUEST_DER)),
      [`${REFUSED}x509: malformed certificate`],
    ],
    [
      'condition types unique',
      {},
      conditions({ type: 'A', status: 'True' }, { type: 'A', status: 'False' }),
      ['status.conditions[1].type: Duplicate value: "A"'],
    ],
    [
      'condition status required',
      {},
      conditions({ type: 'A' }, { status: 'True' }),
      ['status.conditions[0].status: Required value', 'status.conditions[1].type: Required value'],
    ],
    [
      'request: values of condition status',
      {},
      conditions({ type: 'A', status: 'Maybe' }, { type: 'Failed', status: 'False' }),
      [
        'status.conditions[0].status: Unsupported value: "Maybe": ' +
          'supported values: "False", "True", "Unknown"',
        'status.conditions[1].status: Unsupported value: "False": supported values: "True"',
      ],
    ],
    [
      'request: approval is another subresource',
      {},
      conditions(APPROVED),
      ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'],
    ],
  ],
};
