/**
 * The contract of a kind file: it holds the part of a kind that a schema in `proto/` cannot
 * express. A new kind takes a message in `proto/`, one file here, and a line in `registry.ts`.
 */
import { deepEqual } from '../base/deep-equal.ts';
import type { EmbeddedResources } from '../schema/embedded-metadata.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { NameRule } from '../semantics/metadata/names.ts';
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';
import type { FeatureGate, FeatureGates } from '../release/feature-gates.ts';
import type { Allocator, OtherTypes } from './allocator.ts';
import type { KindPrinter } from './printer.ts';
import type { User } from '../semantics/user.ts';
import type { NeededRight, Place, RightsWrite } from './write-context.ts';

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
  /** The group that a 422 names, where that is an older group of the kind. */
  readonly groupOfErrors?: string;
  /** The kind of lists, where it is not the kind followed by `List`. */
  readonly listKind?: string;
  /** The resource type in the URL, e.g. `configmaps`. */
  readonly plural: string;
  /** The singular name in documents of discovery; absent where they have none. */
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
  /** The rule that names have in its place where a feature is on. */
  readonly relaxedName?: { readonly gate: FeatureGate; readonly rule: NameRule };
  /** A new object without a name is named by a UUID, whatever its `generateName` says. */
  readonly namedByUuid?: boolean;
  /** Present when the kind has a `/status` subresource. */
  readonly statusSubresource?: {
    /** Whether labels, annotations, finalizers and owners may change through `/status`. */
    readonly metadataWritable: boolean;
    /** Members of the metadata that writers of `/status` never own. */
    readonly keptMetadata?: readonly string[];
    /** Other members that they never own, each by its path. */
    readonly keeps?: readonly (readonly string[])[];
    /**
     * Whether writers of `/status` own all members that they send except the specification, though
     * only the status is written, and no metadata.
     */
    readonly ownsSent?: boolean;
    /** Whether a create keeps the status in its body: a node agent registers its node with one. */
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
  /** The body that an immediate delete returns (README.md#traits). */
  readonly deleteReturns: 'status' | 'object';
  /**
   * Present when the kind has a `metadata.generation`, which is 1 on create. An update adds 1 when
   * this returns true (README.md#traits).
   */
  bumpsGeneration?(object: T, stored: T): boolean;
  /** The feature without which there is no generation all the same. */
  readonly generationGate?: FeatureGate;
  /**
   * `bumpsGeneration` sees the update before any of its members are dropped, as in the reference.
   */
  readonly countsDropped?: true;
  /** In a create `metadata.generateName` is not checked, but the name that is made of it. */
  readonly uncheckedGenerateName?: true;
  /**
   * In an update `metadata.generateName` may be any segment of a path; in other kinds it follows
   * the rule of names. Updates through a subresource always allow any segment.
   */
  readonly freeGenerateName?: true;
  /**
   * Brings decoded parts into the form that the reference keeps; throws `DecodeError` for those
   * that it cannot decode.
   */
  afterDecoding?(object: T): void;
  /** Its name is checked when it is created, and never again. */
  readonly freeName?: true;
  /** Server-side apply distinguishes empty values from absent ones (src/codec/README.md#json). */
  readonly tellsEmpty?: true;
  /** An update is checked only by the rules for metadata and `validateUpdate`. */
  readonly checksUpdates?: false;
  /** Finalizers without `/` must be standard ones (README.md#traits). */
  readonly checksFinalizerNames: boolean;
  /**
   * A version with stricter rules, `events.cluster.io/v1`: objects created in it are named by DNS
   * subdomains, and their finalizers are checked.
   */
  readonly strictMetadataIn?: string;
  /** Fields that field selectors may name besides the name and namespace, with their getters. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /**
   * The message for fields that are not selectable, where the kind has its own
   * (src/semantics/README.md#field-selectors).
   */
  readonly unsupportedFieldText?: (field: string, groupVersion: string) => string;
  /**
   * Selectable fields that have an index: lists and watches that select one value read only the
   * objects that have it.
   */
  readonly indexedFields?: readonly string[];

  /** Objects of this kind are namespaces: all objects in one are deleted before it goes. */
  readonly emptiesNamespace?: true;
  /**
   * The propagation policy of a deletion that names none; absent is Background
   * (src/shard/README.md#deletion).
   */
  readonly defaultPropagation?: 'Orphan' | 'none';
  /** Other versions in which the stored objects are served. */
  readonly otherVersions?: readonly KindVersion[];
  /** Present when the kind has a `/scale` subresource: the label selector in its text form. */
  scaleSelector?(object: T): string;
  /**
   * The group that the 404 for a missing Scale names, with the resource `<plural>/scale`; absent
   * where the 404 names the object.
   */
  readonly missingScaleIn?: string;
  /**
   * The path of the replicas in a custom kind with a Scale. Writers of the Scale do not come to own
   * them, and it cannot be applied, as in the reference.
   */
  readonly replicasPath?: readonly string[];
  /** Subresources that write a part of the object, besides `status`, by name. */
  readonly parts?: Readonly<Record<string, KindPart<T>>>;
  /** Subresources that are operations, such as `eviction`: `front/operations` serves them. */
  readonly operations?: readonly string[];
  /** An annotation that is left out where the metadata is shown alone. */
  readonly annotationOfSpec?: string;
  /** How its objects show in a Table; by name and time when absent (README.md#tables). */
  readonly printer?: KindPrinter;

  /**
   * Present when deletion is graceful. Returns for how many seconds a deletion waits; `requested`
   * is undefined when the client did not say. 0 deletes at once (src/shard/README.md#deletion).
   */
  gracePeriodSeconds?(object: T, requested: number | undefined): number;
  /**
   * Present when a deletion needs a clean-up first: returns the object with a finalizer, with which
   * it stays until the clean-up is done. `now` is a time as metadata has it.
   */
  beginEnd?(object: T, now: string): T;
  /** Rules that take long for large objects: a job on another thread checks them first. */
  readonly slowRules?: SlowRules<T>;
  /** The kind with these settings, where they make another one of it. */
  configured?(settings: KindSettings): BuiltInKind | undefined;
  /** Present when the server allocates what no two objects may share: addresses and ports. */
  newAllocator?(settings: KindSettings, gates: FeatureGates, others: OtherTypes): Allocator<T>;

  /** Defaults that depend on other fields; schema defaults are already set. */
  applyDefaults?(object: T, gates: FeatureGates): void;
  /** Records in a new object which user created it. */
  recordUser?(object: T, user: User): void;
  /**
   * Drops members whose feature is off, on every write, unless the stored object has them. `stored`
   * is absent on create.
   */
  dropDisabled?(object: T, gates: FeatureGates, stored?: T): void;
  /**
   * Resets members of a new object before it is validated; a status with a subresource is cleared
   * already.
   */
  prepareForCreate?(object: T, gates: FeatureGates): void;
  /**
   * Restores members that an update through the main resource may not change; the status is
   * restored already.
   */
  prepareForUpdate?(object: T, stored: T, gates: FeatureGates): void;
  /**
   * Rules about where an object is: by the labels of its namespace. They come before all others,
   * and are told together with them. `part` is the subresource that is written.
   */
  validatePlace?(object: T, stored: T | undefined, place: Place): FieldError[];
  /**
   * Rights that an update takes besides that of its request: what is refused is told before other
   * errors, and together with them.
   */
  neededRights?(object: T, stored: T, write: RightsWrite): readonly NeededRight[];
  /**
   * Rules that come before all others: when they find errors, no other rule is checked. `stored` is
   * absent on create.
   */
  validateFirst?(object: T, stored: T | undefined, gates: FeatureGates): FieldError[];
  /**
   * Rules between fields, on every write; schema rules are checked already. `stored` is absent on
   * create; it is given because values that were valid once may stay.
   */
  validate?(object: T, stored: T | undefined, context: RuleContext): FieldError[];
  /** Rules that hold on create only (for example a name length), in the version of the request. */
  validateCreate?(object: T, groupVersion: string): FieldError[];
  /** Update rules besides the schema's `immutable`. */
  validateUpdate?(object: T, stored: T, groupVersion: string, gates: FeatureGates): FieldError[];
  /** Warnings to the client that creates this valid object. */
  createWarnings?(object: T, gates: FeatureGates): string[];
  /**
   * Warnings to the client that updates it; not for updates through a subresource other than
   * `scale`.
   */
  updateWarnings?(object: T, stored: T, gates: FeatureGates): string[];
  /** Warnings to the client that writes its `/status`. */
  statusWarnings?(object: T): string[];
  /**
   * Names of objects that no client may delete by name, whether they exist or not, and the reason
   * in the error.
   */
  readonly undeletable?: { readonly names: ReadonlySet<string>; readonly why: string };
  /**
   * The warning to a client that deletes without a propagation policy, where the kind's is to
   * orphan.
   */
  readonly orphanWarning?: string;
  /**
   * Restores members that a write through `/status` may not change; all but status and metadata is
   * restored already.
   */
  prepareForStatusUpdate?(object: T, stored: T, gates: FeatureGates): void;
  /** Rules for a write through `/status`. */
  validateStatusUpdate?(
    object: T,
    stored: T,
    groupVersion: string,
    gates: FeatureGates,
  ): FieldError[];
}

