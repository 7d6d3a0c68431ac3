/** Which nodes a pod or a volume is for (README.md#nodes). */
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '#messages/core.v1';
import { appendAll } from '../../../base/append-all.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabelName, checkOperator } from '../../../semantics/metadata/label-validation.ts';
import { dnsSubdomain, labelValue } from '../../../semantics/metadata/names.ts';

/**
 * Adds the problems of a selector at the path `field` to `errors`. Values that no label can have
 * stay where `stored`, a selector that is replaced, has such a value already.
 */
export function checkNodeSelector(
  { nodeSelectorTerms = [] }: NodeSelector,
  field: string,
  errors: FieldError[],
  stored?: NodeSelector,
): void {
  const at = `${field}.nodeSelectorTerms`;
  if (nodeSelectorTerms.length === 0) {
    errors.push(required(at, 'must have at least one node selector term'));
  }
  nodeSelectorTerms.forEach((term, index) => {
    checkNodeSelectorTerm(term, `${at}[${index}]`, errors);
  });
  if (!ownRelease().has('checkedNodeValues')) return;
  if (valueErrors(stored?.nodeSelectorTerms ?? [], at).length > 0) return;
  appendAll(errors, valueErrors(nodeSelectorTerms, at));
}

function valueErrors(terms: readonly NodeSelectorTerm[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  terms.forEach(({ matchExpressions = [] }, index) => {
    matchExpressions.forEach(({ values = [] }, at) => {
      const path = `${field}[${index}].matchExpressions[${at}].values`;
      values.forEach((value, place) => {
        addProblems(labelValue(value), `${path}[${place}]`, value, errors);
      });
    });
  });
  return errors;
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
