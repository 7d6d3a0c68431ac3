/** The catalogue's files on pods share these: the least pod, and changes of it. */
import type { Change, KindCases } from './kind-cases.ts';

export type Row = KindCases['invalid'][number];

export const CONTAINER = { name: 'app', image: 'app:1' };

/** The server adds these to a container. */
export const CONTAINER_DEFAULTS = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};

/** The server adds these to the specification of a pod in a template. */
export const TEMPLATE_DEFAULTS = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

/** And to that of a pod. */
export const POD_DEFAULTS = { ...TEMPLATE_DEFAULTS, enableServiceLinks: true };

export const PENDING = { phase: 'Pending', qosClass: 'BestEffort' };

export const MINIMAL = { spec: { containers: [CONTAINER] } };

export const MINIMAL_STORED = {
  spec: { containers: [{ ...CONTAINER, ...CONTAINER_DEFAULTS }], ...POD_DEFAULTS },
  status: PENDING,
};

export const spec = (change: Change): Change => ({ spec: change });

/** The least pod, with these members in its container. */
export const container = (change: Change): Change => ({
  spec: { containers: [{ ...CONTAINER, ...change }] },
});

/** A row on that container, with errors below it. */
export const containerRow = (rule: string, change: Change, ...errors: string[]): Row => [
  rule,
  container(change),
  errors.map((error) => `spec.containers[0].${error}`),
];

/** Volumes that it may mount. */
export const MOUNTED_VOLUMES = [
  { name: 'data', hostPath: { path: '/data', type: 'Directory' } },
  { name: 'raw', persistentVolumeClaim: { claimName: 'raw' } },
];
