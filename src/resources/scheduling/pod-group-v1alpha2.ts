/** PodGroup in v1alpha2, which is the only version of its release (README.md#rules). */
import type { PodGroup } from '#messages/scheduling.v1alpha2';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';
import { conditionErrors } from '../../semantics/validation/condition-validation.ts';
import {
  among,
  declaredErrors,
  forbiddenWithout,
  immutable,
  maximum,
  message,
  minimum,
  oneOf,
  optional,
  optionalValue,
  present,
  requiredValue,
  rules,
  textForm,
  withGate,
} from '../../semantics/validation/declared-rules.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { CLAIM_STATUSES, FIXED_CLAIMS, GROUP_CONSTRAINTS } from './declared-groups.ts';
import { policyCell, stateCell, workloadCell } from './group-cells.ts';
import { claimStatusErrors, dropClaimStatuses } from './group-status.ts';

const PRIORITY_MAX = 1_000_000_000;

/** The feature that groups have priorities with. */
export const PREEMPTION_GATE = 'WorkloadAwarePreemption';

export const MODE = among('Pod', 'PodGroup');
export const PRIORITY_RANGE = maximum(PRIORITY_MAX);

/** One by one or together; groups and templates cannot change as a whole. */
export const CHOSEN_POLICY = message(
  {
    gang: rules([optional], message({ minCount: rules([requiredValue], minimum(1)) })),
  },
  oneOf('basic', 'gang'),
);

const TEMPLATE_REFERENCE = message(
  {
    workload: rules(
      [optional],
      message({
        workloadName: rules([requiredValue], textForm(dnsSubdomain)),
        podGroupTemplateName: rules([requiredValue], textForm(dnsLabel)),
      }),
    ),
  },
  oneOf('workload'),
);

const DECLARED = message({
  spec: message({
    podGroupTemplateRef: rules([immutable, optional], TEMPLATE_REFERENCE),
    schedulingPolicy: rules([immutable], CHOSEN_POLICY),
    schedulingConstraints: GROUP_CONSTRAINTS,
    resourceClaims: FIXED_CLAIMS,
    // Its default goes again without the feature.
    disruptionMode: rules(
      [forbiddenWithout(PREEMPTION_GATE), withGate(PREEMPTION_GATE, present), immutable],
      MODE,
    ),
    priorityClassName: rules(
      [forbiddenWithout(PREEMPTION_GATE), optionalValue, immutable],
      textForm(dnsSubdomain),
    ),
    priority: rules([forbiddenWithout(PREEMPTION_GATE), optional, immutable], PRIORITY_RANGE),
  }),
  status: message({ resourceClaimStatuses: CLAIM_STATUSES }),
});

export const POD_GROUP_V1ALPHA2 = defineKind<PodGroup>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1alpha2',
  kind: 'PodGroup',
  plural: 'podgroups',
  namespaced: true,
  message: 'scheduling.v1alpha2.PodGroup',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: definePrinter([
    NAME,
    policyCell('minCount'),
    workloadCell('spec.podGroupTemplateRef.workload.workloadName'),
    stateCell('PodGroupScheduled'),
    AGE,
  ]),

  dropDisabled({ status }, gates, stored) {
    dropClaimStatuses(status, stored?.spec, gates);
  },

  validate: (object, stored, { gates }) => declaredErrors(DECLARED, object, stored, gates),

  validateStatusUpdate: ({ spec, status }) => [
    ...conditionErrors(status?.conditions, 'status.conditions'),
    ...claimStatusErrors(spec, status),
  ],
});
