/** Namespace (API-FACTS 4.5 and 14.2). */
import { textMap } from '../../base/text-map.ts';
import { invalid, type FieldError } from '../../semantics/field-error.ts';
import { checkFinalizerNames } from '../../semantics/object-meta-validation.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf } from '../printed.ts';
import type { Printer } from '../printer.ts';

export interface Namespace extends ApiObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: unknown[] };
}

export const NAMESPACE_FINALIZER = 'cluster';
const NAMESPACE_NAME_LABEL = 'cluster.io/metadata.name';

/** Namespaces that exist from the start, and those of them that may not be deleted. */
export const SYSTEM_NAMESPACES = [
  'default',
  'cluster-system',
  'cluster-public',
  'cluster-node-lease',
] as const;
export const IMMORTAL_NAMESPACES: ReadonlySet<string> = new Set([
  'default',
  'cluster-system',
  'cluster-public',
]);

const NAMESPACE_PRINTER: Printer<Namespace> = {
  columns: [
    NAME_COLUMN,
    column('Status', 'string', 'Whether the namespace is in use or about to end.'),
    AGE_COLUMN,
  ],
  cells: (object, nowMs) => [nameOf(object), object.status?.phase ?? '', ageOf(object, nowMs)],
};

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
  deleteReturns: 'object',
  checksFinalizerNames: true,
  selectableFields: { 'status.phase': (object) => object.status?.phase ?? '' },
  indexedFields: ['status.phase'],
  printer: NAMESPACE_PRINTER,

  parts: {
    /** Its finalizers in `spec` change here alone; the last one ends a terminating namespace. */
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
    checkFinalizerNames(object.spec?.finalizers ?? [], 'spec.finalizers', errors);
    return errors;
  },

  validateStatusUpdate(object) {
    const phase = object.status?.phase ?? '';
    const terminating = object.metadata.deletionTimestamp !== undefined;
    const expected = terminating ? 'Terminating' : 'Active';
    if (phase === expected) return [];
    const when = terminating ? 'is not empty' : 'is empty';
    const detail = `may only be '${expected}' if \`deletionTimestamp\` ${when}`;
    return [invalid('status.phase', phase, detail)];
  },
});

function labelWithName({ metadata }: Namespace): void {
  const { name } = metadata;
  if (!name || metadata.labels?.[NAMESPACE_NAME_LABEL] === name) return;
  metadata.labels ??= textMap();
  metadata.labels[NAMESPACE_NAME_LABEL] = name;
}
