// Rows of kind Pod on the environment of its containers; `pod-containers.ts` has a full one.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CONFIG_KEY_HINT, NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import { containerRow as row, MINIMAL, MINIMAL_STORED, type Row } from '../../support/pod-cases.ts';

const ENV_HINT =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or " +
  "'.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or " +
  "'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";

const LONG_NAME = 'a'.repeat(254);

const env = (rule: string, source: Change, ...errors: string[]): Row =>
  row(
    `env: ${rule}`,
    { env: [{ name: 'A', valueFrom: source }] },
    ...errors.map((error) => `env[0].valueFrom${error}`),
  );

const ENVIRONMENT: KindCases['invalid'] = [
  row('env: a name', { env: [{ value: 'v' }] }, 'env[0].name: Required value'),
  row(
    'env: what names are made of',
    { env: [{ name: '1' }, { name: '..' }] },
    `env[0].name: Invalid value: "1": ${ENV_HINT}`,
    'env[1].name: Invalid value: "..": must not be \'..\'',
  ),
  env(
    'one source',
    {},
    ': Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, ' +
      '`configMapKeyRef` or `secretKeyRef`',
  ),
  env(
    'not two',
    { secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } },
    ': Invalid value: "": may not have more than one field specified at a time',
  ),
  row(
    'env: no value beside a source',
    { env: [{ name: 'A', value: 'v', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
    'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ),
  env(
    'keys and names of objects',
    { configMapKeyRef: { key: 'a/b' } },
    `.configMapKeyRef.key: Invalid value: "a/b": ${CONFIG_KEY_HINT}`,
    `.configMapKeyRef.name: Invalid value: "": ${SUBDOMAIN_HINT}`,
  ),
  env(
    'names of objects',
    { secretKeyRef: { name: 'A_B', key: 'k' } },
    `.secretKeyRef.name: Invalid value: "A_B": ${SUBDOMAIN_HINT}`,
  ),
  env(
    'names of objects are no longer than theirs can be',
    { configMapKeyRef: { name: LONG_NAME, key: 'k' } },
    `.configMapKeyRef.name: Invalid value: "${LONG_NAME}": must be no more than 253 characters`,
  ),
  row(
    'envFrom: names of objects',
    { envFrom: [{ secretRef: { name: 'A_B' } }, { configMapRef: { name: LONG_NAME } }] },
    `envFrom[0].secretRef.name: Invalid value: "A_B": ${SUBDOMAIN_HINT}`,
    `envFrom[1].configMapRef.name: Invalid value: "${LONG_NAME}": must be no more than 253 characters`,
  ),
  row('envFrom: names may go on', { envFrom: [{ secretRef: { name: 'a-' } }] }),
  env('a key', { secretKeyRef: { name: 's' } }, '.secretKeyRef.key: Required value'),
  env('a field', { fieldRef: {} }, '.fieldRef.fieldPath: Required value'),
  env(
    'a known field',
    { fieldRef: { fieldPath: 'spec.x' } },
    '.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not ' +
      'supported: spec.x',
  ),
  env(
    'a field of v1',
    { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } },
    '.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: ' +
      'unsupported pod version: v2',
  ),
  env(
    'a field that can be a variable',
    { fieldRef: { fieldPath: 'metadata.labels' } },
    '.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: ' +
      '"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", ' +
      '"spec.serviceAccountName", "status.hostIP", "status.podIP", "status.podIPs"',
  ),
  env(
    'keys of labels and annotations only',
    { fieldRef: { fieldPath: "spec.nodeName['a']" } },
    '.fieldRef.fieldPath: Invalid value: "spec.nodeName[\'a\']": error converting fieldPath: ' +
      "field label does not support subscript: spec.nodeName['a']",
  ),
  env(
    'a valid key',
    { fieldRef: { fieldPath: "metadata.labels['-']" } },
    `.fieldRef: Invalid value: "-": ${NAME_PART_HINT}`,
  ),
  env('a resource', { resourceFieldRef: {} }, '.resourceFieldRef.resource: Required value'),
  env(
    'a known resource',
    { resourceFieldRef: { resource: 'limits.gpu' } },
    '.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: ' +
      '"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", ' +
      '"requests.ephemeral-storage", "requests.memory"',
  ),
  env(
    'the divisor fits the resource',
    { resourceFieldRef: { resource: 'requests.cpu', divisor: '2' } },
    '.resourceFieldRef.divisor: Invalid value: "requests.cpu": only divisor\'s values 1m, 1 are ' +
      'supported with the cpu resource',
  ),
  row(
    'envFrom: a prefix',
    { envFrom: [{ prefix: '1', secretRef: { name: 's' } }] },
    `envFrom[0].prefix: Invalid value: "1": ${ENV_HINT}`,
  ),
  row(
    'envFrom: a name',
    { envFrom: [{ secretRef: {} }] },
    'envFrom[0].secretRef.name: Required value',
  ),
  row(
    'envFrom: a source',
    { envFrom: [{}] },
    'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
  ),
  row(
    'envFrom: not two',
    { envFrom: [{ secretRef: { name: 's' }, configMapRef: { name: 'c' } }] },
    'envFrom: Invalid value: "": may not have more than one field specified at a time',
  ),
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: MINIMAL,
  fullStored: MINIMAL_STORED,
  invalid: ENVIRONMENT,
};
