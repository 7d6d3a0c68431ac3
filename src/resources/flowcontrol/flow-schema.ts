/** FlowSchema (README.md#flow-control). */
import type {
  FlowDistinguisherMethod,
  FlowSchema,
  FlowSchemaCondition,
} from '#messages/flowcontrol.v1beta2';
import {
  addProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, count, NAME, NONE } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkFlowConditions, FLOW_CONTROL_GROUP, keepMetadata } from './flow-conditions.ts';
import { checkFixedSpec, FIXED_SCHEMAS } from './fixed-specs.ts';
import { checkFlowRules } from './flow-rules.ts';
import { SCHEMA_VERSIONS } from './flow-versions.ts';

const PRECEDENCE_MAX = 10_000;
const EXEMPT = 'exempt';
const METHODS = ['ByNamespace', 'ByUser'] as const;

export const FLOW_SCHEMA = defineKind<FlowSchema>({
  group: FLOW_CONTROL_GROUP,
  version: 'v1beta2',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
  message: 'flowcontrol.v1beta2.FlowSchema',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  otherVersions: SCHEMA_VERSIONS,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('PriorityLevel', 'The priority level of the requests that match.',
      'spec.priorityLevelConfiguration.name'),
    text('MatchingPrecedence', 'Of several schemas that match the lowest one counts.',
      'spec.matchingPrecedence', count),
    text('DistinguisherMethod', 'How the requests that match make up flows.',
      'spec.distinguisherMethod',
      (method?: FlowDistinguisherMethod) => (method ? (method.type ?? '') : NONE)),
    AGE,
    text('MissingPL', 'Whether there is no such priority level.', 'status.conditions{type status}',
      danglingText),
  ]),

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

function danglingText(conditions: readonly FlowSchemaCondition[] = []): string {
  const dangling = conditions.find(({ type }) => type === 'Dangling');
  return dangling === undefined ? '?' : (dangling.status ?? '');
}
