import type { Change, KindCases } from '../../support/kind-cases.ts';

const SUBDOMAIN_HINT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const WILDCARD_HINT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const BACKEND = { service: { name: 'web', port: { number: 80 } } };
const PATH = 'spec.rules[0].http.paths[0]';
const withPath = (path: object): Change => ({
  spec: {
    rules: [{ http: { paths: [{ path: '/', pathType: 'Exact', backend: BACKEND, ...path }] } }],
  },
});
const withBackend = (backend: object): Change => ({
  spec: { defaultBackend: { service: undefined, ...backend } },
});
const withHost = (host: string): Change => ({ spec: { rules: [{ host }] } });
const withTls = (tls: object): Change => ({ spec: { tls: [tls] } });

const FULL_SPEC = {
  ingressClassName: 'fast',
  defaultBackend: {
    resource: { apiGroup: 'storage.example.com', kind: 'Bucket', name: 'static' },
  },
  tls: [{ hosts: ['a.example.com', '*.b.example.com'], secretName: 'tls' }, {}],
  rules: [
    {
      host: 'a.example.com',
      http: {
        paths: [
          { path: '/a', pathType: 'Prefix', backend: BACKEND },
          {
            pathType: 'ImplementationSpecific',
            backend: { service: { name: 'web', port: { name: 'http' } } },
          },
        ],
      },
    },
    { host: '*.b.example.com' },
  ],
};

