/** The reference says this of a pod that is of all levels, and is changed so. */
import type { PodChange } from './pods.ts';

/** The level that it breaks, in which versions, and why: a looser level counts for both. */
export type Fact = string;

export const FACTS: readonly (readonly [change: PodChange, facts: readonly Fact[]])[] = [
  [{}, []],
  [{ spec: { hostNetwork: true } }, ['baseline: host namespaces (hostNetwork=true)']],
  [
    { spec: { hostNetwork: true, hostPID: true, hostIPC: true } },
    ['baseline: host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)'],
  ],
  [
    { volumes: ['hostPath'] },
    [
      'baseline: hostPath volumes (volume "v0")',
      'restricted: restricted volume types (volume "v0" uses restricted volume type "hostPath")',
    ],
  ],
  [
    { volumes: ['hostPath', 'secret', 'hostPath'] },
    [
      'baseline: hostPath volumes (volumes "v0", "v2")',
      'restricted: restricted volume types (volumes "v0", "v2" use restricted volume type "hostPath")',
    ],
  ],
  [
    {
      volumes: [
        'configMap',
        'csi',
        'downwardAPI',
        'emptyDir',
        'ephemeral',
        'persistentVolumeClaim',
        'projected',
        'secret',
      ],
    },
    [],
  ],
  [
    { volumes: ['nfs'] },
    ['restricted: restricted volume types (volume "v0" uses restricted volume type "nfs")'],
  ],
  [
    { volumes: ['nfs', 'rbd', ''] },
    [
      'restricted: restricted volume types (volumes "v0", "v1", "v2" use restricted volume types "nfs", "rbd", "unknown")',
    ],
  ],
  [
    {
      volumes: [
        'gcePersistentDisk',
        'awsElasticBlockStore',
        'gitRepo',
        'iscsi',
        'glusterfs',
        'flexVolume',
        'cinder',
        'cephfs',
        'flocker',
        'fc',
      ],
    },
    [
      'restricted: restricted volume types (volumes "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9" use restricted volume types "awsElasticBlockStore", "cephfs", "cinder", "fc", "flexVolume", "flocker", "gcePersistentDisk", "gitRepo", "glusterfs", "iscsi")',
    ],
  ],
  [
    {
      volumes: [
        'azureFile',
        'vsphereVolume',
        'quobyte',
        'azureDisk',
        'photonPersistentDisk',
        'portworxVolume',
        'scaleIO',
        'storageos',
      ],
    },
    [
      'restricted: restricted volume types (volumes "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7" use restricted volume types "azureDisk", "azureFile", "photonPersistentDisk", "portworxVolume", "quobyte", "scaleIO", "storageos", "vsphereVolume")',
    ],
  ],
  [
    { container: { ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 81 }] } },
    ['baseline: hostPort (container "c" uses hostPort 8080)'],
  ],
  [
    {
      container: {
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 443 },
        ],
      },
    },
    ['baseline: hostPort (container "c" uses hostPorts 443, 80)'],
  ],
  [
    { context: { windowsOptions: { hostProcess: true } } },
    ['baseline: hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)'],
  ],
  [
    {
      context: { windowsOptions: { hostProcess: true } },
      inner: { windowsOptions: { hostProcess: true } },
    },
    [
      'baseline: hostProcess (pod and container "c" must not set securityContext.windowsOptions.hostProcess=true)',
    ],
  ],
  [{ context: { windowsOptions: { hostProcess: false } } }, []],
  [
    { sysctls: ['kernel.shm_rmid_forced', 'kernel.msgmax', 'a.b'] },
    ['baseline: forbidden sysctls (kernel.msgmax, a.b)'],
  ],
  [
    {
      sysctls: [
        'net.ipv4.ip_local_port_range',
        'net.ipv4.tcp_syncookies',
        'net.ipv4.ping_group_range',
        'net.ipv4.ip_unprivileged_port_start',
      ],
    },
    [],
  ],
  [
    { inner: { privileged: true } },
    ['baseline: privileged (container "c" must not set securityContext.privileged=true)'],
  ],
  [
    { inner: { privileged: true }, init: { privileged: true } },
    ['baseline: privileged (containers "i", "c" must not set securityContext.privileged=true)'],
  ],
  [{ inner: { privileged: false } }, []],
  [
    { inner: { allowPrivilegeEscalation: true } },
    [
      'restricted from v1.8: allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
    ],
  ],
  [
    { inner: { allowPrivilegeEscalation: undefined } },
    [
      'restricted from v1.8: allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
    ],
  ],
  [{ inner: { procMount: 'Default' } }, []],
  [
    { inner: { procMount: 'Unmasked' } },
    ['baseline: procMount (container "c" must not set securityContext.procMount to "Unmasked")'],
  ],
  [{ inner: { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } } }, []],
  [
    { inner: { capabilities: { drop: ['ALL'], add: ['CHOWN'] } } },
    [
      'restricted from v1.22: unrestricted capabilities (container "c" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
  ],
  [
    { inner: { capabilities: { drop: ['NET_RAW'], add: ['SYS_ADMIN', 'NET_RAW'] } } },
    [
      'baseline: non-default capabilities (container "c" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)',
      'restricted from v1.22: unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
  ],
  [
    { inner: { capabilities: undefined } },
    [
      'restricted from v1.22: unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
    ],
  ],
  [
    {
      inner: {
        capabilities: {
          drop: ['ALL'],
          add: [
            'AUDIT_WRITE',
            'CHOWN',
            'DAC_OVERRIDE',
            'FOWNER',
            'FSETID',
            'KILL',
            'MKNOD',
            'SETFCAP',
            'SETGID',
            'SETPCAP',
            'SETUID',
            'SYS_CHROOT',
          ],
        },
      },
    },
    [
      'restricted from v1.22: unrestricted capabilities (container "c" must not include "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT" in securityContext.capabilities.add)',
    ],
  ],
  [
    { context: { runAsNonRoot: false } },
    ['restricted: runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)'],
  ],
  [
    { context: { runAsNonRoot: undefined } },
    [
      'restricted: runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    ],
  ],
  [{ context: { runAsNonRoot: undefined }, inner: { runAsNonRoot: true } }, []],
  [
    { inner: { runAsNonRoot: false } },
    [
      'restricted: runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
    ],
  ],
  [
    { context: { runAsNonRoot: false }, inner: { runAsNonRoot: false } },
    [
      'restricted: runAsNonRoot != true (pod and container "c" must not set securityContext.runAsNonRoot=false)',
    ],
  ],
  [
    { context: { runAsUser: 0 } },
    ['restricted from v1.23: runAsUser=0 (pod must not set runAsUser=0)'],
  ],
  [
    { inner: { runAsUser: 0 } },
    ['restricted from v1.23: runAsUser=0 (container "c" must not set runAsUser=0)'],
  ],
  [
    { context: { runAsUser: 0 }, inner: { runAsUser: 0 } },
    ['restricted from v1.23: runAsUser=0 (pod and container "c" must not set runAsUser=0)'],
  ],
  [{ context: { runAsUser: 1 }, inner: { runAsUser: 1000 } }, []],
  [
    {
      context: { seLinuxOptions: { type: 'container_t', level: 's0' } },
      inner: { seLinuxOptions: { type: 'container_kvm_t' } },
    },
    [],
  ],
  [
    { context: { seLinuxOptions: { type: 'spc_t' } } },
    ['baseline: seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t")'],
  ],
  [
    { context: { seLinuxOptions: { user: 'u', role: 'r' } } },
    ['baseline: seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: )'],
  ],
  [
    {
      context: { seLinuxOptions: { type: 'spc_t', user: 'u' } },
      inner: { seLinuxOptions: { type: 'a_t', role: 'r' } },
    },
    [
      'baseline: seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: types "a_t", "spc_t"; user may not be set; role may not be set)',
    ],
  ],
  [
    { context: { seccompProfile: undefined } },
    [
      'restricted from v1.19: seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
  ],
  [
    {
      context: { seccompProfile: undefined },
      inner: { seccompProfile: { type: 'Localhost', localhostProfile: 'a' } },
    },
    [],
  ],
  [
    { context: { seccompProfile: { type: 'Unconfined' } } },
    [
      'baseline from v1.19: seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
      'restricted from v1.19: seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ],
  [
    {
      context: { seccompProfile: { type: 'Unconfined' } },
      inner: { seccompProfile: { type: 'Unconfined' } },
    },
    [
      'baseline from v1.19: seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
      'restricted from v1.19: seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ],
  [
    { inner: { seccompProfile: { type: 'Unconfined' } } },
    [
      'baseline from v1.19: seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
      'restricted from v1.19: seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ],
  [
    {
      annotations: {
        'seccomp.security.alpha.cluster.io/pod': 'runtime/default',
        'container.seccomp.security.alpha.cluster.io/c': 'localhost/a',
      },
    },
    [],
  ],
  [
    {
      annotations: {
        'seccomp.security.alpha.cluster.io/pod': 'docker/default',
        'container.seccomp.security.alpha.cluster.io/c': 'unconfined',
      },
    },
    [
      'baseline to v1.18: seccompProfile (forbidden annotation container.seccomp.security.alpha.cluster.io/c="unconfined")',
    ],
  ],
  [
    {
      annotations: {
        'seccomp.security.alpha.cluster.io/pod': 'unconfined',
        'container.seccomp.security.alpha.cluster.io/c': 'unconfined',
      },
    },
    [
      'baseline to v1.18: seccompProfile (forbidden annotations container.seccomp.security.alpha.cluster.io/c="unconfined", seccomp.security.alpha.cluster.io/pod="unconfined")',
    ],
  ],
  [
    {
      annotations: {
        'container.apparmor.security.beta.cluster.io/c': 'runtime/default',
        'container.apparmor.security.beta.cluster.io/d': 'localhost/a',
      },
    },
    [],
  ],
  [
    { annotations: { 'container.apparmor.security.beta.cluster.io/c': 'unconfined' } },
    [
      'baseline: forbidden AppArmor profile (container.apparmor.security.beta.cluster.io/c="unconfined")',
    ],
  ],
  [
    {
      annotations: {
        'container.apparmor.security.beta.cluster.io/c': 'unconfined',
        'container.apparmor.security.beta.cluster.io/b': 'a"b',
      },
    },
    [
      'baseline: forbidden AppArmor profiles (container.apparmor.security.beta.cluster.io/b="a\\"b", container.apparmor.security.beta.cluster.io/c="unconfined")',
    ],
  ],
  [{ init: {}, ephemeral: {} }, []],
  [
    {
      context: { runAsNonRoot: undefined, seccompProfile: undefined },
      init: { allowPrivilegeEscalation: undefined, capabilities: undefined },
    },
    [
      'restricted from v1.8: allowPrivilegeEscalation != false (container "i" must set securityContext.allowPrivilegeEscalation=false)',
      'restricted from v1.22: unrestricted capabilities (container "i" must set securityContext.capabilities.drop=["ALL"])',
      'restricted: runAsNonRoot != true (pod or containers "i", "c" must set securityContext.runAsNonRoot=true)',
      'restricted from v1.19: seccompProfile (pod or containers "i", "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
  ],
  [
    {
      init: { procMount: 'Unmasked' },
      ephemeral: {
        privileged: true,
        capabilities: { add: ['X'] },
        runAsNonRoot: false,
        runAsUser: 0,
        seccompProfile: { type: 'Unconfined' },
        windowsOptions: { hostProcess: true },
        seLinuxOptions: { type: 'b_t' },
      },
    },
    [
      'baseline: non-default capabilities (container "e" must not include "X" in securityContext.capabilities.add)',
      'baseline: privileged (container "e" must not set securityContext.privileged=true)',
      'baseline: procMount (container "i" must not set securityContext.procMount to "Unmasked")',
      'baseline: seLinuxOptions (container "e" set forbidden securityContext.seLinuxOptions: type "b_t")',
      'baseline from v1.19: seccompProfile (container "e" must not set securityContext.seccompProfile.type to "Unconfined")',
      'baseline: hostProcess (container "e" must not set securityContext.windowsOptions.hostProcess=true)',
      'restricted from v1.22: unrestricted capabilities (container "e" must set securityContext.capabilities.drop=["ALL"]; container "e" must not include "X" in securityContext.capabilities.add)',
      'restricted: runAsNonRoot != true (container "e" must not set securityContext.runAsNonRoot=false)',
      'restricted from v1.23: runAsUser=0 (container "e" must not set runAsUser=0)',
      'restricted from v1.19: seccompProfile (container "e" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ],
];
