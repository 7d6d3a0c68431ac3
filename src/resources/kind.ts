/**
 * What a kind file says: the part of a kind that a schema in `proto/` cannot express. Adding a
 * kind is a message in `proto/`, one file here, and its line in `registry.ts`.
 */
import { deepEqual } from '../base/deep-equal.ts';
import type { EmbeddedResources } from '../schema/embedded-metadata.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { NameRule } from '../semantics/metadata/names.ts';
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { KindPrinter } from './printer.ts';
import type { User } from '../semantics/user.ts';

/**
 * A decoded object of any kind: plain members as `codec/json/json-codec.ts` documents. Kind files
 * know its message (README.md#types).
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
  /** '' for the core group; otherwise as this dialect names it: `storage.cluster.io`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The group that a 422 names, where it is the one that the kind once had. */
  readonly groupOfErrors?: string;
  /** Of lists, where it is not the kind and `List`. */
  readonly listKind?: string;
  /** The resource type in the URL, e.g. `configmaps`. */
  readonly plural: string;
  /** The name of one object, where documents tell it. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** Groups of resource types that clients ask for by one name, such as `all`. */
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /**
   * Name of its message in the schema model, e.g. `core.v1.ConfigMap`. Absent for custom kinds,
   * whose objects have no message: no binary form, no strategic merge.
   */
  readonly message?: string;
  /** The rule for `metadata.name` (src/semantics/README.md#names). */
  readonly nameRule: NameRule;
  /** A new object without a name is named by a UUID, whatever its `generateName` says. */
  readonly namedByUuid?: boolean;
  /** Present when the kind has a `/status` subresource. */
  readonly statusSubresource?: {
    /** Whether labels, annotations, finalizers and owners may change through `/status`. */
    readonly metadataWritable: boolean;
    /** Members of the metadata that writers of `/status` do not come to own. */
    readonly keptMetadata?: readonly string[];
    /** Nor these, each by its path. */
    readonly keeps?: readonly (readonly string[])[];
    /**
     * Whether writers of `/status` come to own all that they send but the specification, though
     * nothing but the status is written, of the metadata nothing at all.
     */
    readonly ownsSent?: boolean;
    /**
     * Whether a create keeps the status that it brings: a node agent registers its node with one.
     */
    readonly keptOnCreate?: boolean;
  };
  /**
   * Members besides the status that writes of the main resource do not change, so that nobody comes
   * to own them through it (src/semantics/fields/README.md#endpoints).
   */
  readonly resetFields?: readonly (readonly string[])[];
  /** PUT to a missing object creates it (README.md#traits). */
  readonly putCreates: boolean;
  /** PUT without a resourceVersion is allowed (README.md#traits). */
  readonly unconditionalUpdate: boolean;
  /**
   * Whether DELETE on the collection is served; absent is true
   * (src/shard/README.md#delete-collection).
   */
  readonly deletesCollection?: boolean;
  /** What an immediate delete returns (README.md#traits). */
  readonly deleteReturns: 'status' | 'object';
  /**
   * Present when the kind has a `metadata.generation`, which is 1 on create. An update adds 1 when
   * this returns true (README.md#traits).
   */
  bumpsGeneration?(object: T, stored: T): boolean;
  /** It is asked before anything that the update brings is dropped, as in the reference. */
  readonly countsDropped?: true;
  /**
   * Updates let `metadata.generateName` be any segment of a path, where others hold it to the rule
   * of names. Updates of a part always do.
   */
  readonly freeGenerateName?: true;
  /**
   * Gives parts that were decoded the form that the reference has them in; throws `DecodeError` for
   * those that it would not get into its own.
   */
  afterDecoding?(object: T): void;
  /** What is applied and is empty is something else than none (src/codec/README.md#json). */
  readonly tellsEmpty?: true;
  /** Updates are held to no more than the rules for metadata and `validateUpdate`. */
  readonly checksUpdates?: false;
  /** Finalizers without `/` must be standard ones (README.md#traits). */
  readonly checksFinalizerNames: boolean;
  /**
   * The version, `events.cluster.io/v1`, whose writers are held to more: what they create is named
   * by DNS subdomains, and finalizers are checked.
   */
  readonly strictMetadataIn?: string;
  /** Fields that field selectors may name, besides the two metadata ones, with their getters. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /**
   * The message for fields that are not selectable, where the kind has its own
   * (src/semantics/README.md#field-selectors).
   */
  readonly unsupportedFieldText?: (field: string) => string;
  /**
   * Selectable fields that have an index: lists and watches that demand a value look at no other
   * objects.
   */
  readonly indexedFields?: readonly string[];

  /** Its objects are the namespaces: what is in one is deleted before it goes. */
  readonly emptiesNamespace?: true;
  /**
   * What happens to dependents when a deletion does not say; absent is Background
   * (src/shard/README.md#deletion).
   */
  readonly defaultPropagation?: 'Orphan' | 'none';
  /** The version that the reference stores objects in, when it is an older one. */
  readonly referenceStorage?: string;
  /** When this version will be removed: its users are warned (README.md#versions). */
  readonly deprecated?: Deprecation;
  /** Other versions in which the stored objects are served. */
  readonly otherVersions?: readonly KindVersion[];
  /** Present when the kind has a `/scale` subresource: the label selector in its text form. */
  scaleSelector?(object: T): string;
  /**
   * The group in which a Scale that is asked for is not found, as `<plural>/scale`; absent where
   * that is told of the object.
   */
  readonly missingScaleIn?: string;
  /**
   * Where a custom kind has the replicas of its Scale. Who writes them there does not come to own
   * them, and they cannot be applied, as in the reference.
   */
  readonly replicasPath?: readonly string[];
  /** Subresources that write a part of the object, besides `status`, by name. */
  readonly parts?: Readonly<Record<string, KindPart<T>>>;
  /** Subresources that are operations, such as `eviction`: `front/operations` serves them. */
  readonly operations?: readonly string[];
  /** An annotation that the metadata does not have where it is shown alone. */
  readonly annotationOfSpec?: string;
  /** How its objects show in a Table; by name and time when absent (README.md#tables). */
  readonly printer?: KindPrinter;

  /**
   * Present when deletion is graceful. Returns for how many seconds a deletion waits; `requested`
   * is undefined when the client did not say. 0 deletes at once (src/shard/README.md#deletion).
   */
  gracePeriodSeconds?(object: T, requested: number | undefined): number;
  /**
   * What an object becomes when its deletion is asked for, where it is to be cleaned up after; it
   * stays until the finalizer that this sets has gone. `now` is a time of metadata.
   */
  beginEnd?(object: T, now: string): T;
  /** Rules that take long for large objects: a job of another thread checks those before. */
  readonly slowRules?: SlowRules<T>;
  /** Present when the server allocates what no two objects may share: addresses and ports. */
  newAllocator?(settings: KindSettings): Allocator<T>;

  /** Defaults that depend on other fields; schema defaults are already set. */
  applyDefaults?(object: T): void;
  /** Records on create which user asked for the object. */
  recordUser?(object: T, user: User): void;
  /**
   * Drops members whose feature is off, on every write, unless the stored object has them; it is
   * absent on create.
   */
  dropDisabled?(object: T, gates: FeatureGates, stored?: T): void;
  /** Resets before validation on create; a `status` with a subresource is already cleared. */
  prepareForCreate?(object: T): void;
  /**
   * Restores what an update through the main resource may not change; the status is restored
   * already.
   */
  prepareForUpdate?(object: T, stored: T): void;
  /** What is told alone, before any other rule is looked at; `stored` is absent on create. */
  validateFirst?(object: T, stored: T | undefined): FieldError[];
  /**
   * Cross-field rules, on every write; schema rules are already checked. `stored` is absent on
   * create: what was valid once may stay.
   */
  validate?(object: T, stored: T | undefined, context: RuleContext): FieldError[];
  /** Rules that hold on create only (for example a name length), in the version of the request. */
  validateCreate?(object: T, groupVersion: string): FieldError[];
  /** Update rules besides the schema's `immutable`. */
  validateUpdate?(object: T, stored: T, groupVersion: string, gates: FeatureGates): FieldError[];
  /** What the one who creates the valid object is warned of. */
  createWarnings?(object: T): string[];
  /** The same for an update, but not of one through a subresource other than `scale`. */
  updateWarnings?(object: T, stored: T): string[];
  /** Those that are not deleted by their names, whether they are there or not, and what is said. */
  readonly undeletable?: { readonly names: ReadonlySet<string>; readonly why: string };
  /** What the one is warned of who deletes and leaves it to the kind to orphan the dependents. */
  readonly orphanWarning?: string;
  /** Keeps what a write through `/status` may not touch; all but status and metadata is kept. */
  prepareForStatusUpdate?(object: T, stored: T): void;
  /** Rules for a write through `/status`. */
  validateStatusUpdate?(object: T, stored: T, groupVersion: string): FieldError[];
}

