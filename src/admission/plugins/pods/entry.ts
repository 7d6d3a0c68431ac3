/** Plugins about pods, as the list has them (src/admission/README.md). */
import { ConfigError } from '../../../base/options/config-error.ts';
import { NEW_POD, writes } from '../../concerns.ts';
import { pluginOptions, type PluginEntry } from '../../plugin.ts';
import type { ProposedWrite } from '../../proposal.ts';

const POD_WRITES = writes('', 'pods', 'CREATE', 'UPDATE');
const CLASS_WRITES = writes('scheduling.cluster.io', 'priorityclasses', 'CREATE', 'UPDATE');
const NEW_GROUP = writes('scheduling.cluster.io', 'podgroups', 'CREATE');
const NEW_COMPOSITE = writes('scheduling.cluster.io', 'compositepodgroups', 'CREATE');

export const limitPodHardAntiAffinityTopology = {
  isOnByDefault: false,
  concerns: POD_WRITES,
  load: async () =>
    (await import('./limit-pod-hard-anti-affinity-topology.ts'))
      .LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY,
} as const satisfies PluginEntry;

export const alwaysPullImages = {
  isOnByDefault: false,
  concerns: POD_WRITES,
  load: async () => (await import('./always-pull-images.ts')).ALWAYS_PULL_IMAGES,
} as const satisfies PluginEntry;

export const podNodeSelector = {
  isOnByDefault: false,
  concerns: NEW_POD,
  check: async (settings) =>
    (await import('./pod-node-selector.ts')).checkPodNodeSelector(settings),
  load: async (context, settings) => {
    const { PodNodeSelector } = await import('./pod-node-selector.ts');
    return new PodNodeSelector(context, settings);
  },
} as const satisfies PluginEntry;

export const priority = {
  keeps: CLASS_WRITES,
  isOnByDefault: true,
  concerns: (write) =>
    POD_WRITES(write) || CLASS_WRITES(write) || NEW_GROUP(write) || NEW_COMPOSITE(write),
  load: async (context) => {
    const { Priority } = await import('./priority.ts');
    return new Priority(context);
  },
} as const satisfies PluginEntry;

export const podTopologyLabels = {
  isOnByDefault: true,
  gate: 'PodTopologyLabelsAdmission',
  concerns: (write) => NEW_POD(write) || (isOfPods(write) && write.subresource === 'binding'),
  load: async (context) => {
    const { PodTopologyLabels } = await import('./pod-topology-labels.ts');
    return new PodTopologyLabels(context);
  },
} as const satisfies PluginEntry;

function isOfPods({ group, resource }: ProposedWrite): boolean {
  return group === '' && resource === 'pods';
}

const NOT_READY = 'default-not-ready-toleration-seconds';
const UNREACHABLE = 'default-unreachable-toleration-seconds';

export const defaultTolerationSeconds = {
  isOnByDefault: true,
  options: pluginOptions({
    flags: {
      [NOT_READY]: {
        value: 'SECONDS',
        preset: '300',
        help: 'how long pods stay on a node that is not ready, if they do not say',
      },
      [UNREACHABLE]: {
        value: 'SECONDS',
        preset: '300',
        help: 'how long pods stay on a node that is unreachable, if they do not say',
      },
    },
    read: (values) => ({
      notReady: secondsOf(NOT_READY, values[NOT_READY]),
      unreachable: secondsOf(UNREACHABLE, values[UNREACHABLE]),
    }),
  }),
  concerns: POD_WRITES,
  load: async (_, settings) => {
    const { DefaultTolerationSeconds } = await import('./default-toleration-seconds.ts');
    return new DefaultTolerationSeconds(settings);
  },
} as const satisfies PluginEntry;

export const podTolerationRestriction = {
  isOnByDefault: false,
  concerns: POD_WRITES,
  check: async (settings) =>
    (await import('./pod-toleration-restriction.ts')).checkPodTolerationRestriction(settings),
  load: async (context, settings) => {
    const { PodTolerationRestriction } = await import('./pod-toleration-restriction.ts');
    return new PodTolerationRestriction(context, settings);
  },
} as const satisfies PluginEntry;

export const extendedResourceToleration = {
  isOnByDefault: false,
  concerns: POD_WRITES,
  load: async () =>
    (await import('./extended-resource-toleration.ts')).EXTENDED_RESOURCE_TOLERATION,
} as const satisfies PluginEntry;

export const runtimeClass = {
  isOnByDefault: true,
  concerns: NEW_POD,
  load: async (context) => {
    const { RuntimeClass } = await import('./runtime-class.ts');
    return new RuntimeClass(context);
  },
} as const satisfies PluginEntry;

export const podGroupProtection = {
  isOnByDefault: true,
  concerns: NEW_GROUP,
  load: async () => (await import('./pod-group-protection.ts')).POD_GROUP_PROTECTION,
} as const satisfies PluginEntry;

function secondsOf(option: string, value: string): number {
  const seconds = Number(value);
  if (/^-?[0-9]+$/.test(value) && Number.isSafeInteger(seconds)) return seconds;
  throw new ConfigError(`--${option} is "${value}": give a whole number of seconds`);
}
