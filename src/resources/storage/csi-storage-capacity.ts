/** CSIStorageCapacity (SPEC "CSIStorageCapacity"; API-FACTS 14.2). */
import { quantitySign } from '../../codec/quantity.ts';
import { invalid, NOT_NEGATIVE, type FieldError } from '../../semantics/field-error.ts';
import { checkLabelSelector, type LabelSelector } from '../../semantics/label-validation.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { column, NAME_COLUMN, nameOf, UNSET } from '../printed.ts';
import type { Printer } from '../printer.ts';

export interface CSIStorageCapacity extends ApiObject {
  nodeTopology?: LabelSelector;
  storageClassName?: string;
  capacity?: string;
  maximumVolumeSize?: string;
}

const CSI_STORAGE_CAPACITY_PRINTER: Printer<CSIStorageCapacity> = {
  columns: [
    NAME_COLUMN,
    column('StorageClassName', 'string', 'The storage class that the report is about.'),
    column('Capacity', 'string', 'How much room the driver reported.'),
  ],
  cells: (object) => [nameOf(object), object.storageClassName ?? '', object.capacity ?? UNSET],
};

export const CSI_STORAGE_CAPACITY = defineKind<CSIStorageCapacity>({
  group: 'storage.cluster.io',
  version: 'v1beta1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  message: 'storage.v1beta1.CSIStorageCapacity',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: CSI_STORAGE_CAPACITY_PRINTER,

  validate(object) {
    const errors: FieldError[] = [];
    checkLabelSelector(object.nodeTopology, 'nodeTopology', errors);
    checkNonNegative(object.capacity, 'capacity', errors);
    checkNonNegative(object.maximumVolumeSize, 'maximumVolumeSize', errors);
    return errors;
  },
});

function checkNonNegative(quantity: string | undefined, field: string, errors: FieldError[]): void {
  if (quantity === undefined || quantitySign(quantity) >= 0) return;
  errors.push(invalid(field, quantity, NOT_NEGATIVE));
}
