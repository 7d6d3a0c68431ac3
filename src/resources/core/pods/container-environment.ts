/** Environment variables of a container, and where their values come from (README.md#pods). */
import type { EnvFromSource, EnvVar, EnvVarSource, LocalObjectReference } from '#messages/core.v1';
import { addProblems, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain, envVarName } from '../../../semantics/metadata/names.ts';
import { checkNamed } from '../local-reference.ts';
import { checkFieldSelector, checkResourceSelector } from '../downward-fields.ts';

/** Fields of a pod that a variable may show. */
const SHOWN_FIELDS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];

const NO_SOURCE =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';

/** Adds the problems of the variables at the path `field`. */
export function checkEnv(env: readonly EnvVar[], field: string, errors: FieldError[]): void {
  env.forEach(({ name = '', value = '', valueFrom }, index) => {
    const at = `${field}[${index}]`;
    // A missing name is the schema's error.
    if (name !== '') addProblems(envVarName(name), `${at}.name`, name, errors);
    if (valueFrom) checkValueFrom(valueFrom, value, `${at}.valueFrom`, errors);
  });
}

function checkValueFrom(
  source: EnvVarSource,
  value: string,
  field: string,
  errors: FieldError[],
): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) checkFieldSelector(fieldRef, SHOWN_FIELDS, `${field}.fieldRef`, errors);
  if (resourceFieldRef) {
    checkResourceSelector(resourceFieldRef, `${field}.resourceFieldRef`, errors);
  }
  if (configMapKeyRef) checkName(configMapKeyRef, `${field}.configMapKeyRef`, errors);
  if (secretKeyRef) checkName(secretKeyRef, `${field}.secretKeyRef`, errors);
  const problem = sourcesProblem(source, value);
  if (problem !== '') errors.push(invalid(field, '', problem));
}

function sourcesProblem(source: EnvVarSource, value: string): string {
  const count = Object.keys(source).length;
  if (count === 0) return NO_SOURCE;
  if (value !== '') return 'may not be specified when `value` is not empty';
  return count > 1 ? 'may not have more than one field specified at a time' : '';
}

/** Adds the problems of the objects whose keys all become variables. */
export function checkEnvFrom(
  sources: readonly EnvFromSource[],
  field: string,
  errors: FieldError[],
): void {
  sources.forEach(({ prefix = '', configMapRef, secretRef }, index) => {
    const at = `${field}[${index}]`;
    if (prefix !== '') addProblems(envVarName(prefix), `${at}.prefix`, prefix, errors);
    if (configMapRef) checkPrefix(configMapRef, `${at}.configMapRef`, errors);
    if (secretRef) checkPrefix(secretRef, `${at}.secretRef`, errors);
    // The reference names the whole list here.
    if (configMapRef === undefined && secretRef === undefined) {
      errors.push(invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      errors.push(invalid(field, '', 'may not have more than one field specified at a time'));
    }
  });
}

/** A reference to a key must name its object; an empty name is not valid. */
function checkName({ name = '' }: LocalObjectReference, field: string, errors: FieldError[]): void {
  addProblems(dnsSubdomain(name), `${field}.name`, name, errors);
}

/** Where a source gives all keys, its name may end in a dash, as in the reference. */
function checkPrefix(reference: LocalObjectReference, field: string, errors: FieldError[]): void {
  checkNamed(reference, field, errors);
  const { name = '' } = reference;
  if (name !== '') addProblems(dnsSubdomain(name, true), `${field}.name`, name, errors);
}
