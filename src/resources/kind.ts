/**
 * What a kind file says: the part of a kind that a schema in `proto/` cannot express. Adding a
 * kind is a message in `proto/`, one file here, and its line in `registry.ts`.
 */
import { deepEqual } from '../base/deep-equal.ts';
import type { FieldError } from '../semantics/field-error.ts';
import type { NameRule } from '../semantics/names.ts';
import type { ObjectMeta } from '../semantics/object-meta.ts';
import type { Printer } from './printer.ts';

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
  /** Groups of resource types that clients ask for by one name, such as `all`. */
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Name of its message in the schema model, e.g. `core.v1.ConfigMap`. */
  readonly message: string;
  /** The rule for `metadata.name` (API-FACTS 3.7). */
  readonly nameRule: NameRule;
  /** Present when the kind has a `/status` subresource. */
  readonly statusSubresource?: {
    /** Whether labels, annotations, finalizers and owners may change through `/status`. */
    readonly metadataWritable: boolean;
    /** What of the metadata stays as it is all the same. */
    readonly keptMetadata?: readonly string[];
    /** Whether a new object keeps the status it is sent with, as one that describes itself does. */
    readonly keptOnCreate?: boolean;
  };
  /**
   * Members besides the status that nobody comes to own through the object itself, since writes of
   * it do not change them (API-FACTS 6.7).
   */
  readonly resetFields?: readonly (readonly string[])[];
  /** PUT to a missing object creates it (API-FACTS 3.4). */
  readonly putCreates: boolean;
  /** PUT without a resourceVersion is allowed (API-FACTS 3.4). */
  readonly unconditionalUpdate: boolean;
  /** Whether DELETE on the collection is served: yes, when it is not said (API-FACTS 4.4). */
  readonly deletesCollection?: boolean;
  /** What an immediate delete returns (API-FACTS 4.3). */
  readonly deleteReturns: 'status' | 'object';
  /**
   * Present when the kind has a `metadata.generation`: 1 on create, and one more with each update
   * for which it returns true (API-FACTS 3.5).
   */
  bumpsGeneration?(object: T, stored: T): boolean;
  /** Finalizers without `/` must be standard ones (API-FACTS 3.7; not for Lease). */
  readonly checksFinalizerNames: boolean;
  /** Fields that field selectors may name, besides the two metadata ones, with their getters. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** What is said of others, where a kind has words of its own for it (API-FACTS 7.6). */
  readonly unsupportedFieldText?: (field: string) => string;
  /** Selectable fields by whose value objects and watches are found without looking at others. */
  readonly indexedFields?: readonly string[];

  /** What becomes of dependents when a deletion does not say; in the background (API-FACTS 4.2). */
  readonly defaultPropagation?: 'Orphan' | 'none';
  /** When this version is to go away: its users are warned (SPEC Deprecation rules). */
  readonly deprecated?: Deprecation;
  /** Other versions in which the stored objects are served. */
  readonly views?: readonly KindView[];
  /** Present when the kind has a `/scale` subresource: the label selector in its text form. */
  scaleSelector?(object: T): string;
  /** Subresources that write a part of the object, besides `status`, by name. */
  readonly parts?: Readonly<Record<string, KindPart<T>>>;
  /** Subresources that are operations, such as `eviction`: `front/operations` serves them. */
  readonly operations?: readonly string[];
  /** How its objects show in a Table; by name and time when absent (API-FACTS 8.2). */
  readonly printer?: Printer<T>;

  /**
   * Present when deletion is graceful: for how many seconds a deletion waits, of the seconds that
   * were asked for (undefined: none were). 0 deletes at once (API-FACTS 4.2).
   */
  gracePeriodSeconds?(object: T, requested: number | undefined): number;
  /** Present when objects are given things that no two of them may have (addresses, ports). */
  newAllocator?(settings: KindSettings): Allocator<T>;

  /** Defaults that depend on other fields; schema defaults are already set. */
  applyDefaults?(object: T): void;
  /** Writes down who asks for the object, on create. */
  recordUser?(object: T, user: UserFacts): void;
  /** Resets before validation on create; a `status` with a subresource is already cleared. */
  prepareForCreate?(object: T): void;
  /** Keeps what an update through the main resource may not touch; status is already kept. */
  prepareForUpdate?(object: T, stored: T): void;
  /** Cross-field rules, on every write; schema rules are already checked. */
  validate?(object: T): FieldError[];
  /** Rules that hold on create only (for example a name length), in the version of the request. */
  validateCreate?(object: T, groupVersion: string): FieldError[];
  /** Update rules besides the schema's `immutable`. */
  validateUpdate?(object: T, stored: T, groupVersion: string): FieldError[];
  /** Keeps what a write through `/status` may not touch; all but status and metadata is kept. */
  prepareForStatusUpdate?(object: T, stored: T): void;
  /** Rules for a write through `/status`. */
  validateStatusUpdate?(object: T, stored: T): FieldError[];
}

