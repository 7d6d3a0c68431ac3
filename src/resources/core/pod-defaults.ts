/** Defaults of a pod spec that depend on its other fields (API-FACTS 13.3). */

interface Container {
  image?: string;
  imagePullPolicy?: string;
  ports?: { containerPort?: number; hostPort?: number }[];
}

/** The members that are looked at; all others pass through. */
export interface PodSpec {
  hostNetwork?: boolean;
  containers?: Container[];
  initContainers?: Container[];
  volumes?: Record<string, unknown>[];
}

/** Sets the defaults in place; schema defaults are already set. */
export function applyPodSpecDefaults(spec: PodSpec): void {
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if ((container.imagePullPolicy ?? '') === '') {
      container.imagePullPolicy = isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
    }
    if (spec.hostNetwork !== true) continue;
    for (const port of container.ports ?? []) {
      if ((port.hostPort ?? 0) === 0 && port.containerPort !== undefined) {
        port.hostPort = port.containerPort;
      }
    }
  }
  for (const volume of spec.volumes ?? []) {
    // A volume without a source is scratch space.
    if (Object.keys(volume).every((member) => member === 'name')) volume['emptyDir'] = {};
  }
}

/** Whether an image names no fixed content: no digest, and no tag or the tag `latest`. */
function isLatest(image: string): boolean {
  if (image.includes('@')) return false;
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  const colon = lastPart.indexOf(':');
  return colon < 0 || lastPart.slice(colon + 1) === 'latest';
}
