/** Named instances: the one model of resources that the scheduler understands. */
import type { NamedResourcesAttribute, NamedResourcesInstance } from '#messages/resource.v1alpha2';
import {
  addProblems,
  duplicate,
  invalid,
  invalidPrinted,
  printStrings,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkAttributesExpression } from '../../../schema/cel/device-expression.ts';
import { isVersion } from '../slice-devices.ts';

const VALUES = ['bool', 'int', 'intSlice', 'quantity', 'string', 'stringSlice', 'version'] as const;

/** A model is there. */
export function checkModel<Model>(
  model: Model | undefined,
  field: string,
  errors: FieldError[],
  check: (model: Model, field: string) => void,
): void {
  if (model === undefined) {
    errors.push(required(field || '<nil>', 'exactly one structured model field must be set'));
  } else check(model, field === '' ? 'namedResources' : `${field}.namedResources`);
}

/** The error of a list or a text that is too long, as these kinds say it. */
export function notLonger(field: string, most: number): FieldError {
  const message = `Too long: may not be longer than ${most}`;
  return { reason: 'FieldValueTooLong', field, message };
}

/** Names of drivers, each once. */
export function checkDriversOnce(
  drivers: readonly { readonly driverName?: string }[],
  field: string,
  errors: FieldError[],
): void {
  checkNamesOnce(
    drivers.map(({ driverName = '' }) => driverName),
    field,
    'driverName',
    errors,
  );
}

function checkNamesOnce(
  names: readonly string[],
  field: string,
  member: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (seen.has(name)) errors.push(duplicate(`${field}[${index}].${member}`, name));
    seen.add(name);
  });
}

export function checkInstances(
  instances: readonly NamedResourcesInstance[],
  field: string,
  errors: FieldError[],
): void {
  instances.forEach(({ name = '', attributes = [] }, index) => {
    const at = `${field}[${index}]`;
    addProblems(dnsSubdomain(name), `${at}.name`, name, errors);
    checkAttributes(attributes, `${at}.attributes`, errors);
  });
  checkNamesOnce(
    instances.map(({ name = '' }) => name),
    field,
    'name',
    errors,
  );
}

function checkAttributes(
  attributes: readonly NamedResourcesAttribute[],
  field: string,
  errors: FieldError[],
): void {
  attributes.forEach((attribute, index) => {
    const at = `${field}[${index}]`;
    const { name = '', version } = attribute;
    addProblems(dnsSubdomain(name), `${at}.name`, name, errors);
    if (version !== undefined && !isVersion(version)) {
      const detail = 'must be a string compatible with semver.org spec 2.0.0';
      errors.push(invalid(`${at}.version`, version, detail));
    }
    const set = VALUES.filter((member) => attribute[member] !== undefined);
    if (set.length === 0) errors.push(required(at, 'exactly one value must be set'));
    else if (set.length > 1) {
      const detail = 'exactly one field must be set, not several';
      errors.push(invalidPrinted(at, printStrings(set), detail));
    }
  });
  checkNamesOnce(
    attributes.map(({ name = '' }) => name),
    field,
    'name',
    errors,
  );
}

/** An expression over the attributes of an instance; one that is stored is not compiled again. */
export function checkSelector(
  { selector = '' }: { readonly selector?: string },
  field: string,
  errors: FieldError[],
  isStored: boolean,
): void {
  const at = `${field}.selector`;
  if (selector === '') errors.push(required(at));
  else if (!isStored) {
    const problem = checkAttributesExpression(selector);
    if (problem !== '') errors.push(invalid(at, selector, problem));
  }
}
