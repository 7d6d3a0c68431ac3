/** Labels and label selectors inside an object (../README.md#names). */
import { stringifyGo } from '../../codec/json/go-json.ts';
import type { LabelSelector, LabelSelectorRequirement } from '#messages/meta.v1';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  invalidPrinted,
  printStrings,
  printTextMap,
  required,
  showsJson,
  type FieldError,
} from '../errors/field-error.ts';
import { labelValue, qualifiedName } from './names.ts';

/** Adds the problems of a map of labels to `errors`, all on the one path `field`. */
export function checkLabels(
  labels: Readonly<Record<string, string>>,
  field: string,
  errors: FieldError[],
): void {
  for (const key in labels) {
    checkLabelName(key, field, errors);
    const value = labels[key] ?? '';
    addProblems(labelValue(value), field, value, errors);
  }
}

/** Adds the problems of the key of a label, or of anything that is named like one. */
export function checkLabelName(key: string, field: string, errors: FieldError[]): void {
  addProblems(qualifiedName(key), field, key, errors);
}

/**
 * Adds the problems of a selector to `errors`; an absent selector has none. Values that no label
 * can have stay where `stored`, a selector that is replaced, has such a value already.
 */
export function checkLabelSelector(
  selector: LabelSelector | undefined,
  field: string,
  errors: FieldError[],
  stored?: LabelSelector,
): void {
  if (selector?.matchLabels !== undefined) {
    checkLabels(selector.matchLabels, `${field}.matchLabels`, errors);
  }
  const checksValues = ownRelease().has('checkedSelectorValues') && !hasInvalidValue(stored);
  selector?.matchExpressions?.forEach((requirement, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    checkRequirement(requirement, path, errors);
    if (!checksValues) return;
    requirement.values?.forEach((value, at) => {
      addProblems(labelValue(value), `${path}.values[${at}]`, value, errors);
    });
  });
}

/** Whether a selector asks for a value that no label can have. */
export function hasInvalidValue(selector: LabelSelector | undefined): boolean {
  const values = selector?.matchExpressions?.flatMap((requirement) => requirement.values ?? []);
  return values?.some((value) => labelValue(value).length > 0) === true;
}

function checkRequirement(
  { key = '', operator = '', values = [] }: LabelSelectorRequirement,
  field: string,
  errors: FieldError[],
): void {
  checkOperator(operator, values.length, field, errors);
  checkLabelName(key, `${field}.key`, errors);
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Checks a condition on fields; clients of later releases may have more operators. */
export function checkFieldRequirement(
  { key = '', operator = '', values = [] }: LabelSelectorRequirement,
  field: string,
  errors: FieldError[],
): void {
  if (key === '') errors.push(required(`${field}.key`, 'must be specified'));
  if (OPERATORS.includes(operator)) checkOperator(operator, values.length, field, errors);
}

/** Checks a condition on labels; clients of later releases may have more operators. */
export function checkLabelRequirement(
  { key = '', operator = '', values = [] }: LabelSelectorRequirement,
  field: string,
  errors: FieldError[],
): void {
  if (OPERATORS.includes(operator)) checkOperator(operator, values.length, field, errors);
  checkLabelName(key, `${field}.key`, errors);
  values.forEach((value, at) => {
    addProblems(labelValue(value), `${field}.values[${at}]`, value, errors);
  });
}

/** Checks the operator of a selector, and the number of its values. */
export function checkOperator(
  operator: string,
  valueCount: number,
  field: string,
  errors: FieldError[],
): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (valueCount > 0) return;
      errors.push(
        required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      );
      return;
    case 'Exists':
    case 'DoesNotExist':
      if (valueCount === 0) return;
      errors.push(
        fieldForbidden(
          `${field}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
      return;
    default:
      errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
}

/** `invalid` of a selector, which the reference server shows in its own syntax. */
export function invalidSelector(
  field: string,
  selector: LabelSelector | undefined,
  detail: string,
): FieldError {
  if (selector === undefined) return invalid(field, selector, detail);
  return invalidPrinted(field, printSelector(selector), detail);
}

function printSelector(selector: LabelSelector): string {
  const { matchLabels, matchExpressions } = selector;
  if (showsJson()) return jsonSelector(selector);
  const type = '[]v1.LabelSelectorRequirement';
  const requirements = matchExpressions?.map(printRequirement).join(', ');
  const expressions = requirements === undefined ? `${type}(nil)` : `${type}{${requirements}}`;
  const labels = printTextMap(matchLabels);
  return `v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:${expressions}}`;
}

/** Empty parts are left out. */
function jsonSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels).length > 0 ? printTextMap(matchLabels) : '';
  const requirements = matchExpressions.map(({ key = '', operator = '', values = [] }) => ({
    key,
    operator,
    ...(values.length > 0 && { values }),
  }));
  const members = [
    ...(labels === '' ? [] : [`"matchLabels":${labels}`]),
    ...(requirements.length === 0 ? [] : [`"matchExpressions":${stringifyGo(requirements)}`]),
  ];
  return `{${members.join(',')}}`;
}

function printRequirement({ key = '', operator = '', values }: LabelSelectorRequirement): string {
  const texts = values === undefined ? '[]string(nil)' : printStrings(values);
  const [name, verb] = [quoteText(key), quoteText(operator)];
  return `v1.LabelSelectorRequirement{Key:${name}, Operator:${verb}, Values:${texts}}`;
}
