/** PodGroup, from its first beta on (README.md#rules). */
import type { PodGroup } from '#messages/scheduling.v1alpha3';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { required } from '../../semantics/errors/field-error.ts';
import { conditionErrors } from '../../semantics/validation/condition-validation.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import {
  declaredErrors,
  forbiddenWithout,
  immutable,
  message,
  optional,
  rules,
  textForm,
} from '../../semantics/validation/declared-rules.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import {
  CLAIM_STATUSES,
  CLASS_NAME,
  FIXED_CLAIMS,
  GROUP_CONSTRAINTS,
  GROUP_MODE,
  POLICY,
  PREEMPTION,
  PRIORITY,
  WORKLOAD_REFERENCE,
} from './declared-groups.ts';
import { policyCell, stateCell, workloadCell } from './group-cells.ts';
import { applyGroupDefaults, claimStatusErrors, dropClaimStatuses } from './group-status.ts';

const DECLARED = message({
  spec: message({
    parentCompositePodGroupName: rules(
      [forbiddenWithout('CompositePodGroup'), immutable, optional],
      textForm(dnsSubdomain),
    ),
    workloadRef: rules([immutable, optional], WORKLOAD_REFERENCE),
    schedulingPolicy: POLICY,
    schedulingConstraints: GROUP_CONSTRAINTS,
    resourceClaims: FIXED_CLAIMS,
    disruptionMode: GROUP_MODE,
    priorityClassName: CLASS_NAME,
    priority: PRIORITY,
    preemptionPolicy: PREEMPTION,
  }),
  status: message({ resourceClaimStatuses: CLAIM_STATUSES }),
});

export const POD_GROUP = defineKind<PodGroup>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1beta1',
  kind: 'PodGroup',
  plural: 'podgroups',
  namespaced: true,
  message: 'scheduling.v1alpha3.PodGroup',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1alpha3' }],
  printer: definePrinter([
    NAME,
    policyCell('minCount'),
    workloadCell('spec.workloadRef.workloadName'),
    stateCell('PodGroupInitiallyScheduled'),
    AGE,
  ]),

  applyDefaults: applyGroupDefaults,

  dropDisabled({ status }, gates, stored) {
    dropClaimStatuses(status, stored?.spec, gates);
  },

  validate(object, stored, { gates }) {
    const { parentCompositePodGroupName, workloadRef } = object.spec ?? {};
    const needsWorkload = parentCompositePodGroupName !== undefined && workloadRef === undefined;
    const detail = 'must be set when parentCompositePodGroupName is set';
    return [
      ...(stored === undefined && needsWorkload ? [required('spec.workloadRef', detail)] : []),
      ...declaredErrors(DECLARED, object, stored, gates),
    ];
  },

  validateStatusUpdate: ({ spec, status }) => [
    ...conditionErrors(status?.conditions, 'status.conditions'),
    ...claimStatusErrors(spec, status),
  ],
});