export const CASES: KindCases = {
  apiVersion: 'networking.cluster.io/v1',
  kind: 'Ingress',
  minimal: { spec: { defaultBackend: BACKEND } },
  minimalStored: { spec: { defaultBackend: BACKEND }, status: { loadBalancer: {} } },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: { loadBalancer: {} },
  },
  invalid: [
    [
      'a backend or rules',
      { spec: { defaultBackend: undefined } },
      [
        'spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified',
      ],
    ],
    [
      'a backend is a service or a resource',
      withBackend({}),
      ['spec.defaultBackend: Invalid value: "": resource or service backend is required'],
    ],
    [
      'not both',
      withBackend({ ...BACKEND, resource: { kind: 'a', name: 'a' } }),
      ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
    ],
    [
      'kind and name of a resource required',
      withBackend({ resource: { apiGroup: 'A' } }),
      [
        `spec.defaultBackend.resource.apiGroup: Invalid value: "A": ${SUBDOMAIN_HINT}`,
        'spec.defaultBackend.resource.kind: Required value: kind is required',
        'spec.defaultBackend.resource.name: Required value: name is required',
      ],
    ],
    [
      'they are parts of a path',
      withBackend({ resource: { kind: '.', name: 'a/b' } }),
      [
        `spec.defaultBackend.resource.kind: Invalid value: ".": may not be '.'`,
        `spec.defaultBackend.resource.name: Invalid value: "a/b": may not contain '/'`,
      ],
    ],
    [
      'name and port of a service required',
      withPath({ backend: { service: {} } }),
      [
        `${PATH}.backend.service.name: Required value`,
        `${PATH}.backend: Required value: port name or number is required`,
      ],
    ],
    [
      'the name of a service',
      withPath({ backend: { service: { name: '1', port: { name: '1' } } } }),
      [
        `${PATH}.backend.service.name: Invalid value: "1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        'spec.rules[0].http.paths[0].backend.service.port.name: Invalid value: "1": must contain at least one letter or number (a-z, 0-9)',
      ],
    ],
    [
      'a port has a number or a name',
      withBackend({ service: { name: 'web', port: { name: 'http', number: 80 } } }),
      ['spec.defaultBackend: Invalid value: "": cannot set both port name & port number'],
    ],
    [
      'the number of a port',
      withBackend({ service: { name: 'web', port: { number: 70_000 } } }),
      [
        'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'hosts are names',
      withHost('10.0.0.1'),
      ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
    ],
    [
      'hosts are valid names',
      withHost('A.example.com'),
      [`spec.rules[0].host: Invalid value: "A.example.com": ${SUBDOMAIN_HINT}`],
    ],
    [
      'a wildcard stands for the first part of a name',
      withHost('a.*.example.com'),
      [`spec.rules[0].host: Invalid value: "a.*.example.com": ${WILDCARD_HINT}`],
    ],
    [
      'paths required',
      { spec: { rules: [{ http: {} }] } },
      ['spec.rules[0].http.paths: Required value'],
    ],
    [
      'Ingress: pathType required',
      withPath({ pathType: undefined, path: 'a' }),
      [`${PATH}.pathType: Required value: pathType must be specified`],
    ],
    [
      'Ingress: Prefix, Exact, ImplementationSpecific',
      withPath({ pathType: 'Regex' }),
      [
        `${PATH}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
      ],
    ],
    [
      'a path is absolute',
      withPath({ path: 'a' }),
      [`${PATH}.path: Invalid value: "a": must be an absolute path`],
    ],
    [
      'an exact path is there',
      withPath({ path: '' }),
      [`${PATH}.path: Invalid value: "": must be an absolute path`],
    ],
    [
      'a path of another type may be left out, else it is absolute too',
      withPath({ pathType: 'ImplementationSpecific', path: 'a' }),
      [`${PATH}.path: Invalid value: "a": must be an absolute path`],
    ],
    [
      'a path is normal',
      withPath({ path: '//a/./b/../c%2f%2F/..' }),
      [
        ...['//', '/./', '/../', '%2f', '%2F'].map(
          (part) =>
            `${PATH}.path: Invalid value: "//a/./b/../c%2f%2F/..": must not contain '${part}'`,
        ),
        `${PATH}.path: Invalid value: "//a/./b/../c%2f%2F/..": cannot end with '/..'`,
      ],
    ],
    [
      'the backend of a path',
      withPath({ backend: {} }),
      [`${PATH}.backend: Invalid value: "": resource or service backend is required`],
    ],
    [
      'hosts of certificates',
      withTls({ hosts: ['*a', 'B'] }),
      [
        `spec.tls[0].hosts[0]: Invalid value: "*a": ${WILDCARD_HINT}`,
        `spec.tls[0].hosts[1]: Invalid value: "B": ${SUBDOMAIN_HINT}`,
      ],
    ],
    [
      'secrets of certificates',
      withTls({ secretName: '-' }),
      [`spec.tls[0].secretName: Invalid value: "-": ${SUBDOMAIN_HINT}`],
    ],
    [
      'ingressClassName',
      { spec: { ingressClassName: '' } },
      [`spec.ingressClassName: Invalid value: "": ${SUBDOMAIN_HINT}`],
    ],
    [
      'the class is named once',
      {
        metadata: { annotations: { 'cluster.io/ingress.class': 'a' } },
        spec: { ingressClassName: 'a' },
      },
      [
        'annotations.cluster.io/ingress.class: Invalid value: "a": can not be set when the class field is also set',
      ],
    ],
  ],
  updates: [
    ['all of it may change', {}, withTls({ secretName: 'b' }), []],
    [
      'secrets of certificates stay valid',
      {},
      withTls({ secretName: '-' }),
      [`spec.tls[0].secretName: Invalid value: "-": ${SUBDOMAIN_HINT}`],
    ],
    [
      'an update may name the class twice',
      { metadata: { annotations: { 'cluster.io/ingress.class': 'a' } } },
      { spec: { ingressClassName: 'b' } },
      [],
    ],
  ],
  statusUpdates: [
    [
      'addresses of load balancers',
      {},
      {
        status: {
          loadBalancer: { ingress: [{ ip: '203.0.113.8' }, { hostname: 'b.example.com' }] },
        },
      },
      [],
    ],
    [
      'an address is an address, a name is a name',
      {},
      { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: 'B' }] } } },
      [
        'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address',
        `status.loadBalancer.ingress[1].hostname: Invalid value: "B": ${SUBDOMAIN_HINT}`,
      ],
    ],
  ],
};
