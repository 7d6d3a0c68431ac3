/** ResourceClass (README.md). */
import type { ResourceClass, ResourceClassParametersReference } from '#messages/resource.v1alpha2';
import { addProblems, required, type FieldError } from '../../../semantics/errors/field-error.ts';
import { dnsLabel } from '../../../semantics/metadata/names.ts';
import { checkNodeSelector } from '../../core/nodes/node-selector.ts';
import { defineKind } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';
import { checkDriver } from '../device-names.ts';
import { RESOURCE_GROUP, releasedVersions } from '../released-versions.ts';

export const RESOURCE_CLASS = defineKind<ResourceClass>({
  group: RESOURCE_GROUP,
  version: 'v1alpha2',
  kind: 'ResourceClass',
  plural: 'resourceclasses',
  namespaced: false,
  message: 'resource.v1alpha2.ResourceClass',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  otherVersions: releasedVersions('ResourceClass', [{ version: 'v1alpha1' }]),
  printer: definePrinter([
    NAME,
    text('DriverName', 'The driver of the resources.', 'driverName'),
    AGE,
  ]),

  validate({ driverName = '', parametersRef, suitableNodes }) {
    const errors: FieldError[] = [];
    checkDriver(driverName, 'driverName', errors);
    checkClassReference(parametersRef, 'parametersRef', errors);
    if (suitableNodes !== undefined) checkNodeSelector(suitableNodes, 'suitableNodes', errors);
    return errors;
  },
});

export function checkClassReference(
  reference: ResourceClassParametersReference | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (reference === undefined) return;
  const { kind = '', name = '', namespace = '' } = reference;
  if (kind === '') errors.push(required(`${field}.kind`));
  if (name === '') errors.push(required(`${field}.name`));
  if (namespace !== '') {
    addProblems(dnsLabel(namespace), `${field}.namespace`, namespace, errors);
  }
}
