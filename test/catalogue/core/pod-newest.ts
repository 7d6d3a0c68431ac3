// The newest release treats some pods otherwise.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import {
  CONTAINER,
  CONTAINER_DEFAULTS,
  containerRow,
  MINIMAL,
  MINIMAL_STORED,
  POD_DEFAULTS,
  spec,
} from '../../support/pod-cases.ts';

const LINUX = { os: { name: 'linux' } };
const SIDECAR = { name: 'sidecar', image: 'sidecar:1', restartPolicy: 'Always' };
const WITHOUT_ALWAYS = 'Forbidden: may not be set for init containers without restartPolicy=Always';
const PROBE = { tcpSocket: { port: 80 } };
const LABEL_KEYS = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';

const init = (change: Change): Change =>
  spec({ containers: [CONTAINER], initContainers: [{ name: 'init', image: 'init:1', ...change }] });
const volume = (change: Change): Change => spec({ volumes: [{ name: 'v', ...change }] });
const projected = (source: Change): Change => volume({ projected: { sources: [source] } });
const SOURCE = 'spec.volumes[0].projected.sources[0]';
const affinity = (term: Change): Change =>
  spec({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...term }],
      },
    },
  });
const spread = (change: Change): Change =>
  spec({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...change },
    ],
  });
const SPREAD = 'spec.topologySpreadConstraints[0]';
const limits = (cpu: string): Change => ({ resources: { limits: { cpu }, requests: { cpu } } });

