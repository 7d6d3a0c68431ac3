import type { KindCases } from '../../support/kind-cases.ts';

const SUBDOMAIN_HINT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const PREFIXED = 'must be a domain-prefixed path (such as "acme.io/foo")';

const PARAMETERS = { kind: 'Parameters', name: 'a' };

export const CASES: KindCases = {
  apiVersion: 'networking.cluster.io/v1',
  kind: 'IngressClass',
  minimal: { spec: { controller: 'example.com/controller' } },
  minimalStored: { spec: { controller: 'example.com/controller' } },
  full: {
    spec: {
      controller: 'example.com/controllers/fast',
      parameters: {
        apiGroup: 'example.com',
        kind: 'Parameters',
        name: 'fast',
        scope: 'Namespace',
        namespace: 'default',
      },
    },
  },
  invalid: [
    ['scope defaults to Cluster', { spec: { parameters: PARAMETERS } }, []],
    ['controller required', { spec: { controller: '' } }, ['spec.controller: Required value']],
    [
      'a controller is a path below a domain',
      { spec: { controller: 'example.com' } },
      [`spec.controller: Invalid value: "example.com": ${PREFIXED}`],
    ],
    [
      'both parts of it are there',
      { spec: { controller: '/controller' } },
      [`spec.controller: Invalid value: "/controller": ${PREFIXED}`],
    ],
    [
      'both parts of it are valid',
      { spec: { controller: 'Example.com/#' } },
      [
        `spec.controller: Invalid value: "Example.com": ${SUBDOMAIN_HINT}`,
        `spec.controller: Invalid value: "#": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
      ],
    ],
    [
      'a controller has at most 250 bytes',
      { spec: { controller: `example.com/${'a'.repeat(239)}` } },
      ['spec.controller: Too long: must have at most 250 bytes'],
    ],
    [
      'kind and name of parameters required',
      { spec: { parameters: {} } },
      [
        'spec.parameters.kind: Required value: kind is required',
        'spec.parameters.name: Required value: name is required',
      ],
    ],
    [
      'members of parameters',
      { spec: { parameters: { apiGroup: 'A', kind: 'a/b', name: '..', scope: 'Node' } } },
      [
        `spec.parameters.apiGroup: Invalid value: "A": ${SUBDOMAIN_HINT}`,
        'spec.parameters.scope: Unsupported value: "Node": supported values: "Cluster", "Namespace"',
        `spec.parameters.kind: Invalid value: "a/b": may not contain '/'`,
        `spec.parameters.name: Invalid value: "..": may not be '..'`,
      ],
    ],
    [
      'parameters in a namespace name it',
      { spec: { parameters: { ...PARAMETERS, scope: 'Namespace' } } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      'others do not',
      { spec: { parameters: { ...PARAMETERS, namespace: 'default' } } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [
      'the name of a namespace is a label',
      { spec: { parameters: { ...PARAMETERS, scope: 'Namespace', namespace: 'a.b' } } },
      [
        `spec.parameters.namespace: Invalid value: "a.b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
  ],
  updates: [
    ['parameters may change', {}, { spec: { parameters: PARAMETERS } }, []],
    [
      'controller immutable',
      {},
      { spec: { controller: 'example.com/other' } },
      ['spec.controller: Invalid value: "example.com/other": field is immutable'],
    ],
  ],
};
