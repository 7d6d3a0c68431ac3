/** PriorityLevelConfiguration (README.md#flow-control). */
import type {
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from '#messages/flowcontrol.v1beta2';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME, NONE } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import {
  betaVersion,
  checkFlowConditions,
  FLOW_CONTROL_GROUP,
  keepMetadata,
} from './flow-conditions.ts';
import { checkFixedSpec, FIXED_LEVELS } from './fixed-specs.ts';

const EXEMPT = 'exempt';
const TYPES = ['Exempt', 'Limited'] as const;
const RESPONSES = ['Queue', 'Reject'] as const;
const QUEUES_MAX = 10_000_000;
const ENTROPY_BITS_MAX = 60;
const QUEUING = 'spec.limited.limitResponse.queuing';

export const PRIORITY_LEVEL_CONFIGURATION = defineKind<PriorityLevelConfiguration>({
  group: FLOW_CONTROL_GROUP,
  version: 'v1beta2',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
  message: 'flowcontrol.v1beta2.PriorityLevelConfiguration',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  referenceStorage: 'v1beta1',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  otherVersions: [betaVersion('PriorityLevelConfiguration')],
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Type', 'Whether its requests are limited.', 'spec.type'),
    text('AssuredConcurrencyShares', 'Its share of the requests that are served.',
      'spec.limited{assuredConcurrencyShares}', numberOf('assuredConcurrencyShares')),
    text('Queues', 'How many queues its requests wait in.', `${QUEUING}{queues}`,
      numberOf('queues')),
    text('HandSize', 'How many of the queues a flow may use.', `${QUEUING}{handSize}`,
      numberOf('handSize')),
    text('QueueLengthLimit', 'How many requests may wait in a queue.',
      `${QUEUING}{queueLengthLimit}`, numberOf('queueLengthLimit')),
    AGE,
  ]),

  validate({ spec = {}, status, metadata }) {
    const errors: FieldError[] = [];
    const { type = '', limited } = spec;
    if ((metadata.name === EXEMPT) !== (type === 'Exempt')) {
      const detail = "type must be 'Exempt' if and only if name is 'exempt'";
      errors.push(invalid('spec.type', type, detail));
    }
    if (type === 'Exempt') {
      if (limited !== undefined) {
        errors.push(fieldForbidden('spec.limited', 'must be nil if the type is not Limited'));
      }
    } else if (type !== 'Limited') {
      errors.push(notSupported('spec.type', type, TYPES));
    } else if (limited === undefined) {
      errors.push(required('spec.limited', 'must not be empty when type is Limited'));
    } else {
      checkLimited(limited, 'spec.limited', errors);
    }
    checkFixedSpec(FIXED_LEVELS, metadata.name ?? '', spec, errors);
    checkFlowConditions(status?.conditions ?? [], errors);
    return errors;
  },

  prepareForStatusUpdate: keepMetadata,
});

function checkLimited(
  limited: LimitedPriorityLevelConfiguration,
  field: string,
  errors: FieldError[],
): void {
  const { assuredConcurrencyShares: shares = 0, limitResponse = {} } = limited;
  if (shares <= 0) {
    errors.push(invalid(`${field}.assuredConcurrencyShares`, shares, 'must be positive'));
  }
  const { type = '', queuing } = limitResponse;
  const path = `${field}.limitResponse`;
  if (type === 'Reject') {
    if (queuing === undefined) return;
    const detail = 'must be nil if limited.limitResponse.type is not Limited';
    errors.push(fieldForbidden(`${path}.queuing`, detail));
  } else if (type !== 'Queue') {
    errors.push(notSupported(`${path}.type`, type, RESPONSES));
  } else if (queuing === undefined) {
    const detail = 'must not be empty if limited.limitResponse.type is Limited';
    errors.push(required(`${path}.queuing`, detail));
  } else {
    checkQueuing(queuing, `${path}.queuing`, errors);
  }
}

function checkQueuing(queuing: QueuingConfiguration, field: string, errors: FieldError[]): void {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  if (queueLengthLimit <= 0) {
    errors.push(invalid(`${field}.queueLengthLimit`, queueLengthLimit, 'must be positive'));
  }
  if (queues <= 0) errors.push(invalid(`${field}.queues`, queues, 'must be positive'));
  else if (queues > QUEUES_MAX) {
    errors.push(invalid(`${field}.queues`, queues, `must not be greater than ${QUEUES_MAX}`));
  }
  const problem = handProblem(handSize, queues);
  if (problem !== '') errors.push(invalid(`${field}.handSize`, handSize, problem));
}

/**
 * Shuffle sharding: the queues for a request are chosen by the bits of one hash, which limits how
 * many combinations there can be.
 */
function handProblem(handSize: number, queues: number): string {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * handSize) <= ENTROPY_BITS_MAX) return '';
  return (
    `required entropy bits of deckSize ${queues} and handSize ${handSize} ` +
    `should not be greater than ${ENTROPY_BITS_MAX}`
  );
}

/** A number of settings that a level may lack. */
function numberOf(name: string) {
  return (settings?: Record<string, number>) => (settings ? (settings[name] ?? 0) : NONE);
}