const invalid: KindCases['invalid'] = [
  [
    'handlers with a signal alone are none where there are no signals',
    init({ lifecycle: { stopSignal: 'SIGTERM' } }),
    [],
  ],
  [
    'a resource may be called anything, and is known or not',
    spec({
      containers: [{ ...CONTAINER, resources: { requests: { cpu: '1', constructor: '1' } } }],
      resources: {},
    }),
    [
      'spec.containers[0].resources.requests[constructor]: Invalid value: "constructor": must be ' +
        'a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[constructor]: Invalid value: "constructor": must be ' +
        'a standard resource for containers',
    ],
  ],
  ['a sidecar has probes', spec({ initContainers: [{ ...SIDECAR, livenessProbe: PROBE }] }), []],
  [
    'other init containers have none',
    init({ livenessProbe: PROBE, lifecycle: { preStop: { exec: { command: ['a'] } } } }),
    [
      `spec.initContainers[0].lifecycle: ${WITHOUT_ALWAYS}`,
      `spec.initContainers[0].livenessProbe: ${WITHOUT_ALWAYS}`,
    ],
  ],
  [
    'policies of restarts of their own',
    init({ restartPolicy: 'Sometimes' }),
    [
      'spec.initContainers[0].restartPolicy: Unsupported value: "Sometimes": supported values: ' +
        '"Always", "Never", "OnFailure"',
    ],
  ],
  containerRow(
    'rules of restarts need a policy, an action and exit codes',
    { restartPolicyRules: [{ action: 'Stop' }] },
    'restartPolicy: Required value: must specify restartPolicy when restart rules are used',
    'restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", ' +
      '"RestartAllContainers"',
    'restartPolicyRules[0].exitCodes: Required value: must be specified',
  ),
  containerRow(
    'exit codes have an operator',
    {
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'Is', values: [1] } }],
    },
    'restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", ' +
      '"NotIn"',
  ),
  containerRow(
    'policies of messages',
    { terminationMessagePolicy: 'Log' },
    'terminationMessagePolicy: Unsupported value: "Log": supported values: "File", ' +
      '"FallbackToLogsOnError"',
  ),
  containerRow(
    'policies of resizes',
    {
      resizePolicy: [
        { resourceName: 'disk', restartPolicy: 'Maybe' },
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      ],
    },
    'resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
    'resizePolicy: Unsupported value: "Maybe": supported values: "NotRequired", ' +
      '"RestartContainer"',
    'resizePolicy[2]: Duplicate value: "cpu"',
  ),
  containerRow('names of variables are of any printable characters', { env: [{ name: '1 a' }] }),
  containerRow(
    'but for the sign that ends them',
    { env: [{ name: 'a=b' }] },
    'env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of ' +
      "printable ASCII characters other than '='",
  ),
  containerRow(
    'variables in files',
    { env: [{ name: 'a', valueFrom: { fileKeyRef: { key: '', path: '../a', volumeName: 'x' } } }] },
    'env[0].valueFrom.fileKeyRef.key: Required value',
    'env[0].valueFrom.fileKeyRef.path: Invalid value: "../a": must not contain \'..\'',
    'env[0].valueFrom.fileKeyRef.volumeName: Not found: "x"',
  ),
  containerRow(
    'a source is one of five',
    { env: [{ name: 'a', valueFrom: {} }] },
    'env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, ' +
      '`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
  ),
  containerRow('all addresses of the node', {
    env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'status.hostIPs' } } }],
  }),
  containerRow(
    'handlers do not sleep for longer than the pod has to end',
    { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
    'lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than ' +
      'terminationGracePeriodSeconds (30)',
  ),
  containerRow(
    'requests are told with their limits',
    { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
    'resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ),
  containerRow(
    'containers name claims of their pod',
    { resources: { claims: [{ name: 'gpu' }, { name: 'gpu', request: 'a' }] } },
    'resources.claims[0]: Not found: "gpu": must be one of the names in ' +
      'pod.spec.resourceClaims which is empty',
    'resources.claims[1]: Duplicate value: "gpu"',
    'resources.claims[1]: Not found: "gpu": must be one of the names in ' +
      'pod.spec.resourceClaims which is empty',
  ),
  containerRow(
    'profiles of AppArmor',
    { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } } },
    'securityContext.appArmorProfile.localhostProfile: Invalid value: " a": must not be padded ' +
      'with whitespace',
  ),
  containerRow(
    'unmasked files of processes need users of their own',
    { securityContext: { procMount: 'Unmasked' } },
    'securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use ' +
      '`Unmasked`',
  ),
  [
    'claims have one source',
    spec({ resourceClaims: [{ name: 'a' }] }),
    [
      'spec.resourceClaims[0]: Invalid value: {"name":"a"}: must specify one of: ' +
        '`resourceClaimName`, `resourceClaimTemplateName`',
    ],
  ],
  [
    'users who are none of the node share nothing of it',
    spec({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
    ['hostNetwork', 'HostPID', 'HostIPC'].map(
      (member) => `spec.${member}: Forbidden: when \`hostUsers\` is false`,
    ),
  ],
  [
    'host names in the place of others',
    spec({ hostnameOverride: 'a_b', setHostnameAsFQDN: true }),
    [
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist ' +
        "of lower case alphanumeric characters, '-' or '.', and must start and end with an " +
        "alphanumeric character (e.g. 'example.com', regex used for validation is " +
        "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'what a pod waits for',
    spec({ schedulingGates: [{ name: 'a' }, { name: 'a' }], nodeName: 'node-1' }),
    [
      'spec.schedulingGates[1]: Duplicate value: "a"',
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
  ],
  [
    'searches of names',
    spec({ dnsConfig: { searches: ['.', '_a.example.com', '-a'] } }),
    [
      'spec.dnsConfig.searches[2]: Invalid value: "-a": a lowercase RFC 1123 subdomain must ' +
        "consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end " +
        "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
        "'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'aliases are told by their places',
    spec({ hostAliases: [{ ip: 'here', hostnames: ['a'] }] }),
    [
      'spec.hostAliases[0].ip: Invalid value: "here": must be a valid IP address, (e.g. ' +
        '10.9.8.7 or 2001:db8::ffff)',
    ],
  ],
  [
    'ports of the host are told as such',
    spec({
      hostNetwork: true,
      containers: [{ ...CONTAINER, ports: [{ containerPort: 80, hostPort: 81 }] }],
    }),
    [
      'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when ' +
        '`hostNetwork` is true',
    ],
  ],
  [
    'sysctls of the host',
    spec({ hostNetwork: true, securityContext: { sysctls: [{ name: 'net/core/a' }] } }),
    [
      'spec.securityContext.sysctls[0].name: Invalid value: "net/core/a": may not be specified ' +
        "when 'hostNetwork' is true",
    ],
  ],
  [
    'keys of labels need a selector, and are in one list',
    affinity({ matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] }),
    [
      `${LABEL_KEYS}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not ` +
        'set',
      `${LABEL_KEYS}.mismatchLabelKeys: Forbidden: must not be specified when labelSelector is ` +
        'not set',
      `${LABEL_KEYS}.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and ` +
        'mismatchLabelKeys',
    ],
  ],
  [
    'domains and nodes of spread pods',
    spread({
      whenUnsatisfiable: 'ScheduleAnyway',
      minDomains: 0,
      nodeTaintsPolicy: 'Maybe',
      matchLabelKeys: ['a'],
    }),
    [
      `${SPREAD}.minDomains: Invalid value: 0: must be greater than zero`,
      `${SPREAD}.minDomains: Invalid value: 0: can only use minDomains if ` +
        'whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
      `${SPREAD}.nodeTaintsPolicy: Unsupported value: "Maybe": supported values: "Honor", ` +
        '"Ignore"',
      `${SPREAD}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
    ],
  ],
  [
    'selectors of spread pods are checked',
    spread({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] } }),
    [
      `${SPREAD}.labelSelector.matchExpressions[0].values: Required value: must be specified ` +
        "when `operator` is 'In' or 'NotIn'",
    ],
  ],
  [
    'resources of the whole pod',
    spec({
      containers: [{ ...CONTAINER, ...limits('2') }],
      resources: { limits: { cpu: '1', disk: '1' }, requests: { cpu: '1' } },
    }),
    [
      'spec.resources.limits[disk]: Invalid value: "disk": must be a standard resource type or ' +
        'fully qualified',
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to ' +
        'aggregate container requests of 2',
      'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal ' +
        'to pod limits of 1',
    ],
  ],
  ['an image is a volume', volume({ image: { reference: 'data:1' } }), []],
  ['one with a name', volume({ image: {} }), ['spec.volumes[0].image.reference: Required value']],
  [
    'trust bundles are of a name or of a signer',
    projected({ clusterTrustBundle: { path: '' } }),
    [
      `${SOURCE}.clusterTrustBundle: Required value: either name or signerName must be specified`,
      `${SOURCE}.clusterTrustBundle.path: Required value`,
    ],
  ],
  [
    'certificates have a signer, a kind of key and a path',
    projected({ podCertificate: { signerName: 'example.com/a', keyType: 'DSA' } }),
    [
      `${SOURCE}.podCertificate.keyType: Unsupported value: "DSA": supported values: "RSA3072", ` +
        '"RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"',
      `${SOURCE}.podCertificate: Required value: specify at least one of ` +
        'credentialBundlePath, keyPath, and certificateChainPath',
    ],
  ],
  [
    'a source is of one kind',
    projected({ secret: { name: 'a' }, configMap: { name: 'b' } }),
    [`${SOURCE}: Forbidden: may not specify more than 1 volume type per source`],
  ],
];

const FULL = {
  initContainers: [{ ...SIDECAR, ...CONTAINER_DEFAULTS }],
  containers: [
    {
      ...CONTAINER,
      ...CONTAINER_DEFAULTS,
      resources: { claims: [{ name: 'gpu', request: 'one' }] },
      resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
      lifecycle: { preStop: { sleep: { seconds: 5 } } },
      securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
      volumeMounts: [
        { name: 'data', mountPath: '/data', readOnly: true, recursiveReadOnly: 'IfPossible' },
      ],
      env: [
        {
          name: 'a b',
          valueFrom: {
            fileKeyRef: { volumeName: 'files', path: 'env', key: 'a', optional: true },
          },
        },
      ],
    },
  ],
  ...LINUX,
  volumes: [
    { name: 'data', image: { reference: 'data:1', pullPolicy: 'IfNotPresent' } },
    { name: 'files', emptyDir: {} },
    {
      name: 'trust',
      projected: {
        sources: [
          { clusterTrustBundle: { name: 'roots', path: 'roots.pem', optional: true } },
          {
            podCertificate: {
              signerName: 'example.com/signer',
              keyType: 'ED25519',
              maxExpirationSeconds: 7200,
              credentialBundlePath: 'bundle.pem',
              userAnnotations: { 'example.com/a': 'b' },
            },
          },
        ],
        defaultMode: 420,
      },
    },
  ],
  hostUsers: false,
  hostnameOverride: 'a.example.com',
  schedulingGates: [{ name: 'example.com/ready' }],
  resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
  securityContext: {
    appArmorProfile: { type: 'Localhost', localhostProfile: 'mine' },
    supplementalGroupsPolicy: 'Strict',
    seLinuxChangePolicy: 'Recursive',
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
      minDomains: 2,
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
      matchLabelKeys: ['hash'],
    },
  ],
};

const IMMUTABLE =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,' +
  '`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only ' +
  'additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set ' +
  'to 1 if it was previously negative)';
const GATED = { schedulingGates: [{ name: 'a' }], nodeSelector: { disk: 'ssd' } };
const nodeAffinity = (...keys: readonly string[]): Change => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) }],
      },
    },
  },
});