/** A kind that `proto/` describes. */
export interface BuiltInKind<T extends ApiObject = ApiObject> extends KindDefinition<T> {
  readonly message: string;
}

/** Rules that depend on nothing but the object. */
export interface SlowRules<T extends ApiObject = ApiObject> {
  /** Finds their errors, given the text of the object's members. */
  readonly job: string;
  /** Remembers the errors for the validation of the same object. */
  found(object: T, errors: FieldError[]): void;
}

/** `bumpsGeneration` of most kinds that have a generation. */
export function specChanges(object: ApiObject, stored: ApiObject): boolean {
  return !deepEqual(object['spec'], stored['spec']);
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
  /** PUT without a resourceVersion is allowed in this version, though not in the stored one. */
  readonly unconditionalUpdate?: true;
  /** The body that an immediate delete returns, where it differs. */
  readonly deleteReturns?: 'object';
  /** The default propagation policy, where it differs from that of the stored version. */
  readonly defaultPropagation?: 'Orphan';
  /**
   * Names of selectable fields in this version, where they differ, by their names in the stored
   * kind.
   */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** Selectable fields of the stored kind that this version does not offer. */
  readonly hiddenFields?: readonly string[];
  /** From this version to the stored one; may change its argument. */
  toStored?(object: ApiObject): ApiObject;
  /** From the stored version to this one; may change its argument. */
  fromStored?(object: ApiObject): ApiObject;
}

