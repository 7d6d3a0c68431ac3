/** Namespace (README.md#namespaces). */
import type { Namespace } from '#messages/core.v1';
import { textMap } from '../../base/text/text-map.ts';
import { ownName, ownNamespace, ownNamespaceFinalizer } from '../../semantics/dialect/own-names.ts';
import { addProblems, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import {
  FINALIZER_NAME,
  isStandardFinalizer,
} from '../../semantics/metadata/object-meta-validation.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

export const NAMESPACE_FINALIZER = ownNamespaceFinalizer('cluster');
const NAMESPACE_NAME_LABEL = ownName('cluster.io/metadata.name');

/** Namespaces that exist from the start, and those of them that may not be deleted. */
export const SYSTEM_NAMESPACES: readonly string[] = [
  'default',
  ownNamespace('cluster-system'),
  ownNamespace('cluster-public'),
  ownNamespace('cluster-node-lease'),
];
export const IMMORTAL_NAMESPACES: ReadonlySet<string> = new Set([
  'default',
  ownNamespace('cluster-system'),
  ownNamespace('cluster-public'),
]);

export const NAMESPACE = defineKind<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  message: 'core.v1.Namespace',
  nameRule: 'dnsLabel',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deletesCollection: false,
  emptiesNamespace: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  selectableFields: { 'status.phase': (object) => object.status?.phase ?? '' },
  indexedFields: ['status.phase'],
  printer: definePrinter([
    NAME,
    text('Status', 'Whether the namespace is in use or about to end.', 'status.phase'),
    AGE,
  ]),

  parts: {
    /**
     * The only subresource that changes `spec.finalizers`. Removing the last one removes a
     * terminating namespace.
     */
    finalize: {
      readable: false,
      owns: [['metadata'], ['spec', 'finalizers']],
      merge: (object, stored) => {
        const { finalizers: _old, ...spec } = stored.spec ?? {};
        const finalizers = object.spec?.finalizers;
        const { metadata } = object;
        return { ...stored, metadata, spec: finalizers ? { ...spec, finalizers } : spec };
      },
    },
  },

  applyDefaults: labelWithName,

  prepareForCreate(object) {
    object.status = { phase: 'Active' };
    const finalizers = object.spec?.finalizers ?? [];
    if (!finalizers.includes(NAMESPACE_FINALIZER)) {
      object.spec = { ...object.spec, finalizers: [...finalizers, NAMESPACE_FINALIZER] };
    }
    // A generated name was not known yet when the defaults were set.
    labelWithName(object);
  },

  /** Only `/finalize` changes `spec.finalizers`. */
  prepareForUpdate(object, stored) {
    const spec = { ...object.spec };
    delete spec.finalizers;
    const kept = stored.spec?.finalizers;
    object.spec = kept === undefined ? spec : { ...spec, finalizers: kept };
  },

  validate(object) {
    const errors: FieldError[] = [];
    const field = 'spec.finalizers';
    for (const finalizer of object.spec?.finalizers ?? []) {
      addProblems(qualifiedName(finalizer), field, finalizer, errors);
      if (isStandardFinalizer(finalizer)) continue;
      errors.push(invalid(field, finalizer, FINALIZER_NAME));
    }
    return errors;
  },

  validateStatusUpdate(object) {
    const phase = object.status?.phase ?? '';
    const terminating = object.metadata.deletionTimestamp !== undefined;
    const expected = terminating ? 'Terminating' : 'Active';
    if (phase === expected) return [];
    const when = terminating ? 'is not empty' : 'is empty';
    const detail = `may only be '${expected}' if \`deletionTimestamp\` ${when}`;
    // The capital letter is the reference's.
    return [invalid('status.Phase', phase, detail)];
  },
});

function labelWithName({ metadata }: Namespace): void {
  const { name } = metadata;
  if (!name || metadata.labels?.[NAMESPACE_NAME_LABEL] === name) return;
  metadata.labels ??= textMap();
  metadata.labels[NAMESPACE_NAME_LABEL] = name;
}
