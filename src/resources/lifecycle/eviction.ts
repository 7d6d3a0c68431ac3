/** Eviction (README.md#rules). */
import { serverNowMs } from '../../base/time/server-clock.ts';
import type { Eviction } from '#messages/lifecycle.v1alpha1';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { declaredErrors } from '../../semantics/validation/declared-rules.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { EVICTION_RULES } from './declared-evictions.ts';
import { REQUESTERS, RESPONDER, STATE, TARGET, TARGET_TYPE } from './eviction-cells.ts';
import { evictionStatusErrors } from './eviction-status.ts';

export const EVICTION = defineKind<Eviction>({
  group: ownGroup('lifecycle.cluster.io'),
  version: 'v1alpha1',
  kind: 'Eviction',
  plural: 'evictions',
  namespaced: true,
  message: 'lifecycle.v1alpha1.Eviction',
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
    RESPONDER.active,
    RESPONDER.state,
    RESPONDER.expected,
    REQUESTERS,
    AGE,
    RESPONDER.heartbeat,
    RESPONDER.message,
  ]),

  validate: (object, stored, { gates }) => declaredErrors(EVICTION_RULES, object, stored, gates),

  validateStatusUpdate: ({ status }, stored) =>
    evictionStatusErrors(status ?? {}, stored.status ?? {}, serverNowMs()),
});