/** `bumpsGeneration` of most kinds that have a generation. */
export function specChanges(object: ApiObject, stored: ApiObject): boolean {
  return !deepEqual(object['spec'], stored['spec']);
}

/** The end of a version: `since` and `removedIn` as `1.21`, `replacement` as `batch/v1 CronJob`. */
export interface Deprecation {
  readonly since: string;
  readonly removedIn: string;
  /** '' when nothing replaces it. */
  readonly replacement: string;
}

/**
 * Another version, or group, in which stored objects are served: converted at the shard's edge,
 * never stored twice. Without conversions its shape is that of the stored one.
 */
export interface KindView {
  /** The stored kind's when absent. */
  readonly group?: string;
  readonly version: string;
  /** Its message, when its shape is another one. */
  readonly message?: string;
  readonly deprecated?: Deprecation;
  /** Where its default differs from the stored version's. */
  readonly defaultPropagation?: 'Orphan';
  /** Names of selectable fields here, where they differ: by their names in the stored kind. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** From this version's shape to the stored one; may change its argument. */
  toStored?(object: ApiObject): ApiObject;
  /** From the stored shape to this version's; may change its argument. */
  fromStored?(object: ApiObject): ApiObject;
}

/** A subresource whose body is the whole object, of which a write takes one part. */
export interface KindPart<T extends ApiObject = ApiObject> {
  /** Whether GET is served: then PATCH is too. */
  readonly readable: boolean;
  /** The members that its writers come to own, each by its path (API-FACTS 6.7). */
  readonly owns: readonly (readonly string[])[];
  /** The stored object (yours to change) with the part that `object` brings. */
  merge(object: T, stored: T): T;
  /** Rules besides those of every write; `validateUpdate` of the kind is not asked. */
  validateUpdate?(object: T, stored: T): FieldError[];
}

/** Who asks. */
export interface UserFacts {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** What the command line says to kinds. */
export interface KindSettings {
  /** As `10.0.0.0/24`. */
  readonly serviceClusterIpRange: string;
  /** As `30000-32767`. */
  readonly serviceNodePortRange: string;
}

/** Keeps account of what the objects of a kind hold and no two of them may. */
export interface Allocator<T extends ApiObject = ApiObject> {
  /** Counts what a stored object holds. Called for all of them before anything else. */
  load(object: T): void;
  /**
   * Gives out what the valid object asks for or lacks, keeping what `stored` already holds; sets it
   * in the object. When it returns errors nothing was given out.
   */
  allocate(object: T, stored: T | undefined): FieldError[];
  /** Takes back what `object` holds and `successor` does not. */
  release(object: T, successor: T | undefined): void;
}

/** Checks a definition against its own object type, which no user of a definition needs to know. */
export function defineKind<T extends ApiObject>(definition: KindDefinition<T>): KindDefinition {
  return definition as unknown as KindDefinition;
}
