/** Secret (README.md#configuration). */
import type { Secret } from '#messages/core.v1';
import { appendAll } from '../../base/append-all.ts';
import { textMap } from '../../base/text/text-map.ts';
import { ownRelease } from '../../release/release.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { invalid, required, tooLong, type FieldError } from '../../semantics/errors/field-error.ts';
import { base64Bytes, DATA_BYTES_MAX, immutableDataErrors } from '../data-size.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { keyPairProblem } from './key-pair.ts';

/** Annotations of a Secret with a token: whose it is. */
export const ACCOUNT_NAME = ownName('cluster.io/service-account.name');
export const ACCOUNT_UID = ownName('cluster.io/service-account.uid');
/** Labels of such a Secret: on which day its token was used last, or stopped to count. */
export const LAST_USED = ownName('cluster.io/legacy-token-last-used');
export const INVALID_SINCE = ownName('cluster.io/legacy-token-invalid-since');
/** Types that mean something to the server: the data of most has rules. */
export const SECRET_TYPE = {
  serviceAccountToken: ownName('cluster.io/service-account-token'),
  dockercfg: ownName('cluster.io/dockercfg'),
  dockerconfigjson: ownName('cluster.io/dockerconfigjson'),
  basicAuth: ownName('cluster.io/basic-auth'),
  sshAuth: ownName('cluster.io/ssh-auth'),
  tls: ownName('cluster.io/tls'),
  bootstrapToken: ownName('bootstrap.cluster.io/token'),
} as const;

export const SECRET = defineKind<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  message: 'core.v1.Secret',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  tellsEmpty: true,
  selectableFields: { type: (object) => object.type ?? '' },
  indexedFields: ['type'],
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Type', 'What the data is for: it says which entries there are.', 'type'),
    text('Data', 'How many entries it holds.', 'data{*}', (data = {}) => Object.keys(data).length),
    AGE,
  ]),

  /**
   * `stringData` is write-only: it is moved into `data` before anything else looks at the object.
   */
  applyDefaults(object) {
    const { stringData } = object;
    if (stringData === undefined) return;
    delete object.stringData;
    const data = (object.data ??= textMap());
    for (const key in stringData) {
      data[key] = Buffer.from(stringData[key] ?? '').toString('base64');
    }
  },

  validate(object) {
    const errors: FieldError[] = [];
    if (base64Bytes(object.data) > DATA_BYTES_MAX) errors.push(tooLong('data', DATA_BYTES_MAX));
    appendAll(errors, typeErrors(object));
    return errors;
  },

  ...(ownRelease().has('pairsInSecrets')
    ? { createWarnings: pairWarnings, updateWarnings: pairWarnings }
    : {}),

  validateUpdate(object, stored) {
    return immutableDataErrors(object, stored, ['data']);
  },
});

/** Who keeps a certificate with a key that is not its own is warned. */
function pairWarnings({ type, data = {} }: Secret): string[] {
  if (type !== SECRET_TYPE.tls) return [];
  const [certificate = '', key = ''] = [data['tls.crt'], data['tls.key']].map((text = '') =>
    Buffer.from(text, 'base64').toString('latin1'),
  );
  const problem = keyPairProblem(certificate, key);
  return problem === '' ? [] : [problem];
}

/** The keys that a secret of a well-known type must have. */
function typeErrors({ type, data = {}, metadata }: Secret): FieldError[] {
  switch (type) {
    case SECRET_TYPE.serviceAccountToken:
      if (metadata.annotations?.[ACCOUNT_NAME]) return [];
      return [required(`metadata.annotations[${ACCOUNT_NAME}]`)];
    case SECRET_TYPE.dockercfg:
      return jsonErrors(data, '.dockercfg');
    case SECRET_TYPE.dockerconfigjson:
      return jsonErrors(data, '.dockerconfigjson');
    case SECRET_TYPE.basicAuth:
      if (data['username'] !== undefined || data['password'] !== undefined) return [];
      return [required('data[username]'), required('data[password]')];
    case SECRET_TYPE.sshAuth:
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case SECRET_TYPE.tls:
      return ['tls.crt', 'tls.key']
        .filter((key) => data[key] === undefined)
        .map((key) => required(`data[${key}]`));
    default:
      return [];
  }
}

/** The value under `key` must be a JSON object. Errors do not show it. */
function jsonErrors(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const value = data[key];
  if (value === undefined) return [required(`data[${key}]`)];
  const problem = jsonObjectProblem(Buffer.from(value, 'base64').toString());
  if (problem === '') return [];
  return [invalid(`data[${key}]`, '<secret contents redacted>', problem)];
}

function jsonObjectProblem(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return '';
    return 'must be a JSON object';
  } catch {
    // The parser's own message would quote the secret.
    return text.trim() === '' ? 'unexpected end of JSON input' : 'must be well-formed JSON';
  }
}
