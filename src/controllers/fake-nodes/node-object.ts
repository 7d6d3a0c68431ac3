/** A fake node as the API shows it. */
import type { Node } from '#messages/core.v1';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { ownRelease, releaseName } from '../../release/release.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';

const PREFIX = 'fake-';
const RESOURCES = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '1000' };
/** Conditions as a kubelet has them: what they say when all is well. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID'],
  ['Ready', 'True', 'KubeletReady'],
] as const;

export function nodeName(number: number): string {
  return PREFIX + String(number);
}

/** Undefined for the name of another node. */
export function nodeNumber(name: string): number | undefined {
  const digits = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  return /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : undefined;
}

/** In 10.64.0.0/10. */
export function hostAddress(number: number): string {
  return `10.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

export function fakeNode(number: number, nowMs: number): object {
  const name = nodeName(number);
  const time = utcSeconds(nowMs);
  const id = `${name}-of-no-machine`;
  const version = `v${releaseName(ownRelease().minor)}.0`;
  return {
    metadata: {
      name,
      labels: {
        [ownName('cluster.io/hostname')]: name,
        [ownName('cluster.io/os')]: 'linux',
        [ownName('cluster.io/arch')]: 'amd64',
        'shardplane.io/fake-node': 'true',
      },
    },
    status: {
      capacity: RESOURCES,
      allocatable: RESOURCES,
      conditions: CONDITIONS.map(([type, status, reason]) => ({
        type,
        status,
        reason,
        message: 'a fake node is always well',
        lastHeartbeatTime: time,
        lastTransitionTime: time,
      })),
      addresses: [
        { type: 'InternalIP', address: hostAddress(number) },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        machineID: id,
        systemUUID: id,
        bootID: id,
        kernelVersion: 'none',
        osImage: 'none',
        containerRuntimeVersion: 'fake://0',
        kubeletVersion: version,
        kubeProxyVersion: version,
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}

/** A node that admission has made not ready, as it does with all new ones; else undefined. */
export function withoutTaint(node: Node): Node | undefined {
  const key = ownName('node.cluster.io/not-ready');
  const { taints = [] } = node.spec ?? {};
  const others = taints.filter((taint) => taint.key !== key);
  return others.length === taints.length
    ? undefined
    : { ...node, spec: { ...node.spec, taints: others } };
}