/** A kind that `proto/` describes. */
export interface BuiltInKind<T extends ApiObject = ApiObject> extends KindDefinition<T> {
  readonly message: string;
}

/** Rules that look at nothing but the object. */
export interface SlowRules<T extends ApiObject = ApiObject> {
  /** Finds their errors, given the text of the object's members. */
  readonly job: string;
  /** Keeps what was found for when the same object is validated. */
  found(object: T, errors: FieldError[]): void;
}

/** `bumpsGeneration` of most kinds that have a generation. */
export function specChanges(object: ApiObject, stored: ApiObject): boolean {
  return !deepEqual(object['spec'], stored['spec']);
}

/**
 * The deprecation of a version: `since` and `removedIn` as `1.21`, `replacement` as `batch/v1
 * CronJob`.
 */
export interface Deprecation {
  readonly since: string;
  readonly removedIn: string;
  /** '' when nothing replaces it. */
  readonly replacement: string;
}

/**
 * Another version, or group, in which stored objects are served: converted at the shard's edge,
 * never stored twice. Without conversions its objects look as they are stored.
 */
export interface KindVersion {
  /** The stored kind's when absent. */
  readonly group?: string;
  readonly version: string;
  /** Its message, when it is another one. */
  readonly message?: string;
  readonly deprecated?: Deprecation;
  /** Where its default differs from the stored version's. */
  readonly defaultPropagation?: 'Orphan';
  /** Names of selectable fields here, where they differ: by their names in the stored kind. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** Selectable fields of the stored kind that this version does not offer. */
  readonly hiddenFields?: readonly string[];
  /** From this version to the stored one; may change its argument. */
  toStored?(object: ApiObject): ApiObject;
  /** From the stored version to this one; may change its argument. */
  fromStored?(object: ApiObject): ApiObject;
}

