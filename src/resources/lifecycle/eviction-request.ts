/** EvictionRequest (README.md#rules). */
import type { EvictionRequest } from '#messages/lifecycle.v1alpha1';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { conditionErrors } from '../../semantics/validation/condition-validation.ts';
import { declaredErrors } from '../../semantics/validation/declared-rules.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { EVICTION_REQUEST_RULES } from './declared-evictions.ts';
import { STATE, TARGET, TARGET_TYPE } from './eviction-cells.ts';

export const EVICTION_REQUEST = defineKind<EvictionRequest>({
  group: ownGroup('lifecycle.cluster.io'),
  version: 'v1alpha1',
  kind: 'EvictionRequest',
  plural: 'evictionrequests',
  namespaced: true,
  message: 'lifecycle.v1alpha1.EvictionRequest',
  nameRule: 'dnsSubdomain',
  uncheckedGenerateName: true,
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  printer: definePrinter([
    NAME,
    TARGET,
    TARGET_TYPE,
    STATE,
    text('Requester', 'Who wants the eviction.', 'spec.requester'),
    text('Intent', 'What the requester wants.', 'spec.intent'),
    AGE,
  ]),

  validate: (object, stored, { gates }) =>
    declaredErrors(EVICTION_REQUEST_RULES, object, stored, gates),

  validateStatusUpdate: ({ status }) => conditionErrors(status?.conditions, 'status.conditions'),
});
