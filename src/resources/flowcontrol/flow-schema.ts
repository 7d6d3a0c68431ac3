/** FlowSchema (README.md#flow-control). */
import type { FlowSchema } from '#messages/flowcontrol.v1beta2';
import {
  addProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/field-error.ts';
import { dnsSubdomain } from '../../semantics/names.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf, NONE } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import {
  betaVersion,
  checkFlowConditions,
  FLOW_CONTROL_GROUP,
  keepMetadata,
} from './flow-conditions.ts';
import { checkFixedSpec, FIXED_SCHEMAS } from './fixed-specs.ts';
import { checkFlowRules } from './flow-rules.ts';

const PRECEDENCE_MAX = 10_000;
const EXEMPT = 'exempt';
const METHODS = ['ByNamespace', 'ByUser'] as const;

const FLOW_SCHEMA_PRINTER = definePrinter<FlowSchema>()({
  columns: [
    NAME_COLUMN,
    column('PriorityLevel', 'string', 'The priority level of the requests that match.'),
    column('MatchingPrecedence', 'string', 'Of several schemas that match the lowest one counts.'),
    column('DistinguisherMethod', 'string', 'How the requests that match make up flows.'),
    AGE_COLUMN,
    column('MissingPL', 'string', 'Whether there is no such priority level.'),
  ],
  members: {
    spec: {
      priorityLevelConfiguration: true,
      matchingPrecedence: true,
      distinguisherMethod: true,
    },
    status: { conditions: { type: true, status: true } },
  },
  cells(object) {
    const { spec = {}, status = {} } = object;
    const dangling = status.conditions?.find(({ type }) => type === 'Dangling');
    return [
      nameOf(object),
      spec.priorityLevelConfiguration?.name ?? '',
      spec.matchingPrecedence ?? 0,
      spec.distinguisherMethod === undefined ? NONE : (spec.distinguisherMethod.type ?? ''),
      ageOf(object),
      dangling === undefined ? '?' : (dangling.status ?? ''),
    ];
  },
});

export const FLOW_SCHEMA = defineKind<FlowSchema>({
  group: FLOW_CONTROL_GROUP,
  version: 'v1beta2',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
  message: 'flowcontrol.v1beta2.FlowSchema',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  referenceStorage: 'v1beta1',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  otherVersions: [betaVersion('FlowSchema')],
  printer: FLOW_SCHEMA_PRINTER,

  validate({ spec = {}, status, metadata }) {
    const errors: FieldError[] = [];
    checkPrecedence(spec.matchingPrecedence ?? 0, metadata.name ?? '', errors);
    const { type: method = '' } = spec.distinguisherMethod ?? {};
    if (spec.distinguisherMethod !== undefined && !METHODS.some((one) => one === method)) {
      errors.push(notSupported('spec.distinguisherMethod.type', method, METHODS));
    }
    const { name = '' } = spec.priorityLevelConfiguration ?? {};
    const field = 'spec.priorityLevelConfiguration.name';
    if (name === '') errors.push(required(field, 'must reference a priority level'));
    else addProblems(dnsSubdomain(name), field, name, errors);
    spec.rules?.forEach((rules, index) => checkFlowRules(rules, `spec.rules[${index}]`, errors));
    checkFixedSpec(FIXED_SCHEMAS, metadata.name ?? '', spec, errors);
    checkFlowConditions(status?.conditions ?? [], errors);
    return errors;
  },

  prepareForStatusUpdate: keepMetadata,
});

function checkPrecedence(precedence: number, name: string, errors: FieldError[]): void {
  const refuse = (detail: string): void => {
    errors.push(invalid('spec.matchingPrecedence', precedence, detail));
  };
  if (precedence <= 0) refuse('must be a positive value');
  if (precedence > PRECEDENCE_MAX) refuse(`must not be greater than ${PRECEDENCE_MAX}`);
  if (precedence === 1 && name !== EXEMPT) {
    refuse("only the schema named 'exempt' may have matchingPrecedence 1");
  }
}