/** A subresource whose body is the whole object, though a write changes only one part of it. */
export interface KindPart<T extends ApiObject = ApiObject> {
  /** The feature without which it is not served. */
  readonly gate?: FeatureGate;
  /** Whether GET is served: then PATCH is too. */
  readonly readable: boolean;
  /**
   * The members that its writers come to own, each by its path; absent when its writes leave all
   * owners as they are (src/semantics/fields/README.md#endpoints).
   */
  readonly owns?: readonly (readonly string[])[];
  /** Whether its writers own all members that they send, though only a part is written. */
  readonly ownsSent?: true;
  /**
   * Members below those that writes keep unchanged, so that nobody comes to own them by such a
   * write.
   */
  readonly keeps?: readonly (readonly string[])[];
  /**
   * Puts the part that `object` brings into the stored object, which may be changed; returns the
   * result.
   */
  merge(object: T, stored: T, gates: FeatureGates): T;
  /** Whether changes through it count in the generation. */
  readonly countsChanges?: boolean;
  /** Rules besides those of every write, in the place of the kind's own `validateUpdate`. */
  validateUpdate?(object: T, stored: T, gates: FeatureGates): FieldError[];
}

/** Facts that rules may use besides the objects. */
export interface RuleContext {
  /** The subresource that an update writes; '' for the object itself. */
  readonly part: string;
  /** The version of the request: `batch/v1`. */
  readonly groupVersion: string;
  readonly gates: FeatureGates;
  /** What is wrong by the rules that came before. */
  readonly found: readonly FieldError[];
  /** Checks metadata inside of objects; present for built-in kinds. */
  readonly embedded?: EmbeddedResources;
}

/** The options of the command line that concern kinds. */
export interface KindSettings {
  /** As `10.0.0.0/24`. */
  readonly serviceClusterIpRange: string;
  /** As `30000-32767`. */
  readonly serviceNodePortRange: string;
}

/**
 * Checks a definition against the type of its objects, and returns it without that type, which
 * users of definitions need not know.
 */
export function defineKind<T extends ApiObject>(definition: BuiltInKind<T>): BuiltInKind {
  return definition as unknown as BuiltInKind;
}
