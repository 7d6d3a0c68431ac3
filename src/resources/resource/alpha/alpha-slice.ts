/** ResourceSlice, in the release in which it has named resources (README.md). */
import type { ResourceSlice } from '#messages/resource.v1alpha2';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { defineKind } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';
import { checkDriver } from '../device-names.ts';
import { RESOURCE_GROUP } from '../released-versions.ts';
import { checkInstances, checkModel } from './named-resources.ts';

export const ALPHA_RESOURCE_SLICE = defineKind<ResourceSlice>({
  group: RESOURCE_GROUP,
  version: 'v1alpha2',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  namespaced: false,
  message: 'resource.v1alpha2.ResourceSlice',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  unsupportedFieldText: (field, groupVersion) =>
    `field label not supported for ${groupVersion}, Kind=ResourceSlice: ${field}`,
  selectableFields: {
    nodeName: ({ nodeName = '' }) => nodeName,
    driverName: ({ driverName = '' }) => driverName,
  },
  indexedFields: ['nodeName'],
  printer: definePrinter([
    NAME,
    text('Node', 'The node of the resources.', 'nodeName'),
    text('Driver', 'The driver of the resources.', 'driverName'),
    AGE,
  ]),

  validate({ nodeName = '', driverName = '', namedResources }) {
    const errors: FieldError[] = [];
    if (nodeName !== '') addProblems(dnsSubdomain(nodeName), 'nodeName', nodeName, errors);
    checkDriver(driverName, 'driverName', errors);
    checkModel(namedResources, '', errors, ({ instances = [] }, field) => {
      checkInstances(instances, `${field}.instances`, errors);
    });
    return errors;
  },

  validateUpdate(object, stored) {
    return (['nodeName', 'driverName'] as const)
      .filter((member) => (object[member] ?? '') !== (stored[member] ?? ''))
      .map((member) => invalid(member, object[member] ?? '', FIELD_IMMUTABLE));
  },
});
