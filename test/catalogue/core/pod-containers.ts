// Rows of kind Pod on its containers.
import type { KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT } from '../../support/name-hints.ts';
import {
  CONTAINER,
  CONTAINER_DEFAULTS,
  MINIMAL,
  containerRow as row,
  MINIMAL_STORED,
  MOUNTED_VOLUMES,
  POD_DEFAULTS,
  spec,
} from '../../support/pod-cases.ts';

const NOT_INIT = 'must not be set for init containers';
const PORT = 'must be between 1 and 65535, inclusive';

const exec = { exec: { command: ['true'] } };
const http = { httpGet: { port: 'web' } };

const PROBE_DEFAULTS = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};
const probe = { ...exec, ...PROBE_DEFAULTS };

const FULL_SENT = {
  ...CONTAINER,
  command: ['run'],
  args: ['--now'],
  workingDir: '/w',
  ports: [
    { name: 'web', containerPort: 80, hostPort: 8080, protocol: 'TCP', hostIP: '10.0.0.1' },
    { containerPort: 80, hostPort: 8080, protocol: 'UDP' },
  ],
  envFrom: [
    { prefix: 'P_', configMapRef: { name: 'c', optional: true } },
    { secretRef: { name: 's' } },
  ],
  env: [
    { name: 'PLAIN', value: 'v' },
    { name: 'FIELD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIPs' } } },
    {
      name: 'LABEL',
      valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['example.com/a']" } },
    },
    {
      name: 'LIMIT',
      valueFrom: {
        resourceFieldRef: { containerName: 'app', resource: 'limits.memory', divisor: '1Mi' },
      },
    },
    { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: false } } },
    { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ],
  resources: {
    limits: { cpu: '1', memory: '1Gi', 'example.com/gpu': '2' },
    requests: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '2' },
  },
  volumeMounts: [
    { name: 'data', mountPath: '/data', subPath: 'a/b', readOnly: true },
    { name: 'data', mountPath: '/more', subPathExpr: '$(A)', mountPropagation: 'Bidirectional' },
  ],
  volumeDevices: [{ name: 'raw', devicePath: '/dev/raw' }],
  livenessProbe: { ...probe, initialDelaySeconds: 1 },
  readinessProbe: {
    httpGet: {
      path: '/ready',
      port: 'web',
      host: 'h',
      scheme: 'HTTPS',
      httpHeaders: [{ name: 'X-A', value: 'a' }],
    },
    ...PROBE_DEFAULTS,
    successThreshold: 2,
  },
  startupProbe: { tcpSocket: { port: 80, host: 'h' }, ...PROBE_DEFAULTS },
  lifecycle: { postStart: exec, preStop: { httpGet: { path: '/', port: 1, scheme: 'HTTP' } } },
  terminationMessagePath: '/log',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  imagePullPolicy: 'Never',
  securityContext: {
    capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    privileged: true,
    seLinuxOptions: { level: 's0' },
    windowsOptions: { runAsUserName: 'NT\\me' },
    runAsUser: 0,
    runAsGroup: 1,
    runAsNonRoot: false,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: true,
    procMount: 'Default',
    seccompProfile: { type: 'RuntimeDefault' },
  },
  stdin: true,
  stdinOnce: true,
  tty: true,
};

