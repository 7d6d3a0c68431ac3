/** The node selector of a volume's affinity (API-FACTS 14.2). */
import { invalid, required, type FieldError } from '../../semantics/field-error.ts';
import { checkLabelName, checkOperator } from '../../semantics/label-validation.ts';
import { dnsSubdomain } from '../../semantics/names.ts';

interface NodeSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

export interface NodeSelector {
  nodeSelectorTerms?: {
    matchExpressions?: NodeSelectorRequirement[];
    matchFields?: NodeSelectorRequirement[];
  }[];
}

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
  nodeSelectorTerms.forEach(({ matchExpressions = [], matchFields = [] }, index) => {
    matchExpressions.forEach((requirement, number) => {
      checkExpression(requirement, `${at}[${index}].matchExpressions[${number}]`, errors);
    });
    matchFields.forEach((requirement, number) => {
      checkFieldRequirement(requirement, `${at}[${index}].matchFields[${number}]`, errors);
    });
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
    for (const problem of dnsSubdomain(value)) {
      errors.push(invalid(`${field}.values[${index}]`, value, problem));
    }
  });
}
