/** The selectors of access reviews (src/auth/README.md#selectors). */
import type { ResourceAttributes, SubjectAccessReviewSpec } from '#messages/authorization.v1';
import type { AccessAttributes } from '../../auth/authorizer.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { invalid, required } from '../../semantics/errors/field-error.ts';
import {
  checkFieldRequirement,
  checkLabelRequirement,
} from '../../semantics/metadata/label-validation.ts';
import { labelValue, qualifiedName } from '../../semantics/metadata/names.ts';
import type { FieldTerm } from '../../semantics/selectors/field-selector.ts';
import { parseFieldSelector } from '../../semantics/selectors/field-selector.ts';
import type { LabelRequirement } from '../../semantics/selectors/label-selector.ts';
import { parseLabelSelector } from '../../semantics/selectors/label-selector.ts';

type FieldSelector = NonNullable<ResourceAttributes['fieldSelector']>;
type LabelSelector = NonNullable<ResourceAttributes['labelSelector']>;

const HOME = 'spec.resourceAttributes';

/** The readable part of a selector, and whether that is all of it. */
interface Read<T> {
  readonly conditions: readonly T[];
  readonly isWhole: boolean;
}

export function selectorErrors({ resourceAttributes }: SubjectAccessReviewSpec): FieldError[] {
  const { fieldSelector, labelSelector } = resourceAttributes ?? {};
  return [
    ...errorsOf(fieldSelector, `${HOME}.fieldSelector`, checkFieldRequirement),
    ...errorsOf(labelSelector, `${HOME}.labelSelector`, checkLabelRequirement),
  ];
}

/** The selectors as authorizers look at them. */
export function askedSelectors({
  fieldSelector,
  labelSelector,
}: ResourceAttributes): Pick<AccessAttributes, 'fieldSelector' | 'labelSelector'> {
  return {
    ...(fieldSelector && { fieldSelector: readFields(fieldSelector).conditions }),
    ...(labelSelector && { labelSelector: readLabels(labelSelector).conditions }),
  };
}

/** Tells in the answer of selectors that could not be read, or in part. */
export function unreadSelectors({ fieldSelector, labelSelector }: ResourceAttributes): string[] {
  return [
    ...ignoredText('fieldSelector', fieldSelector && readFields(fieldSelector)),
    ...ignoredText('labelSelector', labelSelector && readLabels(labelSelector)),
  ];
}

function errorsOf<Requirement extends object>(
  selector:
    { readonly rawSelector?: string; readonly requirements?: readonly Requirement[] } | undefined,
  path: string,
  check: (requirement: Requirement, path: string, errors: FieldError[]) => void,
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    errors.push(invalid(`${path}.rawSelector`, rawSelector, detail));
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(required(`${path}.requirements`, detail));
  }
  requirements.forEach((one, at) => check(one, `${path}.requirements[${at}]`, errors));
  return errors;
}

function ignoredText(member: string, read: Read<unknown> | undefined): string[] {
  if (read === undefined || read.isWhole) return [];
  const how = read.conditions.length > 0 ? 'partially ignored' : 'ignored';
  return [`${HOME}.${member} ${how} due to parse error`];
}

function readFields({ rawSelector = '', requirements = [] }: FieldSelector): Read<FieldTerm> {
  if (rawSelector !== '') return readText(() => parseFieldSelector(rawSelector).terms);
  const conditions = requirements.flatMap((one) => readField(one) ?? []);
  return { conditions, isWhole: conditions.length === requirements.length };
}

function readField({
  key: field = '',
  operator = '',
  values: [value, ...more] = [],
}: NonNullable<FieldSelector['requirements']>[number]): FieldTerm | undefined {
  if (value === undefined || more.length > 0) return undefined;
  if (operator === 'In') return { field, operator: '=', value };
  return operator === 'NotIn' ? { field, operator: '!=', value } : undefined;
}

function readLabels({
  rawSelector = '',
  requirements = [],
}: LabelSelector): Read<LabelRequirement> {
  if (rawSelector !== '') return readText(() => parseLabelSelector(rawSelector).requirements);
  const conditions = requirements.flatMap((one) => readLabel(one) ?? []);
  return { conditions, isWhole: conditions.length === requirements.length };
}

function readLabel({
  key = '',
  operator = '',
  values = [],
}: NonNullable<LabelSelector['requirements']>[number]): LabelRequirement | undefined {
  if (qualifiedName(key).length > 0) return undefined;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.some((value) => labelValue(value).length > 0)) return undefined;
      return { key, operator, values };
    case 'Exists':
    case 'DoesNotExist':
      return { key, operator, values: [] };
    default:
      return undefined;
  }
}

function readText<T>(read: () => readonly T[]): Read<T> {
  try {
    return { conditions: read(), isWhole: true };
  } catch {
    return { conditions: [], isWhole: false };
  }
}
