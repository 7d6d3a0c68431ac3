/** PriorityLevelConfiguration (README.md#flow-control). */
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '#messages/flowcontrol.v1beta2';
import { appendAll } from '../../base/append-all.ts';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { ownRelease } from '../../release/release.ts';
import {
  declaredErrors,
  message,
  onlyWith,
  optional,
  requiredValue,
  rules,
} from '../../semantics/validation/declared-rules.ts';
import { defineKind, specChanges, type RuleContext } from '../kind.ts';
import { AGE, NAME, NONE } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkFlowConditions, FLOW_CONTROL_GROUP, keepMetadata } from './flow-conditions.ts';
import { checkFixedSpec, FIXED_LEVELS } from './fixed-specs.ts';
import { KEEPS_ZERO, LEVEL_VERSIONS } from './flow-versions.ts';

const EXEMPT = 'exempt';
const TYPES = ['Exempt', 'Limited'] as const;
const RESPONSES = ['Queue', 'Reject'] as const;
const NOT_NEGATIVE = 'must be a non-negative integer';
/** Versions that have another name for the shares. */
const OLD_NAMES = /\/v1beta[12]$/;
const SHARES_COLUMN = ownRelease().has('nominalConcurrencyShares')
  ? 'NominalConcurrencyShares'
  : 'AssuredConcurrencyShares';
const QUEUES_MAX = 10_000_000;
const ENTROPY_BITS_MAX = 60;
const QUEUING = 'spec.limited.limitResponse.queuing';
/** Where these are declared they are told in other words, after what is not. */
const IS_DECLARED = ownRelease().has('declaredRules');

const LIMIT_RESPONSE = message({ type: requiredValue }, onlyWith('queuing', 'type', 'Queue', true));
const DECLARED = message({
  spec: message(
    {
      type: requiredValue,
      limited: rules([optional], message({ limitResponse: LIMIT_RESPONSE })),
    },
    onlyWith('exempt', 'type', 'Exempt', false),
    onlyWith('limited', 'type', 'Limited', true),
  ),
});

export const PRIORITY_LEVEL_CONFIGURATION = defineKind<PriorityLevelConfiguration>({
  group: FLOW_CONTROL_GROUP,
  version: 'v1beta2',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
  message: 'flowcontrol.v1beta2.PriorityLevelConfiguration',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  otherVersions: LEVEL_VERSIONS,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Type', 'Whether its requests are limited.', 'spec.type'),
    text(SHARES_COLUMN, 'Its share of the requests that are served.',
      'spec.limited{assuredConcurrencyShares}', numberOf('assuredConcurrencyShares')),
    text('Queues', 'How many queues its requests wait in.', `${QUEUING}{queues}`,
      numberOf('queues')),
    text('HandSize', 'How many of the queues a flow may use.', `${QUEUING}{handSize}`,
      numberOf('handSize')),
    text('QueueLengthLimit', 'How many requests may wait in a queue.',
      `${QUEUING}{queueLengthLimit}`, numberOf('queueLengthLimit')),
    AGE,
  ]),

  validate(object, stored, context) {
    const { spec = {}, status, metadata } = object;
    const errors: FieldError[] = [];
    if (metadata.annotations?.[KEEPS_ZERO] !== undefined && marksZero()) {
      const detail = `annotation '${KEEPS_ZERO}' is forbidden`;
      errors.push(fieldForbidden('metadata.annotations', detail));
    }
    checkSpec(spec, metadata.name === EXEMPT, context, errors);
    checkFixedSpec(FIXED_LEVELS, metadata.name ?? '', spec, errors);
    checkFlowConditions(status?.conditions ?? [], errors);
    if (IS_DECLARED) {
      appendAll(errors, declaredErrors(DECLARED, object, stored, context.gates));
    }
    return errors;
  },

  prepareForStatusUpdate: keepMetadata,
});

function marksZero(): boolean {
  return ownRelease().has('zeroConcurrencyShares');
}

