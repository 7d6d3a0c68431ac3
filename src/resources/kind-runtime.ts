/** A kind made ready to serve: its definition with codec, validation and wire prefixes. */
import { assert } from '../base/assert.ts';
import type { JsonCodec } from '../codec/json-codec.ts';
import type { GroupResource } from '../semantics/status.ts';
import { groupVersionOf, type ApiObject, type KindDefinition } from './kind.ts';
import { resourceKey } from './registry.ts';
import type { ObjectValidator } from './validate-object.ts';

const METADATA_FIELDS = ['metadata.name', 'metadata.namespace'] as const;

export class KindRuntime {
  readonly definition: KindDefinition;
  readonly codec: JsonCodec;
  readonly validator: ObjectValidator;
  /** Name of the type's log and shard: `configmaps`, `leases.coordination.cluster.io`. */
  readonly key: string;
  readonly resource: GroupResource;
  /** `v1`, `batch/v1`. */
  readonly groupVersion: string;
  /** What stands before the stored bytes in a single object: `{"kind":…,"apiVersion":…,`. */
  readonly objectPrefix: Buffer;
  /** Selectable fields, in the order in which records and table entries hold their values. */
  readonly fieldNames: readonly string[];
  /** Where the indexed ones of them stand. */
  readonly indexedPositions: readonly number[];
  readonly selectableFieldNames: ReadonlySet<string>;

  constructor(definition: KindDefinition, codec: JsonCodec, validator: ObjectValidator) {
    const { group, kind, plural } = definition;
    this.definition = definition;
    this.codec = codec;
    this.validator = validator;
    this.key = resourceKey(definition);
    this.resource = { group, resource: plural };
    this.groupVersion = groupVersionOf(definition);
    this.objectPrefix = Buffer.from(`{"kind":"${kind}","apiVersion":"${this.groupVersion}",`);
    this.fieldNames = Object.keys(definition.selectableFields ?? {});
    this.indexedPositions = (definition.indexedFields ?? []).map((name) => {
      const position = this.fieldNames.indexOf(name);
      assert(position >= 0, `${kind} indexes ${name}, which is not selectable`);
      return position;
    });
    this.selectableFieldNames = new Set([...METADATA_FIELDS, ...this.fieldNames]);
  }

  /** The values of the selectable fields, in the order of `fieldNames`. */
  fieldsOf(object: ApiObject): readonly string[] {
    const getters = this.definition.selectableFields;
    if (getters === undefined) return NO_FIELDS;
    return this.fieldNames.map((name) => getters[name]?.(object) ?? '');
  }
}

const NO_FIELDS: readonly string[] = Object.freeze([]);
