/** Workload, from its first beta on (README.md#rules). */
import type { Workload } from '#messages/scheduling.v1alpha3';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { declaredErrors, message } from '../../semantics/validation/declared-rules.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { WORKLOAD_SPEC } from './declared-groups.ts';
import { dropDisabledOfTemplates, templateErrors } from './workload-templates.ts';

const DECLARED = message({ spec: WORKLOAD_SPEC });

export const WORKLOAD = defineKind<Workload>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1beta1',
  kind: 'Workload',
  plural: 'workloads',
  namespaced: true,
  message: 'scheduling.v1alpha3.Workload',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1alpha3' }],
  printer: definePrinter([NAME, AGE]),

  dropDisabled({ spec = {} }, gates, stored) {
    dropDisabledOfTemplates(spec, gates, stored?.spec);
  },

  validate: (object, stored, { gates }) => [
    ...templateErrors(object.spec ?? {}, 'spec'),
    ...declaredErrors(DECLARED, object, stored, gates),
  ],
});
