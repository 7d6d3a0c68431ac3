/** The members that a document has of an object, whatever it is encoded in. */
import type { JsonCodec } from '../../codec/json/json-codec.ts';
import { compileMessage } from '../../codec/message-codecs.ts';
import { metadataMember } from '../../codec/json/object-metadata.ts';
import type { ProtobufCodec } from '../../codec/protobuf/protobuf-codec.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { Conversion } from '../../types/conversion.ts';
import type { ServedScale } from '../../types/served-version.ts';
import type { ServedVersion } from '../../types/served-version.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import type { EncodingCache } from './encoding-cache.ts';
import type { Needed, WireAt } from './representation.ts';

const CLOSE_BRACE = 0x7d;
/** Holds the metadata of most objects. */
const ITEM_BYTES = 4 * 1024;

export interface Content {
  readonly kind: string;
  readonly listKind: string;
  readonly apiVersion: string;
  /** Whether items of lists say in JSON what they are. */
  readonly hasTypedItems: boolean;
  /** Whether lists say how many objects are still to come. */
  readonly tellsRemaining: boolean;
  /** Whether lists with nothing still to come say so in JSON, by an empty token. */
  readonly tellsEnd: boolean;
  /** In binary, the items come before the metadata of lists. */
  readonly itemsFirst: boolean;
  /** JSON of the object after its type, from the bytes stored of `rv`: `"metadata":{…},…}`. */
  members(wire: Uint8Array, rv: number): Uint8Array;
  /** The members for an item of a list, valid until the next call; undefined when it is gone. */
  membersAt(rv: number, wireAt: WireAt): Uint8Array | undefined;
  /** The members of an object with this metadata alone, whatever else such an object always has. */
  bareMembers(metadata: object): Uint8Array;
  /** As in `Representation`. */
  readonly needed?: Needed | undefined;
  /** The message of such JSON, where it has one. */
  readonly protobuf?: ProtobufCodec | undefined;
}

/** The object itself, or its Scale. `id` names what is kept of it in the cache. */
export function wholeObject(
  id: string,
  served: ServedVersion | ServedScale,
  cache: EncodingCache,
): Content {
  const { kind, codec } = served;
  const { conversion } = served;
  const isAsStored = served.matchesStored && conversion === undefined;
  const isKept = conversion === undefined;
  const made = (wire: Uint8Array, rv: number): Uint8Array => {
    const members = served.members(wire);
    // Stored bytes are nearly as fast to read again; objects that a webhook converted have a cache
    // of their own.
    if (members !== wire && isKept) cache.set(id, rv, members);
    return members;
  };
  return {
    kind,
    listKind: served.listKind,
    apiVersion: served.groupVersion,
    hasTypedItems: served.hasTypedItems,
    tellsRemaining: true,
    // Those of custom objects do.
    tellsEnd: served.hasTypedItems,
    itemsFirst: false,
    needed: conversion && neededBy(conversion),
    members: isAsStored ? (wire) => wire : (wire, rv) => cache.get(id, rv) ?? made(wire, rv),
    membersAt: isAsStored
      ? (rv, wireAt) => wireAt(rv)
      : (rv, wireAt) => {
          const known = cache.get(id, rv);
          if (known !== undefined) return known;
          const wire = wireAt(rv);
          return wire && made(wire, rv);
        },
    bareMembers: (metadata) => shownAlone(metadataMember(Buffer.from(codec.encode({ metadata })))),
    get protobuf() {
      return served.protobuf;
    },
  };
}

/** Tells which conversions by a webhook an object needs. */
export function neededBy(conversion: Conversion): Needed {
  return (rv, wireAt) => {
    const wire = wireAt(rv);
    return wire && conversion.needed(wire);
  };
}

/** Its metadata alone (../README.md#representations), without an annotation that is none of it. */
export function metadataOnly(
  whole: Content,
  model: SchemaModel,
  apiVersion: string,
  hiddenAnnotation?: string,
): Content {
  const { json, protobuf } = compileMessage(model, 'meta.v1.PartialObjectMetadata');
  const shownOf = (metadata: Uint8Array): Uint8Array =>
    hiddenAnnotation === undefined ? metadata : withoutAnnotation(metadata, hiddenAnnotation, json);
  /** One serves item after item of lists: copies of their own would be garbage at once. */
  let item = Buffer.allocUnsafeSlow(ITEM_BYTES);
  return {
    kind: 'PartialObjectMetadata',
    listKind: 'PartialObjectMetadataList',
    apiVersion,
    hasTypedItems: true,
    tellsRemaining: false,
    tellsEnd: false,
    itemsFirst: apiVersion.endsWith('/v1beta1'),
    needed: whole.needed,
    members: (wire, rv) => shownOf(shownAlone(metadataMember(whole.members(wire, rv)))),
    membersAt: (rv, wireAt) => {
      const members = whole.membersAt(rv, wireAt);
      if (members === undefined) return undefined;
      const metadata = metadataMember(members);
      if (metadata.length >= item.length) item = Buffer.allocUnsafeSlow(2 * metadata.length);
      return shownOf(shownAlone(metadata, item));
    },
    bareMembers: whole.bareMembers,
    protobuf,
  };
}

/** The members of an object that has nothing but this one, put into `target` where there is one. */
function shownAlone(
  metadata: Uint8Array,
  target: Uint8Array = Buffer.allocUnsafe(metadata.length + 1),
): Uint8Array {
  const { length } = metadata;
  target.set(metadata);
  target[length] = CLOSE_BRACE;
  return target.subarray(0, length + 1);
}

/** Nearly all objects do not have it: what does not name it is not looked into. */
function withoutAnnotation(members: Uint8Array, name: string, codec: JsonCodec): Uint8Array {
  const { buffer, byteOffset, length } = members;
  if (!Buffer.from(buffer, byteOffset, length).includes(name)) return members;
  const { object } = codec.decode(`{${decodeUtf8(members)}`);
  const metadata = object['metadata'] as ObjectMeta;
  const { [name]: _hidden, ...annotations } = metadata.annotations ?? {};
  metadata.annotations = Object.keys(annotations).length === 0 ? undefined : annotations;
  return Buffer.from(codec.encode(object));
}
