/** CSINode (README.md#storage). */
import type { CSINode, CSINodeDriver } from '#messages/storage.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  duplicate,
  FIELD_IMMUTABLE,
  invalid,
  required,
  showsJson,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import { checkDriverName } from '../core/volumes/persistent-volume-sources.ts';
import { defineKind } from '../kind.ts';
import { AGE, lengthOf, NAME } from '../printer-cells.ts';
import { definePrinter, integer } from '../printer.ts';
import { checkStorageHealth } from './storage-health.ts';

const NODE_ID_BYTES_MAX = 256;

export const CSI_NODE = defineKind<CSINode>({
  group: ownGroup('storage.cluster.io'),
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  message: 'storage.v1.CSINode',
  nameRule: 'dnsSubdomain',
  ...(ownRelease().has('csiNodeStatus') && { statusSubresource: { metadataWritable: false } }),
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  printer: definePrinter([
    NAME,
    integer('Drivers', 'How many drivers run on the node.', 'spec.drivers{}', lengthOf),
    AGE,
  ]),

  validate({ spec }) {
    const errors: FieldError[] = [];
    const names = new Set<string>();
    spec?.drivers?.forEach((driver, index) => {
      const { name = '' } = driver;
      const field = `spec.drivers[${index}]`;
      checkDriver(driver, field, errors);
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    });
    return errors;
  },

  /** Drivers may be added and removed, but not changed. */
  validateUpdate({ spec }, { spec: stored }, _version, gates) {
    const isMutable = gates.has('MutableCSINodeAllocatableCount');
    const compared = ({ allocatable, ...driver }: CSINodeDriver): CSINodeDriver =>
      isMutable || allocatable === undefined ? driver : { ...driver, allocatable };
    const field = ownRelease().has('pathsOfDrivers') ? 'spec.drivers' : 'CSINodeDriver';
    return (spec?.drivers ?? []).flatMap((driver) => {
      const before = stored?.drivers?.find(({ name }) => name === driver.name);
      if (before === undefined || deepEqual(compared(driver), compared(before))) return [];
      return [invalid(field, shownDriver(compared(driver)), FIELD_IMMUTABLE)];
    });
  },

  validateStatusUpdate({ status }) {
    const errors: FieldError[] = [];
    checkStorageHealth(status?.storageHealth ?? [], errors);
    return errors;
  },
});

/** As the reference shows it. */
function shownDriver(driver: CSINodeDriver): object {
  if (!showsJson()) return driver;
  const { name = '', nodeID = '', topologyKeys = null, allocatable } = driver;
  return {
    Name: name,
    NodeID: nodeID,
    TopologyKeys: topologyKeys,
    Allocatable: allocatable === undefined ? null : { Count: allocatable.count ?? null },
  };
}

function checkDriver(
  { name = '', nodeID = '', topologyKeys = [] }: CSINodeDriver,
  field: string,
  errors: FieldError[],
): void {
  checkDriverName(name, `${field}.name`, errors);
  if (Buffer.byteLength(nodeID) > NODE_ID_BYTES_MAX) {
    const detail = `must be ${NODE_ID_BYTES_MAX} characters or less`;
    errors.push(invalid(`${field}.nodeID`, nodeID, detail));
  }
  const keys = new Set<string>();
  for (const key of topologyKeys) {
    if (key === '') errors.push(required(field));
    if (keys.has(key)) errors.push(duplicate(field, key));
    keys.add(key);
    for (const problem of qualifiedName(key)) errors.push(invalid(field, key, problem));
  }
}
