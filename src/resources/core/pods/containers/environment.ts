/** Environment variables of a container, and where their values come from. */
import type {
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  LocalObjectReference,
  PodSpec,
} from '#messages/core.v1';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notFound,
  required,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import {
  dnsLabel,
  dnsSubdomain,
  envVarName,
  relaxedEnvVarName,
} from '../../../../semantics/metadata/names.ts';
import { ownRelease } from '../../../../release/release.ts';
import { checkNamed } from '../../local-reference.ts';
import { checkNoBacksteps } from '../../volumes/volume-source-rules.ts';
import type { PodRules } from '../../pod-rules.ts';
import { forEachContainer } from './containers.ts';
import { checkFieldSelector, checkResourceSelector } from '../../downward-fields.ts';

/** Fields of a pod that a variable may show. */
const SHOWN_FIELDS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  ...(ownRelease().has('listedHostAddresses') ? ['status.hostIPs'] : []),
  'status.podIP',
  'status.podIPs',
];

const NO_SOURCE =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
const NO_SOURCE_OR_FILE =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or ' +
  '`fileKeyRef`';

/** Adds the problems of the variables at the path `field`. */
export function checkEnv(
  env: readonly EnvVar[],
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  env.forEach(({ name = '', value = '', valueFrom }, index) => {
    const at = `${field}[${index}]`;
    // A missing name is the schema's error.
    if (name !== '') addProblems(nameProblems(name, rules), `${at}.name`, name, errors);
    if (valueFrom) checkValueFrom(valueFrom, value, rules, `${at}.valueFrom`, errors);
  });
}

/** Where more names are allowed, or where the stored pod has such a name, others may be so too. */
function nameProblems(name: string, { gates, stored }: PodRules): readonly string[] {
  const problems = envVarName(name);
  if (problems.length === 0) return problems;
  const isRelaxed =
    gates.has('RelaxedEnvironmentVariableValidation') ||
    (ownRelease().has('keptVariableNames') && stored !== undefined && hasRelaxedName(stored));
  return isRelaxed ? relaxedEnvVarName(name) : problems;
}

function hasRelaxedName(spec: PodSpec): boolean {
  let found = false;
  forEachContainer(spec, '', ({ env = [], envFrom = [] }) => {
    const names = [...env.map(({ name }) => name), ...envFrom.map(({ prefix }) => prefix)];
    found ||= names.some(
      (name = '') => envVarName(name).length > 0 && relaxedEnvVarName(name).length === 0,
    );
  });
  return found;
}

/** Adds the problems of variables in files: their volumes are empty directories. */
export function checkFileVolumes(spec: PodSpec, field: string, errors: FieldError[]): void {
  forEachContainer(spec, field, ({ env }, path) => {
    env?.forEach(({ valueFrom }, index) => {
      if (valueFrom?.fileKeyRef === undefined) return;
      const { volumeName: name = '' } = valueFrom.fileKeyRef;
      const at = `${path}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const volume = spec.volumes?.findLast((one) => (one.name ?? '') === name);
      if (volume === undefined) errors.push(notFound(at, name));
      else if (volume.emptyDir === undefined) {
        errors.push(invalid(at, name, 'referenced volume must be of type emptyDir'));
      }
    });
  });
}

function checkValueFrom(
  source: EnvVarSource,
  value: string,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) {
    checkFieldSelector(fieldRef, SHOWN_FIELDS, `${field}.fieldRef`, errors);
    checkHostAddresses(fieldRef.fieldPath, rules, `${field}.fieldRef`, errors);
  }
  if (resourceFieldRef) {
    checkResourceSelector(resourceFieldRef, `${field}.resourceFieldRef`, errors);
  }
  if (configMapKeyRef) checkName(configMapKeyRef, `${field}.configMapKeyRef`, errors);
  if (secretKeyRef) checkName(secretKeyRef, `${field}.secretKeyRef`, errors);
  if (source.fileKeyRef) checkFileKey(source.fileKeyRef, `${field}.fileKeyRef`, errors);
  const problem = sourcesProblem(source, value, rules);
  if (problem !== '') errors.push(invalid(field, '', problem));
}

function checkHostAddresses(
  path: string | undefined,
  { gates }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  if (path !== 'status.hostIPs' || !ownRelease().has('listedHostAddresses')) return;
  if (gates.has('PodHostIPs')) return;
  const detail = "may not be set when feature gate 'PodHostIPs' is not enabled";
  errors.push(fieldForbidden(field, detail));
}

function checkFileKey(
  { key = '', volumeName = '', path = '' }: FileKeySelector,
  field: string,
  errors: FieldError[],
): void {
  if (key === '') errors.push(required(`${field}.key`));
  else addProblems(relaxedEnvVarName(key), `${field}.key`, key, errors);
  if (volumeName === '') errors.push(required(`${field}.volumeName`));
  else addProblems(dnsLabel(volumeName), `${field}.volumeName`, volumeName, errors);
  if (path === '') errors.push(required(`${field}.path`));
  else checkNoBacksteps(path, `${field}.path`, errors);
}

function sourcesProblem(source: EnvVarSource, value: string, rules: PodRules): string {
  const count = Object.keys(source).length;
  if (count === 0) return knowsFiles(rules) ? NO_SOURCE_OR_FILE : NO_SOURCE;
  if (value !== '') return 'may not be specified when `value` is not empty';
  return count > 1 ? 'may not have more than one field specified at a time' : '';
}

function knowsFiles({ gates, stored }: PodRules): boolean {
  if (gates.has('EnvFiles')) return true;
  let found = false;
  if (stored !== undefined) {
    forEachContainer(stored, '', ({ env }) => {
      found ||= env?.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined) === true;
    });
  }
  return found;
}

/** Adds the problems of the objects whose keys all become variables. */
export function checkEnvFrom(
  sources: readonly EnvFromSource[],
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  sources.forEach(({ prefix = '', configMapRef, secretRef }, index) => {
    const at = `${field}[${index}]`;
    if (prefix !== '') addProblems(nameProblems(prefix, rules), `${at}.prefix`, prefix, errors);
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
