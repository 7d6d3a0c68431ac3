/** ConfigMap (README.md#configuration). */
import type { ConfigMap } from '#messages/core.v1';
import { invalid, tooLong, type FieldError } from '../../semantics/errors/field-error.ts';
import { base64Bytes, DATA_BYTES_MAX, immutableDataErrors, textBytes } from '../data-size.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

/**
 * The ConfigMap in each namespace with the certificates by which programs verify the API server.
 */
export const ROOT_CERTIFICATES = 'kube-root-ca.crt';

export const CONFIG_MAP = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  message: 'core.v1.ConfigMap',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  tellsEmpty: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Data', 'How many entries it holds.', 'data{*} binaryData{*}',
      (data = {}, binary = {}) => Object.keys(data).length + Object.keys(binary).length),
    AGE,
  ]),

  validate(object) {
    const errors: FieldError[] = [];
    for (const key in object.binaryData) {
      if (object.data === undefined || !Object.hasOwn(object.data, key)) continue;
      errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    if (textBytes(object.data) + base64Bytes(object.binaryData) > DATA_BYTES_MAX) {
      // The error concerns the whole object: the reference prints its empty path as `[]`.
      errors.push(tooLong('[]', DATA_BYTES_MAX));
    }
    return errors;
  },

  validateUpdate(object, stored) {
    return immutableDataErrors(object, stored, ['data', 'binaryData']);
  },
});
