/** Pod templates for the rows of the kinds that run pods. */
import type { Change } from './kind-cases.ts';
import { CONTAINER_DEFAULTS, TEMPLATE_DEFAULTS } from './pod-cases.ts';

export const LABELS = { app: 'web' };
export const SELECTOR = { matchLabels: LABELS };

const CONTAINER = { name: 'c', image: 'web:1' };

/** The least template that is selected by `SELECTOR`, with other members of its pod. */
export function template(spec: Change = {}): Change {
  return { metadata: { labels: LABELS }, spec: { containers: [CONTAINER], ...spec } };
}

/** Gives the template as it is stored; `labels` are those that it then has. */
export function storedTemplate(spec: Change = {}, labels: Change = LABELS): Change {
  const containers = [{ ...CONTAINER, ...CONTAINER_DEFAULTS }];
  return {
    metadata: { creationTimestamp: null, ...(Object.keys(labels).length > 0 ? { labels } : {}) },
    spec: { containers, ...TEMPLATE_DEFAULTS, ...spec },
  };
}

/** Gives the stored template in releases that leave out a time that is not there. */
export function plainTemplate(spec: Change = {}): Change {
  return { ...storedTemplate(spec), metadata: { labels: LABELS } };
}

/** A change of the pod in the template of a spec. */
export function ofPod(spec: Change): Change {
  return { spec: { template: { spec } } };
}

/** A disk that only one pod can mount, and the error that says so. */
export const WRITABLE_DISK = [{ name: 'v', gcePersistentDisk: { pdName: 'disk' } }] as const;
export const NOT_SHAREABLE =
  'spec.template.spec.volumes[0].gcePersistentDisk.readOnly: Invalid value: false: ' +
  'must be true for replicated pods > 1; ' +
  'GCE PD can only be mounted on multiple machines if it is read-only';

const LABELS_FIELD = 'spec.template.metadata.labels';

/** The error of labels that are not selected. */
export function notSelected(labels: string): string {
  const detail = '`selector` does not match template `labels`';
  return `${LABELS_FIELD}: Invalid value: map[string]string${labels}: ${detail}`;
}

export const ALWAYS_ONLY =
  'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"';

/** The error of a count that is below zero. */
export function negative(field: string, value = -1): string {
  return `${field}: Invalid value: ${value}: must be greater than or equal to 0`;
}

/** The error of a count that is more than the replicas. */
export function moreThanReplicas(name: string, value: number): string {
  return `status.${name}: Invalid value: ${value}: cannot be greater than status.replicas`;
}

export const PERCENT_HINT =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
