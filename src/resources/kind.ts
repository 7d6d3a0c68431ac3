/**
 * What a kind file says: the part of a kind that a schema in `proto/` cannot express. Adding a
 * kind is a message in `proto/`, one file here, and its line in `registry.ts`.
 */
import type { FieldError } from '../semantics/field-error.ts';
import type { NameRule } from '../semantics/names.ts';
import type { ObjectMeta } from '../semantics/object-meta.ts';

/**
 * A decoded object of a built-in kind: plain members in the shapes that `codec/json-codec.ts`
 * documents. Kind files narrow it to their own interface.
 */
export interface ApiObject {
  metadata: ObjectMeta;
  [member: string]: unknown;
}

/** `v1` for the core group, else `batch/v1`. */
export function groupVersionOf({
  group,
  version,
}: Pick<KindDefinition, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

export interface KindDefinition<T extends ApiObject = ApiObject> {
  /** '' for the core group; neutral names (`storage.cluster.io`) otherwise. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The resource type in the URL, e.g. `configmaps`. */
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly namespaced: boolean;
  /** Name of its message in the schema model, e.g. `core.v1.ConfigMap`. */
  readonly message: string;
  /** The rule for `metadata.name` (API-FACTS 3.7). */
  readonly nameRule: NameRule;
  /** Present when the kind has a `/status` subresource. */
  readonly statusSubresource?: {
    /** Whether labels, annotations, finalizers and owners may change through `/status`. */
    readonly metadataWritable: boolean;
  };
  /** PUT to a missing object creates it (API-FACTS 3.4). */
  readonly putCreates: boolean;
  /** PUT without a resourceVersion is allowed (API-FACTS 3.4). */
  readonly unconditionalUpdate: boolean;
  /** Whether DELETE on the collection is served: yes, when it is not said (API-FACTS 4.4). */
  readonly deletesCollection?: boolean;
  /** What an immediate delete returns (API-FACTS 4.3). */
  readonly deleteReturns: 'status' | 'object';
  /** 1 on create, +1 when `spec` changes (API-FACTS 3.5). */
  readonly tracksGeneration: boolean;
  /** Finalizers without `/` must be standard ones (API-FACTS 3.7; not for Lease). */
  readonly checksFinalizerNames: boolean;
  /** Fields that field selectors may name, besides the two metadata ones, with their getters. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** Those of them by whose value objects and watches are found without looking at others. */
  readonly indexedFields?: readonly string[];

  /** Defaults that depend on other fields; schema defaults are already set. */
  applyDefaults?(object: T): void;
  /** Resets before validation on create; a `status` with a subresource is already cleared. */
  prepareForCreate?(object: T): void;
  /** Keeps what an update through the main resource may not touch; status is already kept. */
  prepareForUpdate?(object: T, stored: T): void;
  /** Cross-field rules, on every write; schema rules are already checked. */
  validate?(object: T): FieldError[];
  /** Rules that hold on create only (for example a name length). */
  validateCreate?(object: T): FieldError[];
  /** Update rules besides the schema's `immutable`. */
  validateUpdate?(object: T, stored: T): FieldError[];
  /** Rules for a write through `/status`. */
  validateStatusUpdate?(object: T, stored: T): FieldError[];
}

/** Checks a definition against its own object type, which no user of a definition needs to know. */
export function defineKind<T extends ApiObject>(definition: KindDefinition<T>): KindDefinition {
  return definition as KindDefinition;
}
