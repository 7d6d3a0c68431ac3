/** VolumeAttributesClass (README.md#storage). */
import type { VolumeAttributesClass } from '#messages/storage.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { fieldForbidden, required, type FieldError } from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkClassDriver, checkClassParameters } from './class-parameters.ts';

export const VOLUME_ATTRIBUTES_CLASS = defineKind<VolumeAttributesClass>({
  group: ownGroup('storage.cluster.io'),
  version: 'v1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  shortNames: ['vac'],
  namespaced: false,
  message: 'storage.v1.VolumeAttributesClass',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1beta1' }, { version: 'v1alpha1' }],
  printer: definePrinter([
    NAME,
    text('DriverName', 'The driver that changes volumes.', 'driverName'),
    AGE,
  ]),

  validate({ driverName = '', parameters = {} }) {
    const errors: FieldError[] = [];
    if (driverName === '') errors.push(required('driverName'));
    checkClassDriver(driverName, 'driverName', errors);
    checkClassParameters(parameters, errors);
    if (Object.keys(parameters).length === 0) {
      errors.push(required('parameters', 'must contain at least one key/value pair'));
    }
    return errors;
  },

  validateUpdate(object, stored) {
    return (['driverName', 'parameters'] as const)
      .filter((member) => !deepEqual(object[member], stored[member]))
      .map((member) => fieldForbidden(member, `updates to ${member} are forbidden.`));
  },
});
