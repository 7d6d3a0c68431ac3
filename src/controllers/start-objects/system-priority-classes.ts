/** The two priority classes that there are from the start, for pods that a cluster needs. */
import {
  SYSTEM_PRIORITIES,
  type SystemPriority,
} from '../../resources/scheduling/priority-class.ts';
import type { StartObject } from './start-objects.ts';

const ABOUT: Readonly<Record<SystemPriority, string>> = {
  'system-node-critical': 'For pods without which their own node does not work.',
  'system-cluster-critical': 'For pods without which the cluster does not work, on any node.',
};

/** Only made: of a class nothing but its description can change. */
export function systemPriorityClasses(): StartObject[] {
  const names = Object.keys(SYSTEM_PRIORITIES) as SystemPriority[];
  return names.map((name) => ({
    resource: 'priorityclasses.scheduling.cluster.io',
    namespace: '',
    name,
    wanted: { metadata: { name }, value: SYSTEM_PRIORITIES[name], description: ABOUT[name] },
    mend: () => undefined,
  }));
}