const updates: KindCases['updates'] = [
  [
    'what the pod asks for as a whole stays where its writer does not know of it',
    spec({ resources: { requests: { cpu: '2' } } }),
    spec({ resources: null }),
    [],
  ],
  ['what a pod waits for goes', spec(GATED), spec({ schedulingGates: [] }), []],
  [
    'and never comes',
    spec(GATED),
    spec({ schedulingGates: [{ name: 'b' }] }),
    [
      'spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new ' +
        "scheduling gate 'b'",
    ],
  ],
  [
    'until then more selects its nodes',
    spec({ ...GATED, ...nodeAffinity('a') }),
    spec({ nodeSelector: { disk: 'ssd', zone: 'a' }, ...nodeAffinity('a', 'b') }),
    [],
  ],
  [
    'and no less',
    spec({ ...GATED, ...nodeAffinity('a') }),
    spec({ nodeSelector: { disk: 'hdd' }, ...nodeAffinity('b') }),
    [
      'spec.nodeSelector: Invalid value: {"disk":"hdd"}: only additions to spec.nodeSelector are ' +
        'allowed (no mutations or deletions)',
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.' +
        'nodeSelectorTerms[0]: Invalid value: {"matchExpressions":[{"key":"b","operator":' +
        '"Exists"}]}: only additions are allowed (no mutations or deletions)',
    ],
  ],
  [
    'later nothing of it changes',
    spec({ nodeSelector: { disk: 'ssd' } }),
    spec({ nodeSelector: { disk: 'ssd', zone: 'a' } }),
    [IMMUTABLE],
  ],
];

