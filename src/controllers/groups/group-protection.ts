/** Holds groups of pods for as long as pods are of them (../README.md#groups-in-use). */
import { GROUP_FINALIZER } from '../../resources/scheduling/group-protection.ts';
import { runController, shardPort, type Ports } from '../run-controller.ts';
import { protectFromPods, type FromPodsOptions } from '../volumes/protection-from-pods.ts';
import { GroupUsers } from './group-users.ts';

const GROUPS = 'podgroups.scheduling.cluster.io';

/**
 * Works until it is told to stop. Ports: those of `protectFromPods`, that of groups where they are
 * served.
 */
export function protectGroups(ports: Ports, options: FromPodsOptions): Promise<void> {
  if (ports[shardPort(GROUPS)] === undefined) {
    return runController(ports, { begin: () => undefined, stop: () => undefined });
  }
  const type = {
    resource: GROUPS,
    finalizer: GROUP_FINALIZER,
    onlyReleases: true,
    account: 'podgroup-protection-controller',
    usesOf: (onRelease: (namespace: string, group: string) => void) => new GroupUsers(onRelease),
  } as const;
  return protectFromPods(ports, type, options);
}
