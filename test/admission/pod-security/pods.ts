/** A pod of the restricted level in all its versions, changes of it, and labels of namespaces. */
import type { Container, Pod } from '#messages/core.v1';

type Members = Readonly<Record<string, unknown>>;

/** The members that are set beside or instead of those of the pod. */
export interface PodChange {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Members;
  /** Sources of volumes; '' for a volume without one. */
  readonly volumes?: readonly string[];
  readonly sysctls?: readonly string[];
  /** In the security contexts of the pod and of its container. */
  readonly context?: Members;
  readonly inner?: Members;
  /** In the container. */
  readonly container?: Members;
  /** In the security contexts of more containers. */
  readonly init?: Members;
  readonly ephemeral?: Members;
}

export function podWith(change: PodChange = {}, name = 'p'): Pod {
  const { annotations = {}, spec = {}, context, inner, container, init, ephemeral } = change;
  const volumes = change.volumes?.map((source, index) => {
    return { name: `v${index}`, ...(source !== '' && { [source]: {} }) };
  });
  const sysctls = change.sysctls?.map((sysctl) => ({ name: sysctl, value: '1' }));
  const seccompProfile = { type: 'RuntimeDefault' };
  return {
    metadata: { name, annotations: { ...annotations } },
    spec: {
      securityContext: {
        runAsNonRoot: true,
        seccompProfile,
        ...(sysctls && { sysctls }),
        ...context,
      },
      containers: [{ ...confined('c', inner), ...container }],
      ...(init && { initContainers: [confined('i', init)] }),
      ...(ephemeral && { ephemeralContainers: [confined('e', ephemeral)] }),
      ...(volumes && { volumes }),
      ...spec,
    },
  };
}

function confined(name: string, more: Members = {}): Container {
  const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  return { name, image: 'i', securityContext: { ...securityContext, ...more } };
}

export const DOMAIN = 'pod-security.cluster.io/';

/** `enforce=baseline warn-version=v1.20` as labels. */
export function labelled(text: string): Record<string, string> {
  const pairs = text.split(' ').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => [DOMAIN + pair.split('=')[0], pair.split('=')[1] ?? '']),
  );
}