const MAIN_STATUS = 'status.containerStatuses[0]';
const ALLOCATED = `${MAIN_STATUS}.allocatedResourcesStatus`;
const EXTENDED = 'status.extendedResourceClaimStatus';
const GPU = { 'example.com/gpu': '1' };
const ID_MAX = '2147483647';
const ASKING = { resources: { requests: { cpu: '1', 'example.com/gpu': '1' }, limits: GPU } };
const withStatus = (list: string, status: object): Change => ({
  status: { [list]: [{ name: 'app', ...status }] },
});

const statusUpdates: KindCases['statusUpdates'] = [
  [
    'a container runs as a user that a node knows',
    {},
    withStatus('containerStatuses', {
      user: { linux: { uid: 2 ** 32, gid: -1, supplementalGroups: [0, 2 ** 31] } },
    }),
    [
      `${MAIN_STATUS}.user.linux.uid: Invalid value: 4294967296: must be between 0 and ` +
        '4294967295, inclusive',
      `${MAIN_STATUS}.user.linux.gid: Invalid value: -1: must be between 0 and ${ID_MAX}, inclusive`,
      `${MAIN_STATUS}.user.linux.supplementalGroups[1]: Invalid value: 2147483648: must be ` +
        `between 0 and ${ID_MAX}, inclusive`,
    ],
  ],
  [
    'not so on Windows',
    spec({ os: { name: 'windows' } }),
    withStatus('containerStatuses', { user: { linux: { uid: 1, gid: 1 } } }),
    [`${MAIN_STATUS}.user.linux: Forbidden: cannot be set for a windows pod`],
  ],
  [
    'devices of a container are those that it asked for, each once',
    spec({ containers: [{ name: 'app', image: 'app:1', ...ASKING }] }),
    withStatus('containerStatuses', {
      allocatedResourcesStatus: [
        {
          name: 'example.com/gpu',
          resources: [
            { resourceID: 'a', health: 'Healthy' },
            { resourceID: 'a', health: 'Fine', message: '' },
          ],
        },
        { name: 'example.com/other' },
        { name: 'claim:gpu/one' },
      ],
    }),
    [
      `${ALLOCATED}[0].resources[1].health: Unsupported value: "Fine": supported values: ` +
        '"Healthy", "Unhealthy", "Unknown"',
      `${ALLOCATED}[0].resources[1].message: Required value: must be non-empty if specified`,
      `${ALLOCATED}[0].resources[1].resourceID: Duplicate value: "a"`,
      `${ALLOCATED}[1].name: Invalid value: "example.com/other": must match one of the ` +
        "container's resource requests",
      `${ALLOCATED}[2].name: Invalid value: "claim:gpu/one": must match one of the container's ` +
        "resource claims as 'claim:<claimName>/<requestName>' when " +
        "container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty",
    ],
  ],
  [
    'ephemeral containers have none',
    {},
    withStatus('ephemeralContainerStatuses', { allocatedResourcesStatus: [{ name: 'cpu' }] }),
    [
      'status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be ' +
        'specified in container status',
    ],
  ],
  [
    'claims are those of the pod',
    {},
    { status: { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'A' }] } },
    [
      'status.resourceClaimStatuses[0].name: Invalid value: "gpu": must match the name of an ' +
        'entry in `spec.resourceClaims`',
      `status.resourceClaimStatuses[0].resourceClaimName: Invalid value: "A": ${SUBDOMAIN_HINT}`,
    ],
  ],
  [
    'a claim for extended resources is for some of them',
    {},
    {
      status: {
        extendedResourceClaimStatus: {
          requestMappings: [
            { containerName: 'app', resourceName: 'example.com/gpu', requestName: 'one' },
            { containerName: 'other', resourceName: 'example.com/gpu', requestName: 'one' },
          ],
        },
      },
    },
    [
      `${EXTENDED}.requestMappings[0].resourceName: Invalid value: "example.com/gpu": must match ` +
        'the extended resource name of an entry in spec.initContainers.resources.requests or ' +
        'spec.containers.resources.requests',
      `${EXTENDED}.requestMappings[1].containerName: Invalid value: "other": must match the name ` +
        'of an entry in spec.initContainers.name or spec.containers.name',
      `${EXTENDED}.resourceClaimName: Required value`,
    ],
  ],
  [
    'each address is one, and one of a family',
    {},
    {
      status: {
        hostIP: '10.0.0.1',
        hostIPs: [{ ip: '10.0.0.1' }, { ip: 'one' }],
        podIP: '10.1.0.1',
        podIPs: [{ ip: '10.1.0.1' }, { ip: '10.1.0.1' }],
      },
    },
    [
      'status.podIPs: Invalid value: [{"ip":"10.1.0.1"},{"ip":"10.1.0.1"}]: may specify no more ' +
        'than one IP for each IP family',
      'status.hostIPs[1]: Invalid value: "one": must be a valid IP address, (e.g. 10.9.8.7 or ' +
        '2001:db8::ffff)',
      'status.hostIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: one',
      'status.hostIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"one"}]: may specify no more than ' +
        'one IP for each IP family',
    ],
  ],
  [
    'a pod that has its node is nominated for no other',
    spec({ nodeName: 'n' }),
    { status: { nominatedNodeName: 'other' } },
    [
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a ' +
        'node',
    ],
  ],
];

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: { spec: FULL },
  fullStored: {
    spec: { ...FULL, ...without(POD_DEFAULTS, 'securityContext') },
    status: {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null,
          lastTransitionTime: '2024-01-01T00:00:00Z',
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        },
      ],
      qosClass: 'BestEffort',
    },
  },
  invalid,
  updates,
  statusUpdates,
};

function without(members: Change, name: string): Change {
  return Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));
}
