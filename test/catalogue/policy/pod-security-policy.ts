import type { Change, KindCases } from '../../support/kind-cases.ts';

const SPEC = {
  seLinux: { rule: 'RunAsAny' },
  runAsUser: { rule: 'RunAsAny' },
  supplementalGroups: { rule: 'RunAsAny' },
  fsGroup: { rule: 'RunAsAny' },
};
const spec = (members: object): Change => ({ spec: members });
const GROUP_RULES = 'supported values: "MayRunAs", "MustRunAs", "RunAsAny"';

export const CASES: KindCases = {
  apiVersion: 'policy/v1beta1',
  kind: 'PodSecurityPolicy',
  minimal: { spec: SPEC },
  minimalStored: { spec: { ...SPEC, allowPrivilegeEscalation: true } },
  full: {
    spec: {
      privileged: true,
      defaultAddCapabilities: ['NET_ADMIN'],
      requiredDropCapabilities: ['KILL'],
      allowedCapabilities: ['SYS_TIME'],
      volumes: ['configMap', '*'],
      hostNetwork: true,
      hostPorts: [{ min: 80, max: 90 }],
      hostPID: true,
      hostIPC: true,
      seLinux: {
        rule: 'MustRunAs',
        seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 'l' },
      },
      runAsUser: { rule: 'MustRunAs', ranges: [{ min: 1, max: 2 }] },
      runAsGroup: { rule: 'MayRunAs', ranges: [{ min: 1, max: 2 }] },
      supplementalGroups: { rule: 'MustRunAs', ranges: [{ min: 1, max: 2 }] },
      fsGroup: { rule: 'MustRunAs', ranges: [{ min: 1, max: 2 }] },
      readOnlyRootFilesystem: true,
      defaultAllowPrivilegeEscalation: false,
      allowPrivilegeEscalation: false,
      allowedHostPaths: [{ pathPrefix: '/var', readOnly: true }],
      allowedFlexVolumes: [{ driver: 'example.com/a' }],
      allowedCSIDrivers: [{ name: 'csi.example.com' }],
      allowedUnsafeSysctls: ['net.core.*', 'kernel.msgmax'],
      forbiddenSysctls: ['net.ipv4.*'],
      runtimeClass: { allowedRuntimeClassNames: ['a'], defaultRuntimeClassName: 'a' },
    },
  },
  invalid: [
    [
      'policy: rules of users',
      spec({ runAsUser: { rule: 'No' } }),
      [
        'spec.runAsUser.rule: Unsupported value: "No": ' +
          'supported values: "MustRunAs", "MustRunAsNonRoot", "RunAsAny"',
      ],
    ],
    [
      'policy: rules of SELinux',
      spec({ seLinux: { rule: '' } }),
      ['spec.seLinux.rule: Unsupported value: "": supported values: "MustRunAs", "RunAsAny"'],
    ],
    [
      'policy: rules of groups',
      spec({
        runAsGroup: { rule: 'a' },
        supplementalGroups: { rule: 'b' },
        fsGroup: { rule: 'c' },
      }),
      [
        'spec.runAsGroup.rule: Unsupported value: "a": ' +
          'supported values: "MustRunAs", "RunAsAny", "MayRunAs"',
        `spec.supplementalGroups.rule: Unsupported value: "b": ${GROUP_RULES}`,
        `spec.fsGroup.rule: Unsupported value: "c": ${GROUP_RULES}`,
      ],
    ],
    [
      'policy: any group has no ranges',
      spec({ runAsGroup: { rule: 'RunAsAny', ranges: [{ min: 1, max: 2 }] } }),
      [
        'spec.runAsGroup.ranges: Invalid value: []policy.IDRange{policy.IDRange{Min:1, Max:2}}: ' +
          'Ranges must be empty',
      ],
    ],
    [
      'policy: other groups have ranges',
      spec({ runAsGroup: { rule: 'MustRunAs' } }),
      [
        'spec.runAsGroup.ranges: Invalid value: []policy.IDRange(nil): ' +
          'must provide at least one range',
      ],
    ],
    [
      'policy: volumes',
      spec({ volumes: ['disk'] }),
      [
        'spec.volumes[0]: Unsupported value: "disk": supported values: "*", ' +
          '"awsElasticBlockStore", "azureDisk", "azureFile", "cephFS", "cinder", "configMap", ' +
          '"csi", "downwardAPI", "emptyDir", "ephemeral", "fc", "flexVolume", "flocker", ' +
          '"gcePersistentDisk", "gitRepo", "glusterfs", "hostPath", "iscsi", "nfs", ' +
          '"persistentVolumeClaim", "photonPersistentDisk", "portworxVolume", "projected", ' +
          '"quobyte", "rbd", "scaleIO", "secret", "storageos", "vsphereVolume"',
      ],
    ],
    [
      'policy: ranges',
      spec({ fsGroup: { rule: 'MustRunAs', ranges: [{ min: -1, max: -2 }] } }),
      [
        'spec.fsGroup.ranges[0].min: Invalid value: -1: min cannot be negative',
        'spec.fsGroup.ranges[0].max: Invalid value: -2: max cannot be negative',
        'spec.fsGroup.ranges[0].min: Invalid value: -1: min cannot be greater than max',
      ],
    ],
    [
      'policy: capabilities and the wildcard',
      spec({ requiredDropCapabilities: ['A'], allowedCapabilities: ['*'] }),
      [
        'requiredDropCapabilities: Invalid value: []core.Capability{"A"}: ' +
          'must be empty when all capabilities are allowed by a wildcard',
      ],
    ],
    [
      'policy: capabilities dropped and added',
      spec({ requiredDropCapabilities: ['A'], defaultAddCapabilities: ['A'] }),
      [
        'defaultAddCapabilities: Invalid value: "A": ' +
          'capability is listed in defaultAddCapabilities and requiredDropCapabilities',
      ],
    ],
    [
      'policy: escalation by default',
      spec({ defaultAllowPrivilegeEscalation: true, allowPrivilegeEscalation: false }),
      [
        'spec.defaultAllowPrivilegeEscalation: Invalid value: true: Cannot set ' +
          'DefaultAllowPrivilegeEscalation to true without also setting ' +
          'AllowPrivilegeEscalation to true',
      ],
    ],
    [
      'policy: drivers',
      spec({ allowedFlexVolumes: [{}], allowedCSIDrivers: [{}] }),
      [
        'spec.allowedFlexVolumes.allowedFlexVolumes[0].driver: Required value: must specify a driver',
        'spec.allowedCSIDrivers.allowedCSIDriver[0].name: Required value',
      ],
    ],
    ['policy: mount types are dropped', spec({ allowedProcMountTypes: ['a'] }), []],
    [
      'policy: host paths',
      spec({ allowedHostPaths: [{ pathPrefix: '/a/../b' }, {}, { pathPrefix: '/../b' }] }),
      [
        'spec.allowedHostPaths[0]: Invalid value: "/a/../b": must not contain \'..\'',
        'spec.allowedHostPaths[1]: Required value: is required',
      ],
    ],
    ['policy: host ports are not looked at', spec({ hostPorts: [{ min: 70000, max: 1 }] }), []],
    [
      'policy: sysctls overlap',
      spec({ allowedUnsafeSysctls: ['net.core.a'], forbiddenSysctls: ['net.*'] }),
      ['spec.allowedUnsafeSysctls[0]: Invalid value: "net.core.a": sysctl overlaps with net.*'],
    ],
    [
      'policy: the wider sysctl may be the allowed one',
      spec({ allowedUnsafeSysctls: ['net.*'], forbiddenSysctls: ['net.core.*'] }),
      ['spec.forbiddenSysctls[0]: Invalid value: "net.core.*": sysctl overlaps with net.*'],
    ],
    [
      'policy: all sysctls and others',
      spec({ forbiddenSysctls: ['*', 'a'] }),
      ["spec.forbiddenSysctls.items: Forbidden: if '*' is present, must not specify other sysctls"],
    ],
    [
      'policy: sysctls',
      spec({ forbiddenSysctls: ['', 'A'] }),
      [
        'spec.forbiddenSysctls[0]: Invalid value: "": empty sysctl not allowed',
        'spec.forbiddenSysctls[1]: Invalid value: "A": must have at most 253 characters and match ' +
          'regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]',
      ],
    ],
    [
      'policy: runtime classes',
      spec({
        runtimeClass: { allowedRuntimeClassNames: ['*', 'a'], defaultRuntimeClassName: 'b' },
      }),
      [
        'spec.runtimeClass.allowedRuntimeClassNames: Invalid value: []string{"*", "a"}: ' +
          "if '*' is present, must not specify other RuntimeClass names",
      ],
    ],
    [
      'policy: the default runtime class is allowed',
      spec({ runtimeClass: { allowedRuntimeClassNames: ['a'], defaultRuntimeClassName: 'b' } }),
      ['spec.runtimeClass.allowedRuntimeClassNames: Required value: default "b" must be allowed'],
    ],
  ],
  updates: [['policy: may change', {}, spec({ privileged: true }), []]],
};
