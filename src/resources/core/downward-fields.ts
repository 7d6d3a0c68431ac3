/**
 * The facts about itself that a pod may show its containers: its fields, and resources of
 * containers.
 */
import type { ObjectFieldSelector, ResourceFieldSelector } from '#messages/core.v1';
import {
  addProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { ownRelease } from '../../release/release.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';

/** Every field that has a name in selectors; each place of use supports some of them. */
const NAMED_FIELDS: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  ...(ownRelease().has('listedHostAddresses') ? ['status.hostIPs'] : []),
  'status.podIP',
  'status.podIPs',
]);

const SUBSCRIPT = /^([^[]+)\['(.*)'\]$/s;

const BYTE_DIVISORS = '1 1k 1M 1G 1T 1P 1E 1Ki 1Mi 1Gi 1Ti 1Pi 1Ei'.split(' ');

/** Resources by the word after `limits.` or `requests.`: the divisors, and the resource's name. */
const DIVISORS: Readonly<Record<string, readonly [units: readonly string[], name: string]>> = {
  cpu: [['1m', '1'], 'cpu'],
  memory: [BYTE_DIVISORS, 'memory'],
  'ephemeral-storage': [BYTE_DIVISORS, 'local ephemeral storage'],
};
const HUGE_PAGES = /^(?:limits|requests)\.hugepages-/;

const SHOWN_RESOURCES: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** One of `supported`, or one label or annotation. */
export function checkFieldSelector(
  { apiVersion = '', fieldPath = '' }: ObjectFieldSelector,
  supported: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.fieldPath`;
  if (fieldPath === '') {
    errors.push(required(at));
    return;
  }
  const [, path, key = ''] = SUBSCRIPT.exec(fieldPath) ?? [];
  const problem = conversionProblem(apiVersion, fieldPath, path);
  if (problem !== '') {
    errors.push(invalid(at, fieldPath, `error converting fieldPath: ${problem}`));
    return;
  }
  if (path !== undefined) {
    const name = path === 'metadata.annotations' ? key.toLowerCase() : key;
    addProblems(qualifiedName(name), field, key, errors);
    return;
  }
  const named = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!supported.includes(named)) errors.push(notSupported(at, named, supported));
}

function conversionProblem(apiVersion: string, label: string, path: string | undefined): string {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (path !== undefined) {
    const isMap = path === 'metadata.annotations' || path === 'metadata.labels';
    return isMap ? '' : `field label does not support subscript: ${label}`;
  }
  const isNamed = NAMED_FIELDS.has(label) || label === 'spec.host';
  return isNamed ? '' : `field label not supported: ${label}`;
}

/** A limit or request of a container: its own, unless the place of use names containers. */
export function checkResourceSelector(
  { containerName = '', resource = '', divisor = '0' }: ResourceFieldSelector,
  field: string,
  errors: FieldError[],
  namesContainer = false,
): void {
  if (namesContainer && containerName === '') {
    errors.push(required(`${field}.containerName`));
  } else if (resource === '') {
    errors.push(required(`${field}.resource`));
  } else if (!SHOWN_RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) {
    errors.push(notSupported(`${field}.resource`, resource, SHOWN_RESOURCES));
  }
  if (divisor !== '0' && divisor !== '') checkDivisor(resource, divisor, field, errors);
}

function checkDivisor(
  resource: string,
  divisor: string,
  field: string,
  errors: FieldError[],
): void {
  const [units, name] = divisorsOf(resource) ?? [];
  if (units === undefined || units.includes(divisor)) return;
  const values = units.join(', ');
  const detail = `only divisor's values ${values} are supported with the ${name} resource`;
  errors.push(invalid(`${field}.divisor`, resource, detail));
}

function divisorsOf(resource: string): readonly [readonly string[], string] | undefined {
  if (HUGE_PAGES.test(resource)) return [BYTE_DIVISORS, 'hugepages'];
  if (!SHOWN_RESOURCES.includes(resource)) return undefined;
  return DIVISORS[resource.slice(resource.indexOf('.') + 1)];
}
