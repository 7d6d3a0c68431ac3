/** What documents say of an object, whatever they are encoded in. */
import { compileMessage } from '../../codec/message-codecs.ts';
import { metadataBytes } from '../../codec/object-metadata.ts';
import type { SchemaModel } from '../../codec/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { ScaleView } from '../../resources/scale.ts';
import type { ServedVersion } from '../../resources/served-version.ts';
import { NEUTRAL, type Dialect } from '../../semantics/dialect/dialect.ts';
import type { EncodedForms } from './encoded-forms.ts';
import type { WireAt } from './representation.ts';

const METADATA = Buffer.from('"metadata":');
const CLOSE_BRACE = Buffer.from('}');

export interface Shape {
  readonly kind: string;
  readonly apiVersion: string;
  /** Whether items of lists say in JSON what they are. */
  readonly hasTypedItems: boolean;
  /** Whether lists say how many objects are still to come. */
  readonly tellsRemaining: boolean;
  /** In binary, the items come before the metadata of lists. */
  readonly itemsFirst: boolean;
  /** JSON of the object after its type, from the bytes stored of `rv`: `"metadata":{…},…}`. */
  members(wire: Uint8Array, rv: number): Uint8Array;
  /** The same of a version that may be gone, and is then undefined. */
  membersAt(rv: number, wireAt: WireAt): Uint8Array | undefined;
  /** The same of an object that has nothing but this metadata. */
  bareMembers(metadata: object): Uint8Array;
  /** The bare message of such JSON. */
  protobuf(members: Uint8Array): Uint8Array;
}

/** The object itself, or its Scale. `id` tells it from other shapes of the same object. */
export function wholeObject(
  id: string,
  shown: ServedVersion | ScaleView,
  dialect: Dialect,
  forms: EncodedForms,
): Shape {
  const { kind, codec } = shown;
  const isAsStored = dialect === NEUTRAL && shown.hasStoredShape;
  const made = (wire: Uint8Array, rv: number): Uint8Array => {
    const members = dialect.bytes(kind, shown.members(wire));
    // What is stored is read again as fast.
    if (members !== wire) forms.set(id, rv, members);
    return members;
  };
  return {
    kind,
    apiVersion: dialect.groupVersion(shown.groupVersion),
    hasTypedItems: false,
    tellsRemaining: true,
    itemsFirst: false,
    members: isAsStored ? (wire) => wire : (wire, rv) => forms.get(id, rv) ?? made(wire, rv),
    membersAt: isAsStored
      ? (rv, wireAt) => wireAt(rv)
      : (rv, wireAt) => {
          const known = forms.get(id, rv);
          if (known !== undefined) return known;
          const wire = wireAt(rv);
          return wire && made(wire, rv);
        },
    bareMembers: (metadata) => Buffer.from(dialect.document(kind, codec.encode({ metadata }))),
    protobuf: (members) => {
      return shown.protobuf.encode(codec.decode(`{${decodeUtf8(members)}`).object);
    },
  };
}

/** Its metadata alone (API-FACTS 8.1). */
export function metadataOnly(whole: Shape, model: SchemaModel, apiVersion: string): Shape {
  const { json, protobuf } = compileMessage(model, 'meta.v1.PartialObjectMetadata');
  const metadataOf = (members: Uint8Array): Uint8Array =>
    Buffer.concat([METADATA, metadataBytes(members), CLOSE_BRACE]);
  return {
    kind: 'PartialObjectMetadata',
    apiVersion,
    hasTypedItems: true,
    tellsRemaining: false,
    itemsFirst: apiVersion.endsWith('/v1beta1'),
    members: (wire, rv) => metadataOf(whole.members(wire, rv)),
    membersAt: (rv, wireAt) => {
      const members = whole.membersAt(rv, wireAt);
      return members && metadataOf(members);
    },
    bareMembers: (metadata) => metadataOf(whole.bareMembers(metadata)),
    protobuf: (members) => protobuf.encode(json.decode(`{${decodeUtf8(members)}`).object),
  };
}
