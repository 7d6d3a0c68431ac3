/**
 * The internal schema model: what `proto/` says about every message, as plain data. The JSON
 * codec, validation, defaults and (later) the binary codec, OpenAPI and apply topology are all
 * compiled from it. Custom resource definitions will feed the same model.
 *
 * Messages are keyed by their full name without vendor words: `core.v1.ConfigMap`,
 * `meta.v1.ObjectMeta`, `storage.v1.StorageClass`.
 */
import type { Life } from '../../release/life.ts';

/** By message. */
export interface SchemaModel {
  readonly messages: Readonly<Record<string, MessageSchema>>;
}

/**
 * A message. What has a life (`since`, `until`) is in the model of some releases only: those models
 * have no lives any more (`release-model.ts`).
 */
export interface MessageSchema extends Life {
  /** Full name, the key in the model: `core.v1.ConfigMap`. */
  readonly name: string;
  /** In declaration order, which is the order of members in JSON. */
  readonly fields: readonly FieldSchema[];
  /** `structType=atomic`: apply treats the whole message as one value. */
  readonly atomic?: boolean;
  /** `structType=granular`: documents say that it does not, as it would without it. */
  readonly isGranular?: boolean;
  /** The first minor in which `atomic` counts. */
  readonly atomicSince?: number;
}

/** Types with a JSON form of their own; all others are keys of `SchemaModel.messages`. */
export const LEAF_TYPES = [
  'string',
  'bool',
  'int32',
  'int64',
  'double',
  'bytes',
  'Time',
  'MicroTime',
  'Duration',
  'Quantity',
  'IntOrString',
  'RawExtension',
  'FieldsV1',
] as const;

export interface FieldSchema extends Life {
  /** The JSON member name. */
  readonly name: string;
  /** The field number of the public binary format. */
  readonly number: number;
  /** One of `LEAF_TYPES`, or the full name of a message. For maps, the type of the values. */
  readonly type: string;
  readonly container: 'single' | 'list' | 'map';
  /** Written in JSON even when zero (non-pointer struct, or no omit-empty). */
  readonly always?: boolean;
  /** Presence-tracked pointer: an explicit zero is kept, absent stays absent. */
  readonly presence?: boolean;
  /** One sub-message in binary whose members are flattened into the parent's JSON. */
  readonly inline?: boolean;
  /** Absent or zero on write is 422 `Required value`. */
  readonly required?: boolean;
  /** For a required field that is always written: clients must have sent it, be it zero. */
  readonly mustBeSent?: boolean;
  /** The value a write without the field gets. */
  readonly default?: string | number | boolean;
  /** The only values allowed (422 `Unsupported value`); absent is not checked. */
  readonly enumValues?: readonly string[];
  /** The lives of some of them. */
  readonly enumLives?: Readonly<Record<string, Life>>;
  /** The lives of members of this schema that not all releases have: `listType`. */
  readonly optionLives?: Readonly<Partial<Record<SchemaOption, Life>>>;
  /** The type that it has in releases before that minor. */
  readonly formerType?: { readonly type: string; readonly until: number };
  /** The list type that it has in releases before that minor. */
  readonly formerListType?: { readonly listType: 'atomic' | 'set' | 'map'; readonly until: number };
  /** The first minors in which some of its `listMapKeys` are. */
  readonly mapKeysSince?: Readonly<Record<string, number>>;
  /** The default that documents of the API tell; of a message, as JSON. */
  readonly toldDefault?: string | number | boolean;
  /** Writes drop it while that feature is off, unless the stored object has it. */
  readonly gate?: string;
  /** For a field with `enumValues`: only the kind's own rules check them. */
  readonly unchecked?: boolean;
  /** Name of a string format in `semantics/validation/formats.ts`; for maps, of the values. */
  readonly format?: string;
  /** For maps: name of the format of the keys. */
  readonly keyFormat?: string;
  /** For a map of quantities: they are not rounded. */
  readonly exactAmounts?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Cannot change after creation (422 `field is immutable`). */
  readonly immutable?: boolean;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** A message has one, too: a member may be seen other than its message. */
  readonly mapType?: 'granular' | 'atomic';
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly mergeKey?: string;
  /** For lists of whole objects: their version and kind, `v1/Pod`, which JSON has in each item. */
  readonly embeddedKind?: string;
}

/** Options of a field that some releases have and others do not. */
export type SchemaOption = Exclude<
  keyof FieldSchema,
  | 'name'
  | 'number'
  | 'type'
  | 'container'
  | 'enumLives'
  | 'optionLives'
  | 'formerType'
  | 'formerListType'
  | 'mapKeysSince'
  | keyof Life
>;

/** Maps whose values are lists of strings: the model keeps each value as JSON text. */
export const STRING_LIST_MAPS: ReadonlySet<string> = new Set([
  'authentication.v1.TokenRequestSpec.attestations',
  'authentication.v1.UserInfo.extra',
  'authorization.v1.SubjectAccessReviewSpec.extra',
  'certificates.v1.CertificateSigningRequestSpec.extra',
]);

export const SCHEMA_MESSAGE = 'apiextensions.v1.JSONSchemaProps';

/**
 * Members that the model calls RawExtension and that hold a schema, or something in its place: a
 * list of schemas, a boolean, or a list of strings. Maps have it as their values.
 */
export const SCHEMA_VARIANTS: ReadonlyMap<string, 'list' | 'bool' | 'strings'> = new Map([
  [`${SCHEMA_MESSAGE}.items`, 'list'],
  [`${SCHEMA_MESSAGE}.additionalItems`, 'bool'],
  [`${SCHEMA_MESSAGE}.additionalProperties`, 'bool'],
  [`${SCHEMA_MESSAGE}.dependencies`, 'strings'],
]);

/** A message as it is decoded: absent fields have no member. */
export type Members = Record<string, unknown>;