const NAMES_AND_PORTS: KindCases['invalid'] = [
  row('a container has a name', { name: undefined }, 'name: Required value'),
  row('which is a label', { name: 'A' }, `name: Invalid value: "A": ${LABEL_HINT}`),
  row('and an image', { image: undefined }, 'image: Required value'),
  row(
    'an image is not padded',
    { image: 'app ' },
    'image: Invalid value: "app ": must not have leading or trailing whitespace',
  ),
  [
    'names are unique',
    spec({ containers: [CONTAINER, CONTAINER] }),
    ['spec.containers[1].name: Duplicate value: "app"'],
  ],
  [
    'those of init containers too',
    spec({ initContainers: [CONTAINER] }),
    ['spec.initContainers[0].name: Duplicate value: "app"'],
  ],
  [
    'but those without a name are no two of one',
    spec({
      initContainers: [
        { ...CONTAINER, name: '' },
        { ...CONTAINER, name: '' },
      ],
    }),
    [0, 1].map((index) => `spec.initContainers[${index}].name: Required value`),
  ],
  [
    'init containers have neither probes nor handlers',
    spec({ initContainers: [{ name: 'b', image: 'b', lifecycle: {}, livenessProbe: probe }] }),
    [
      `spec.initContainers[0].lifecycle: Invalid value: {}: ${NOT_INIT}`,
      `spec.initContainers[0].livenessProbe: Invalid value: ${JSON.stringify(probe)}: ${NOT_INIT}`,
    ],
  ],
  row(
    '13.3: imagePullPolicy',
    { imagePullPolicy: 'Sometimes' },
    'imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", ' +
      '"IfNotPresent", "Never"',
  ),
  row(
    'terminationMessagePolicy',
    { terminationMessagePolicy: 'None' },
    'terminationMessagePolicy: Invalid value: "None": must be \'File\' or ' +
      "'FallbackToLogsOnError'",
  ),
  row('ports: a number', { ports: [{}] }, 'ports[0].containerPort: Required value'),
  row(
    'ports: numbers of 16 bits',
    { ports: [{ containerPort: 70_000, hostPort: -1 }] },
    `ports[0].hostPort: Invalid value: -1: ${PORT}`,
    `ports[0].containerPort: Invalid value: 70000: ${PORT}`,
  ),
  row(
    'ports: protocols',
    { ports: [{ containerPort: 1, protocol: 'ICMP' }] },
    'ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
  ),
  row(
    'ports: names',
    { ports: [{ containerPort: 1, name: '1-' }] },
    'ports[0].name: Invalid value: "1-": must contain at least one letter or number (a-z, 0-9)',
    'ports[0].name: Invalid value: "1-": must not begin or end with a hyphen',
  ),
  row(
    'ports: unique names',
    { ports: ['web', 'web'].map((name, index) => ({ name, containerPort: index + 1 })) },
    'ports[1].name: Duplicate value: "web"',
  ),
  [
    'ports: unique on the node',
    spec({
      containers: ['a', 'b'].map((name) => ({
        name,
        image: 'i',
        ports: [{ containerPort: 80, hostPort: 80 }],
      })),
    }),
    ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"'],
  ],
  [
    'ports: those of the node in its network',
    spec({
      hostNetwork: true,
      containers: [{ ...CONTAINER, ports: [{ containerPort: 80, hostPort: 81 }] }],
    }),
    [
      'spec.containers[0].ports[0].containerPort: Invalid value: 80: must match `hostPort` when ' +
        '`hostNetwork` is true',
    ],
  ],
];

const HANDLERS: KindCases['invalid'] = [
  row(
    'probes: an action',
    { livenessProbe: {} },
    'livenessProbe: Required value: must specify a handler type',
  ),
  row(
    'probes: one action',
    { readinessProbe: { ...exec, ...http } },
    'readinessProbe.httpGet: Forbidden: may not specify more than 1 handler type',
  ),
  row(
    'probes: a command',
    { startupProbe: { exec: {} } },
    'startupProbe.exec.command: Required value',
  ),
  row(
    'probes: a port',
    { livenessProbe: { httpGet: {} }, readinessProbe: { tcpSocket: { port: 'a--b' } } },
    `livenessProbe.httpGet.port: Invalid value: 0: ${PORT}`,
    'readinessProbe.tcpSocket.port: Invalid value: "a--b": must not contain consecutive hyphens',
  ),
  row(
    'probes: schemes and headers',
    { livenessProbe: { httpGet: { port: 1, scheme: 'FTP', httpHeaders: [{ name: 'a b' }] } } },
    'livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
    'livenessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist ' +
      "of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is " +
      "'[-A-Za-z0-9]+')",
  ),
  row(
    'probes: times are not negative',
    { readinessProbe: { ...exec, initialDelaySeconds: -1, periodSeconds: -2 } },
    'readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
    'readinessProbe.periodSeconds: Invalid value: -2: must be greater than or equal to 0',
  ),
  row(
    'probes: alive is who answers once',
    {
      livenessProbe: { ...exec, successThreshold: 2 },
      startupProbe: { ...exec, successThreshold: 3 },
    },
    'livenessProbe.successThreshold: Invalid value: 2: must be 1',
    'startupProbe.successThreshold: Invalid value: 3: must be 1',
  ),
  row(
    'probes: terminationGracePeriodSeconds',
    {
      livenessProbe: { ...exec, terminationGracePeriodSeconds: 0 },
      readinessProbe: { ...exec, terminationGracePeriodSeconds: 1 },
    },
    'readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for ' +
      'readinessProbes',
  ),
  row(
    'lifecycle: an action',
    { lifecycle: { postStart: {}, preStop: { ...exec, ...http } } },
    'lifecycle.postStart: Required value: must specify a handler type',
    'lifecycle.preStop.httpGet: Forbidden: may not specify more than 1 handler type',
  ),
];

