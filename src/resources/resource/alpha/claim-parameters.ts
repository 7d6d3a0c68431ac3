/** ResourceClaimParameters (README.md). */
import type { ResourceClaimParameters } from '#messages/resource.v1alpha2';
import { deepEqual } from '../../../base/deep-equal.ts';
import { required, type FieldError } from '../../../semantics/errors/field-error.ts';
import { defineKind } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter } from '../../printer.ts';
import { checkDriver } from '../device-names.ts';
import { RESOURCE_GROUP } from '../released-versions.ts';
import { checkReference } from './alpha-claim-rules.ts';
import { GENERATED_FROM } from './generated-from.ts';
import { checkDriversOnce, checkModel, checkSelector } from './named-resources.ts';

const NO_REQUESTS = 'empty entries with no requests are not allowed';

export const RESOURCE_CLAIM_PARAMETERS = defineKind<ResourceClaimParameters>({
  group: RESOURCE_GROUP,
  version: 'v1alpha2',
  kind: 'ResourceClaimParameters',
  plural: 'resourceclaimparameters',
  namespaced: true,
  message: 'resource.v1alpha2.ResourceClaimParameters',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  printer: definePrinter([NAME, GENERATED_FROM, AGE]),

  validate({ generatedFrom, driverRequests = [] }, stored) {
    const errors: FieldError[] = [];
    checkReference(generatedFrom, 'generatedFrom', errors);
    const before = stored?.driverRequests ?? [];
    const isStored = stored !== undefined && deepEqual(before, driverRequests);
    driverRequests.forEach(({ driverName = '', requests = [] }, index) => {
      const at = `driverRequests[${index}]`;
      checkDriver(driverName, `${at}.driverName`, errors);
      requests.forEach(({ namedResources }, place) => {
        checkModel(namedResources, `${at}.requests[${place}]`, errors, (model, field) => {
          checkSelector(model, field, errors, isStored);
        });
      });
      if (requests.length === 0) errors.push(required(`${at}.requests`, NO_REQUESTS));
    });
    checkDriversOnce(driverRequests, 'driverRequests', errors);
    return errors;
  },
});