function checkSpec(
  { type = '', limited, exempt }: PriorityLevelConfigurationSpec,
  isExempt: boolean,
  context: RuleContext,
  errors: FieldError[],
): void {
  if (isExempt !== (type === 'Exempt')) {
    const detail = ownRelease().has('flowControlTexts')
      ? "must be 'Exempt' if and only if `name` is 'exempt'"
      : "type must be 'Exempt' if and only if name is 'exempt'";
    errors.push(invalid('spec.type', type, detail));
  }
  if (type === 'Exempt') {
    if (limited !== undefined && !IS_DECLARED) {
      errors.push(fieldForbidden('spec.limited', 'must be nil if the type is not Limited'));
    }
    if (exempt !== undefined) checkExempt(exempt, 'spec.exempt', errors);
    return;
  }
  if (type !== 'Limited') {
    checkType(type, TYPES, 'spec.type', errors);
    return;
  }
  if (exempt !== undefined && !IS_DECLARED) {
    errors.push(fieldForbidden('spec.exempt', 'must be nil if the type is Limited'));
  }
  if (limited !== undefined) {
    checkLimited(limited, 'spec.limited', context, errors);
  } else if (!IS_DECLARED) {
    errors.push(required('spec.limited', 'must not be empty when type is Limited'));
  }
}

/** Adds the error of a type that is not known. */
function checkType(
  type: string,
  known: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  const isMissing = type === '' && ownRelease().has('flowControlTypesRequired');
  if (!isMissing) errors.push(notSupported(field, type, known));
  else if (!IS_DECLARED) errors.push(required(field));
}

function checkExempt(
  { nominalConcurrencyShares: shares = 0, lendablePercent }: ExemptPriorityLevelConfiguration,
  field: string,
  errors: FieldError[],
): void {
  if (shares < 0) errors.push(invalid(`${field}.nominalConcurrencyShares`, shares, NOT_NEGATIVE));
  checkLendable(lendablePercent, field, errors);
}

function checkLendable(percent = 0, field: string, errors: FieldError[]): void {
  if (percent >= 0 && percent <= 100) return;
  const detail = 'must be between 0 and 100, inclusive';
  errors.push(invalid(`${field}.lendablePercent`, percent, detail));
}

function checkLimited(
  limited: LimitedPriorityLevelConfiguration,
  field: string,
  { gates, groupVersion }: RuleContext,
  errors: FieldError[],
): void {
  const { assuredConcurrencyShares: shares = 0, lendablePercent, borrowingLimitPercent } = limited;
  const name = OLD_NAMES.test(groupVersion)
    ? 'assuredConcurrencyShares'
    : 'nominalConcurrencyShares';
  const allowsZero = gates.has('ZeroLimitedNominalConcurrencyShares');
  if (shares < 0 || (shares === 0 && !allowsZero)) {
    const detail = allowsZero ? NOT_NEGATIVE : 'must be positive';
    errors.push(invalid(`${field}.${name}`, shares, detail));
  }
  checkResponse(limited.limitResponse ?? {}, `${field}.limitResponse`, errors);
  checkLendable(lendablePercent, field, errors);
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0) {
    const detail = `if specified, ${NOT_NEGATIVE}`;
    errors.push(invalid(`${field}.borrowingLimitPercent`, borrowingLimitPercent, detail));
  }
}

function checkResponse(
  { type = '', queuing }: LimitResponse,
  path: string,
  errors: FieldError[],
): void {
  if (type === 'Reject') {
    if (queuing === undefined || IS_DECLARED) return;
    const detail = 'must be nil if limited.limitResponse.type is not Limited';
    errors.push(fieldForbidden(`${path}.queuing`, detail));
  } else if (type !== 'Queue') {
    checkType(type, RESPONSES, `${path}.type`, errors);
  } else if (queuing !== undefined) {
    checkQueuing(queuing, `${path}.queuing`, errors);
  } else if (!IS_DECLARED) {
    const detail = 'must not be empty if limited.limitResponse.type is Limited';
    errors.push(required(`${path}.queuing`, detail));
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
