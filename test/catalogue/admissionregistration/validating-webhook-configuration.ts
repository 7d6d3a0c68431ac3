import type { Change, KindCases } from '../../support/kind-cases.ts';

const WEBHOOK = {
  name: 'a.example.com',
  // Nobody is there, which is found at once.
  clientConfig: { url: 'https://127.0.0.1:1/hook' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const STORED = {
  ...WEBHOOK,
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const FULL = {
  name: 'a.b.example.com',
  clientConfig: {
    service: { namespace: 'a', name: 'b', path: '/c/d', port: 8443 },
    caBundle: 'YWJj',
  },
  rules: [
    { ...RULE, operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], scope: 'Namespaced' },
    { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' },
    { ...RULE, resources: ['*', 'pods/log', '*/scale'], scope: 'Cluster' },
  ],
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: { matchLabels: { a: 'b' } },
  objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  sideEffects: 'NoneOnDryRun',
  timeoutSeconds: 30,
  admissionReviewVersions: ['v1beta1', 'v1', 'v9'],
};
const webhook = (members: object): Change => ({ webhooks: [{ ...WEBHOOK, ...members }] });
const rule = (members: object): Change => webhook({ rules: [{ ...RULE, ...members }] });
const service = (members: object): Change =>
  webhook({ clientConfig: { service: { namespace: 'a', name: 'b', ...members } } });
const FORM = '; desired format: https://host[/path]';

export const CASES: KindCases = {
  apiVersion: 'admissionregistration.cluster.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  minimal: { webhooks: [WEBHOOK] },
  minimalStored: { webhooks: [STORED] },
  full: { webhooks: [FULL] },
  invalid: [
    ['12.2: name required', webhook({ name: '' }), ['webhooks[0].name: Required value']],
    [
      '12.2: three segments',
      webhook({ name: 'a.b' }),
      [
        'webhooks[0].name: Invalid value: "a.b": ' +
          'should be a domain with at least three segments separated by dots',
      ],
    ],
    [
      'name unique in the list',
      { webhooks: [WEBHOOK, WEBHOOK] },
      ['webhooks[1].name: Duplicate value: "a.example.com"'],
    ],
    [
      '12.2: url or service',
      webhook({ clientConfig: {} }),
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      '12.2: not both',
      webhook({ clientConfig: { url: 'https://a', service: { namespace: 'a', name: 'b' } } }),
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      '12.2: https',
      webhook({ clientConfig: { url: 'http://a/b' } }),
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": ' +
          `'https' is the only allowed URL scheme${FORM}`,
      ],
    ],
    [
      '12.2: no user, query, fragment',
      webhook({ clientConfig: { url: 'https://u@a/b?c=d#e' } }),
      [
        'webhooks[0].clientConfig.url: Invalid value: "u": ' +
          'user information is not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "e": ' +
          'fragments are not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "c=d": ' +
          'query parameters are not permitted in the URL',
      ],
    ],
    [
      '12.2: host',
      webhook({ clientConfig: { url: 'https:///b' } }),
      [
        'webhooks[0].clientConfig.url: Invalid value: "": host must be provided; desired format: https://host[/path]',
      ],
    ],
    [
      '12.2: names of the service',
      service({ name: '', namespace: '' }),
      [
        'webhooks[0].clientConfig.service.name: Required value: service name is required',
        'webhooks[0].clientConfig.service.namespace: Required value: ' +
          'service namespace is required',
      ],
    ],
    [
      'reference: a missing name is told as a missing namespace',
      service({ name: '' }),
      [
        'webhooks[0].clientConfig.service.namespace: Required value: ' +
          'service namespace is required',
      ],
    ],
    [
      '12.2: port of the service',
      service({ port: 0 }),
      [
        'webhooks[0].clientConfig.service.port: Invalid value: 0: ' +
          'port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      '12.2: path of the service',
      service({ path: 'a//b' }),
      [
        'webhooks[0].clientConfig.service.path: Invalid value: "a//b": must start with a \'/\'',
        'webhooks[0].clientConfig.service.path: Invalid value: "a//b": segment[0] may not be empty',
        'webhooks[0].clientConfig.service.path: Invalid value: "a//b": segment[1] may not be empty',
      ],
    ],
    [
      '12.2: rules say all',
      webhook({ rules: [{}] }),
      [
        'webhooks[0].rules[0].operations: Required value',
        'webhooks[0].rules[0].apiGroups: Required value',
        'webhooks[0].rules[0].apiVersions: Required value',
        'webhooks[0].rules[0].resources: Required value',
      ],
    ],
    [
      '12.2: operations',
      rule({ operations: ['GET'] }),
      [
        'webhooks[0].rules[0].operations[0]: Unsupported value: "GET": ' +
          'supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
    ],
    [
      '12.2: all is all',
      rule({ apiGroups: ['*', 'apps'] }),
      [
        'webhooks[0].rules[0].apiGroups: Invalid value: []string{"*", "apps"}: ' +
          "if '*' is present, must not specify other API groups",
      ],
    ],
    [
      '12.2: versions are not empty',
      rule({ apiVersions: [''] }),
      ['webhooks[0].rules[0].apiVersions[0]: Required value'],
    ],
    [
      '12.2: covered resources',
      rule({ resources: ['pods/*', 'pods/log'] }),
      [
        'webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": ' +
          "if 'pods/*' is present, must not specify pods/log",
      ],
    ],
    [
      '12.2: all resources',
      rule({ resources: ['*', 'pods'] }),
      [
        'webhooks[0].rules[0].resources: Invalid value: []string{"*", "pods"}: ' +
          "if '*' is present, must not specify other resources without subresources",
      ],
    ],
    [
      '12.2: scope',
      rule({ scope: 'All' }),
      [
        'webhooks[0].rules[0].scope: Unsupported value: "All": ' +
          'supported values: "*", "Cluster", "Namespaced"',
      ],
    ],
    [
      '12.2: failurePolicy',
      webhook({ failurePolicy: 'Retry' }),
      [
        'webhooks[0].failurePolicy: Unsupported value: "Retry": ' +
          'supported values: "Fail", "Ignore"',
      ],
    ],
    [
      '12.2: matchPolicy',
      webhook({ matchPolicy: 'Some' }),
      [
        'webhooks[0].matchPolicy: Unsupported value: "Some": ' +
          'supported values: "Equivalent", "Exact"',
      ],
    ],
    [
      'sideEffects required',
      webhook({ sideEffects: undefined }),
      ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    ],
    [
      'sideEffects only None or NoneOnDryRun',
      webhook({ sideEffects: 'Some' }),
      [
        'webhooks[0].sideEffects: Unsupported value: "Some": ' +
          'supported values: "None", "NoneOnDryRun"',
      ],
    ],
    [
      '12.2: timeoutSeconds 1 to 30',
      webhook({ timeoutSeconds: 31 }),
      [
        'webhooks[0].timeoutSeconds: Invalid value: 31: ' +
          'the timeout value must be between 1 and 30 seconds',
      ],
    ],
    [
      'admissionReviewVersions required',
      webhook({ admissionReviewVersions: [] }),
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      'review versions v1, v1beta1',
      webhook({ admissionReviewVersions: ['v2', 'v2'] }),
      [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
        'webhooks[0].admissionReviewVersions: Invalid value: []string{"v2", "v2"}: ' +
          'must include at least one of v1, v1beta1',
      ],
    ],
  ],
  updates: [['12.2: may change', {}, webhook({ timeoutSeconds: 5 }), []]],
};
