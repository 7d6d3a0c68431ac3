/** CompositePodGroup (README.md#rules). */
import type { CompositePodGroup } from '#messages/scheduling.v1alpha3';
import { conditionErrors } from '../../semantics/validation/condition-validation.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  declaredErrors,
  immutable,
  message,
  optional,
  present,
  rules,
} from '../../semantics/validation/declared-rules.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import {
  CLASS_NAME,
  COMPOSITE_POLICY,
  CONSTRAINTS,
  GROUP_MODE,
  OPTIONAL_NAME,
  PREEMPTION,
  PRIORITY,
  WORKLOAD_REFERENCE,
} from './declared-groups.ts';
import { policyCell, workloadCell } from './group-cells.ts';
import { applyGroupDefaults } from './group-status.ts';

const DECLARED = message({
  spec: message({
    parentCompositePodGroupName: rules([immutable], OPTIONAL_NAME),
    workloadRef: rules([immutable, present], WORKLOAD_REFERENCE),
    schedulingPolicy: rules([immutable], COMPOSITE_POLICY),
    schedulingConstraints: rules([immutable, optional], CONSTRAINTS),
    disruptionMode: GROUP_MODE,
    priorityClassName: CLASS_NAME,
    priority: PRIORITY,
    preemptionPolicy: PREEMPTION,
  }),
});

export const COMPOSITE_POD_GROUP = defineKind<CompositePodGroup>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1alpha3',
  kind: 'CompositePodGroup',
  plural: 'compositepodgroups',
  namespaced: true,
  message: 'scheduling.v1alpha3.CompositePodGroup',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: definePrinter([
    NAME,
    policyCell('minGroupCount'),
    workloadCell('spec.workloadRef.workloadName'),
    AGE,
  ]),

  applyDefaults: applyGroupDefaults,

  validate: (object, stored, { gates }) => declaredErrors(DECLARED, object, stored, gates),

  validateStatusUpdate: ({ status }) => conditionErrors(status?.conditions, 'status.conditions'),
});
