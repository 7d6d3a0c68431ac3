/** ResourceClassParameters (README.md). */
import type { ResourceClassParameters } from '#messages/resource.v1alpha2';
import { type FieldError } from '../../../semantics/errors/field-error.ts';
import { defineKind } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter } from '../../printer.ts';
import { checkDriver } from '../device-names.ts';
import { RESOURCE_GROUP } from '../released-versions.ts';
import { GENERATED_FROM } from './generated-from.ts';
import { checkDriversOnce, checkModel, checkSelector } from './named-resources.ts';
import { checkClassReference } from './resource-class.ts';

export const RESOURCE_CLASS_PARAMETERS = defineKind<ResourceClassParameters>({
  group: RESOURCE_GROUP,
  version: 'v1alpha2',
  kind: 'ResourceClassParameters',
  plural: 'resourceclassparameters',
  namespaced: true,
  message: 'resource.v1alpha2.ResourceClassParameters',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  printer: definePrinter([NAME, GENERATED_FROM, AGE]),

  validate({ generatedFrom, vendorParameters = [], filters = [] }) {
    const errors: FieldError[] = [];
    checkClassReference(generatedFrom, 'generatedFrom', errors);
    filters.forEach(({ driverName = '', namedResources }, index) => {
      checkDriver(driverName, `filters[${index}].driverName`, errors);
      checkModel(namedResources, `filters[${index}]`, errors, (model, field) => {
        checkSelector(model, field, errors, false);
      });
    });
    checkDriversOnce(filters, 'filters', errors);
    vendorParameters.forEach(({ driverName = '' }, index) => {
      checkDriver(driverName, `vendorParameters[${index}].driverName`, errors);
    });
    checkDriversOnce(vendorParameters, 'vendorParameters', errors);
    return errors;
  },
});
