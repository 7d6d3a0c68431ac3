/** StorageClass (README.md#storage). */
import type { TopologySelectorTerm } from '#messages/core.v1';
import type { StorageClass } from '#messages/storage.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  notSupported,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import { oldLabelText } from '../core/nodes/node-labels.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkClassDriver, checkClassParameters } from './class-parameters.ts';

const RECLAIM_POLICIES = ['Delete', 'Retain'];

/** Annotations that mark the default class, which claims without a class get. */
export const DEFAULT_CLASS_MARKS = [
  ownName('storageclass.cluster.io/is-default-class'),
  ownName('storageclass.beta.cluster.io/is-default-class'),
];

export const STORAGE_CLASS = defineKind<StorageClass>({
  group: ownGroup('storage.cluster.io'),
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  message: 'storage.v1.StorageClass',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  tellsEmpty: true,
  // prettier-ignore
  printer: definePrinter([
    { ...NAME, reads: 'metadata.name metadata.annotations', make: markedName },
    text('Provisioner', 'The driver that makes volumes of this class.', 'provisioner'),
    text('ReclaimPolicy', 'What becomes of such a volume when its claim is gone.',
      'reclaimPolicy', (policy = 'Delete') => policy),
    text('VolumeBindingMode', 'When claims are given a volume.', 'volumeBindingMode',
      (mode = 'Immediate') => mode),
    text('AllowVolumeExpansion', 'Whether volumes of this class can grow.',
      'allowVolumeExpansion', (may = false) => may),
    AGE,
  ]),

  createWarnings: topologyWarnings,

  updateWarnings: topologyWarnings,

  validate(object) {
    const errors: FieldError[] = [];
    checkClassDriver(object.provisioner ?? '', 'provisioner', errors);
    checkClassParameters(object.parameters ?? {}, errors);
    const { reclaimPolicy = '' } = object;
    if (reclaimPolicy !== '' && !RECLAIM_POLICIES.includes(reclaimPolicy)) {
      errors.push(notSupported('reclaimPolicy', reclaimPolicy, RECLAIM_POLICIES));
    }
    checkTopologies(object.allowedTopologies ?? [], errors);
    return errors;
  },

  validateUpdate(object, stored) {
    const isBrief = ownRelease().has('immutableClasses');
    const members = ['parameters', 'provisioner', 'reclaimPolicy'] as const;
    return (
      members
        // As in the reference, an empty map of parameters differs from an absent one.
        .filter((member) => !deepEqual(object[member], stored[member], !isBrief))
        .map((member) => {
          if (isBrief) return invalid(member, object[member], FIELD_IMMUTABLE);
          return fieldForbidden(member, `updates to ${member} are forbidden.`);
        })
    );
  },
});

/** No key twice in a term, no value twice under a key, no term twice, and none that is empty. */
function checkTopologies(terms: readonly TopologySelectorTerm[], errors: FieldError[]): void {
  // The reference compares each term with as many empty ones as there are terms, too.
  const seen = terms.map(() => NO_EXPRESSIONS);
  terms.forEach((term, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const text = checkTopologyTerm(term, field, errors);
    for (const other of seen) if (other === text) errors.push(duplicate(field, ''));
    seen.push(text);
  });
}

const NO_EXPRESSIONS = '[]';

/** Adds what is wrong in one term; returns a text that is the same for equal terms. */
function checkTopologyTerm(
  { matchLabelExpressions = [] }: TopologySelectorTerm,
  field: string,
  errors: FieldError[],
): string {
  const valuesOfKey = new Map<string, string[]>();
  matchLabelExpressions.forEach(({ key = '', values = [] }, index) => {
    addProblems(qualifiedName(key), `${field}[${index}].key`, key, errors);
    const seen = new Set<string>();
    values.forEach((value, at) => {
      if (seen.has(value)) errors.push(duplicate(`${field}[${index}].values[${at}]`, value));
      seen.add(value);
    });
    if (valuesOfKey.has(key)) errors.push(duplicate(`${field}[${index}].key`, key));
    valuesOfKey.set(key, [...seen].sort());
  });
  return JSON.stringify([...valuesOfKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function markedName(name = '', annotations: Readonly<Record<string, string>> = {}): string {
  const isDefault = DEFAULT_CLASS_MARKS.some((key) => annotations[key] === 'true');
  return isDefault ? `${name} (default)` : name;
}

function topologyWarnings({ allowedTopologies = [] }: StorageClass): string[] {
  if (!ownRelease().has('warnedVolumes')) return [];
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key = '' }, at) => {
      const text = oldLabelText(key);
      const field = `allowedTopologies[${index}].matchLabelExpressions[${at}].key`;
      return text === undefined ? [] : [`${field}: ${text}`];
    }),
  );
}
