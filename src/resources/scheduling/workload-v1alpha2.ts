/** Workload in v1alpha2, which is the only version of its release (README.md#rules). */
import type { Workload } from '#messages/scheduling.v1alpha2';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';
import {
  declaredErrors,
  forbiddenWithout,
  immutable,
  keyedItems,
  maxItems,
  message,
  optional,
  optionalValue,
  present,
  requiredValue,
  rules,
  textForm,
} from '../../semantics/validation/declared-rules.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { CONSTRAINTS, CONTROLLER, FIXED_CLAIMS, templateShown } from './declared-groups.ts';
import { CHOSEN_POLICY, MODE, PREEMPTION_GATE, PRIORITY_RANGE } from './pod-group-v1alpha2.ts';

const TEMPLATES_MAX = 8;

const TEMPLATE = message({
  name: rules([requiredValue], textForm(dnsLabel)),
  schedulingPolicy: CHOSEN_POLICY,
  schedulingConstraints: rules(
    [forbiddenWithout('TopologyAwareWorkloadScheduling'), optional],
    CONSTRAINTS,
  ),
  resourceClaims: FIXED_CLAIMS,
  disruptionMode: rules([forbiddenWithout(PREEMPTION_GATE), optional], MODE),
  priorityClassName: rules(
    [forbiddenWithout(PREEMPTION_GATE), optionalValue],
    textForm(dnsSubdomain),
  ),
  priority: rules([forbiddenWithout(PREEMPTION_GATE), optional], PRIORITY_RANGE),
});

const DECLARED = message({
  spec: message({
    controllerRef: CONTROLLER,
    podGroupTemplates: rules(
      [immutable, maxItems(TEMPLATES_MAX), present],
      keyedItems('name', TEMPLATE, templateShown),
    ),
  }),
});

export const WORKLOAD_V1ALPHA2 = defineKind<Workload>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1alpha2',
  kind: 'Workload',
  plural: 'workloads',
  namespaced: true,
  message: 'scheduling.v1alpha2.Workload',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: definePrinter([NAME, AGE]),

  /** Templates are told by their place. */
  dropDisabled({ spec }, gates, stored) {
    spec?.podGroupTemplates?.forEach((template, index) => {
      const before = stored?.spec?.podGroupTemplates?.[index];
      const topology = 'TopologyAwareWorkloadScheduling';
      dropDisabledMember(gates, topology, template, before, 'schedulingConstraints');
      dropDisabledMember(gates, 'DRAWorkloadResourceClaims', template, before, 'resourceClaims');
      for (const member of ['disruptionMode', 'priorityClassName', 'priority'] as const) {
        dropDisabledMember(gates, PREEMPTION_GATE, template, before, member);
      }
    });
  },

  validate: (object, stored, { gates }) => declaredErrors(DECLARED, object, stored, gates),
});
