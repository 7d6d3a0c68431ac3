/** Which nodes a pod or a volume is for (README.md#nodes). */
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '#messages/core.v1';
import {
  addProblems,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabelName, checkOperator } from '../../../semantics/metadata/label-validation.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';

/** Adds the problems of a selector at the path `field` to `errors`. */
export function checkNodeSelector(
  { nodeSelectorTerms = [] }: NodeSelector,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.nodeSelectorTerms`;
  if (nodeSelectorTerms.length === 0) {
    errors.push(required(at, 'must have at least one node selector term'));
  }
  nodeSelectorTerms.forEach((term, index) => {
    checkNodeSelectorTerm(term, `${at}[${index}]`, errors);
  });
}

/** One term: all of its requirements together. */
export function checkNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  field: string,
  errors: FieldError[],
): void {
  matchExpressions.forEach((requirement, index) => {
    checkExpression(requirement, `${field}.matchExpressions[${index}]`, errors);
  });
  matchFields.forEach((requirement, index) => {
    checkFieldRequirement(requirement, `${field}.matchFields[${index}]`, errors);
  });
}

function checkExpression(
  { key = '', operator = '', values = [] }: NodeSelectorRequirement,
  field: string,
  errors: FieldError[],
): void {
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      errors.push(required(`${field}.values`, detail));
    }
  } else {
    checkOperator(operator, values.length, field, errors);
  }
  checkLabelName(key, `${field}.key`, errors);
}

/** Nodes are selected by one field only, their name. */
function checkFieldRequirement(
  { key = '', operator = '', values = [] }: NodeSelectorRequirement,
  field: string,
  errors: FieldError[],
): void {
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${field}.values`, detail));
  }
  if (key !== 'metadata.name') {
    errors.push(invalid(`${field}.key`, key, 'not a valid field selector key'));
    return;
  }
  values.forEach((value, index) => {
    addProblems(dnsSubdomain(value), `${field}.values[${index}]`, value, errors);
  });
}
