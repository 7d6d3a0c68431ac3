/** How ReplicaSets, and the ReplicationControllers that they replace, show in a Table. */
import type { PodTemplateSpec } from '#messages/core.v1';
import type { ApiObject } from './kind.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  CONTAINER_COLUMNS,
  CONTAINER_MEMBERS,
  containerCells,
  NAME_COLUMN,
  nameOf,
  SELECTOR_COLUMN,
} from './printer-cells.ts';
import type { ReplicaCounts } from './workload.ts';

interface Replicated extends ApiObject {
  spec?: { replicas?: number; template?: PodTemplateSpec };
  status?: ReplicaCounts;
}

export const REPLICAS_COLUMNS = [
  NAME_COLUMN,
  column('Desired', 'integer', 'How many pods there are to be.'),
  column('Current', 'integer', 'How many pods there are.'),
  column('Ready', 'integer', 'How many of the pods are ready.'),
  AGE_COLUMN,
  ...CONTAINER_COLUMNS,
  SELECTOR_COLUMN,
];

/** What their cells are made of. */
export const REPLICAS_MEMBERS = {
  spec: {
    replicas: true,
    selector: true,
    template: { spec: { containers: CONTAINER_MEMBERS } },
  },
  status: { replicas: true, readyReplicas: true },
} as const;

/** Cells for `REPLICAS_COLUMNS`; `selector` is the last one. */
export function replicasCells(object: Replicated, selector: string): unknown[] {
  const { spec = {}, status = {} } = object;
  return [
    nameOf(object),
    spec.replicas ?? 0,
    status.replicas ?? 0,
    status.readyReplicas ?? 0,
    ageOf(object),
    ...containerCells(spec.template?.spec),
    selector,
  ];
}