/** A subresource whose body is the whole object, of which a write takes one part. */
export interface KindPart<T extends ApiObject = ApiObject> {
  /** Whether GET is served: then PATCH is too. */
  readonly readable: boolean;
  /**
   * The members that its writers come to own, each by its path; absent when its writes leave all
   * owners as they are (src/semantics/fields/README.md#endpoints).
   */
  readonly owns?: readonly (readonly string[])[];
  /** What of those members they keep as it is, so that nobody comes to own it through them. */
  readonly keeps?: readonly (readonly string[])[];
  /**
   * Puts the part that `object` brings into the stored object, which may be changed; returns the
   * result.
   */
  merge(object: T, stored: T): T;
  /** Rules besides those of every write, in the place of the kind's own `validateUpdate`. */
  validateUpdate?(object: T, stored: T): FieldError[];
}

/** What rules may look at besides the objects. */
export interface RuleContext {
  /** What an update writes: '' for the object itself, or a subresource. */
  readonly part: string;
  readonly gates: FeatureGates;
  /** Metadata inside of objects; of kinds that are built in. */
  readonly embedded?: EmbeddedResources;
}

/** The options of the command line that concern kinds. */
export interface KindSettings {
  /** As `10.0.0.0/24`. */
  readonly serviceClusterIpRange: string;
  /** As `30000-32767`. */
  readonly serviceNodePortRange: string;
}

/** Keeps account of what the objects of a kind hold and no two of them may. */
export interface Allocator<T extends ApiObject = ApiObject> {
  /** Records what a stored object holds. Called for every stored object before anything else. */
  load(object: T): void;
  /**
   * Allocates what the valid object asks for or lacks, and sets it in the object; what `stored`
   * already holds is kept. When it returns errors, nothing was allocated.
   */
  allocate(object: T, stored: T | undefined): FieldError[];
  /** Releases what `object` holds and `successor` does not. */
  release(object: T, successor: T | undefined): void;
}

/**
 * Checks a definition against the type of its objects, and returns it without that type: whoever
 * uses definitions need not know it.
 */
export function defineKind<T extends ApiObject>(definition: BuiltInKind<T>): BuiltInKind {
  return definition as unknown as BuiltInKind;
}