const RESOURCES: KindCases['invalid'] = [
  row(
    'resources: names',
    { resources: { requests: { gpu: '1' } } },
    'resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully ' +
      'qualified',
    'resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers',
  ),
  row(
    'resources: amounts',
    { resources: { limits: { cpu: '-1' } } },
    'resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    'resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ),
  row(
    'resources: requests are within limits',
    { resources: { limits: { memory: '1Gi' }, requests: { memory: '1025Mi' } } },
    'resources.requests: Invalid value: "1025Mi": must be less than or equal to memory limit',
  ),
  row(
    'resources: of extensions there is no more than there is',
    { resources: { limits: { 'example.com/gpu': '2' }, requests: { 'example.com/gpu': '1' } } },
    'resources.requests: Invalid value: "1": must be equal to example.com/gpu limit',
  ),
  row(
    'resources: and whole ones',
    { resources: { limits: { 'example.com/gpu': '500m' } } },
    'resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
    'resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer',
  ),
  row(
    'resources: and with a limit',
    { resources: { requests: { 'example.com/gpu': '1' } } },
    'resources.limits: Required value: Limit must be set for non overcommitable resources',
  ),
  row(
    'resources: huge pages come with others',
    { resources: { limits: { 'hugepages-2Mi': '2Mi' } } },
    'resources: Forbidden: HugePages require cpu or memory',
  ),
  row(
    'resources: whole huge pages',
    { resources: { limits: { cpu: '1', 'hugepages-2Mi': '3Mi' } } },
    'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": ' +
      '3Mi is not positive integer multiple of hugepages-2Mi',
    'resources.requests[hugepages-2Mi]: Invalid value: "3Mi": ' +
      '3Mi is not positive integer multiple of hugepages-2Mi',
  ),
  row(
    'resources: huge pages of a size',
    { resources: { limits: { cpu: '1', 'hugepages-1500m': '3' } } },
    'resources.limits[hugepages-1500m]: Invalid value: "3": ' +
      '3 is not positive integer multiple of hugepages-1500m',
    'resources.requests[hugepages-1500m]: Invalid value: "3": ' +
      '3 is not positive integer multiple of hugepages-1500m',
  ),
  row(
    'resources: of a size that is an amount',
    { resources: { limits: { cpu: '1', 'hugepages-a': '1' } } },
    'resources.limits[hugepages-a]: Invalid value: "1": ' +
      '1 is not positive integer multiple of hugepages-a',
    'resources.requests[hugepages-a]: Invalid value: "1": ' +
      '1 is not positive integer multiple of hugepages-a',
  ),
  row('resources: any number of huge pages', {
    resources: { limits: { cpu: '1', 'hugepages-2Mi': '6Mi' } },
  }),
  row(
    'securityContext: ids',
    { securityContext: { runAsUser: -1 } },
    'securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ),
  row('securityContext: procMount', { securityContext: { procMount: 'Open' } }),
  row(
    'securityContext: a privileged container has all rights',
    { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
    'securityContext: Invalid value: {"privileged":true,"allowPrivilegeEscalation":false}: ' +
      'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
  ),
  row(
    'securityContext: so has one with CAP_SYS_ADMIN',
    {
      securityContext: {
        capabilities: { add: ['CAP_SYS_ADMIN'] },
        allowPrivilegeEscalation: false,
      },
    },
    'securityContext: Invalid value: {"capabilities":{"add":["CAP_SYS_ADMIN"]},' +
      '"allowPrivilegeEscalation":false}: cannot set `allowPrivilegeEscalation` to false and ' +
      '`capabilities.Add` CAP_SYS_ADMIN',
  ),
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: {
    spec: {
      volumes: MOUNTED_VOLUMES,
      containers: [
        FULL_SENT,
        { name: 'rpc', image: 'b:2', readinessProbe: { grpc: { port: 90 } } },
      ],
      initContainers: [{ name: 'b', image: 'b:2', resources: { limits: { cpu: '1' } } }],
    },
  },
  fullStored: {
    spec: {
      ...POD_DEFAULTS,
      volumes: MOUNTED_VOLUMES,
      containers: [
        FULL_SENT,
        {
          name: 'rpc',
          image: 'b:2',
          ...CONTAINER_DEFAULTS,
          readinessProbe: { grpc: { port: 90, service: '' }, ...PROBE_DEFAULTS },
        },
      ],
      initContainers: [
        {
          name: 'b',
          image: 'b:2',
          ...CONTAINER_DEFAULTS,
          resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
        },
      ],
    },
    status: { phase: 'Pending', qosClass: 'Burstable' },
  },
  invalid: [...NAMES_AND_PORTS, ...HANDLERS, ...RESOURCES],
};
