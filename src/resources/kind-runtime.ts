/** A kind made ready to serve: its definition with the versions it is served in, and its rules. */
import { assert } from '../base/assert.ts';
import { compileMessage, type MessageCodecs } from '../codec/message-codecs.ts';
import type { SchemaModel } from '../codec/schema-model.ts';
import type { Ownable } from '../semantics/fields/track-update.ts';
import type { CompiledValidators } from '../semantics/validation.ts';
import { DEFAULT_GATES, type FeatureGates } from './feature-gates.ts';
import { ownableThrough } from './ownable-fields.ts';
import type { ApiObject, KindDefinition } from './kind.ts';
import { resourceKey } from './registry.ts';
import { ServedScale } from './served-scale.ts';
import { ServedVersion } from './served-version.ts';
import { ObjectValidator } from './validate-object.ts';

export class KindRuntime {
  readonly definition: KindDefinition;
  readonly model: SchemaModel;
  /** The version that is stored. */
  readonly stored: ServedVersion;
  /** All versions that are served, the stored one first. */
  readonly versions: readonly ServedVersion[];
  /** Present when the kind has a `/scale` subresource. */
  readonly scale: ServedScale | undefined;
  readonly validator: ObjectValidator;
  /** Name of the type's log and shard: `configmaps`, `leases.coordination.cluster.io`. */
  readonly key: string;
  /** Selectable fields, in the order in which records and table entries hold their values. */
  readonly fieldNames: readonly string[];
  /** Where the indexed ones of them stand. */
  readonly indexedPositions: readonly number[];
  #deleteOptions: MessageCodecs | undefined;
  /** Features that are on. */
  readonly gates: FeatureGates;
  readonly #ownable = new Map<string, Ownable>();

  constructor(
    definition: KindDefinition,
    model: SchemaModel,
    compiled: CompiledValidators,
    gates: FeatureGates = DEFAULT_GATES,
  ) {
    const { kind, otherVersions = [] } = definition;
    this.definition = definition;
    this.model = model;
    this.gates = gates;
    this.stored = new ServedVersion(definition, model, 0);
    const { codec } = this.stored;
    const others = otherVersions.map(
      (_, at) => new ServedVersion(definition, model, at + 1, codec),
    );
    this.versions = [this.stored, ...others];
    this.scale = definition.scaleSelector && new ServedScale(definition, model, codec);
    this.validator = new ObjectValidator(definition, model, compiled);
    this.key = resourceKey(definition);
    this.fieldNames = this.stored.fieldNames;
    this.indexedPositions = (definition.indexedFields ?? []).map((name) => {
      const position = this.fieldNames.indexOf(name);
      assert(position >= 0, `${kind} indexes ${name}, which is not selectable`);
      return position;
    });
  }

  /** The version of that index; absent is the stored one. */
  version(index = 0): ServedVersion {
    const version = this.versions[index];
    assert(version !== undefined, `${this.key} is not served in version ${index}`);
    return version;
  }

  /** What bodies and answers of a request are: the kind in one of its versions, or its Scale. */
  servedAs({
    version,
    subresource = '',
  }: {
    version?: number;
    subresource?: string;
  }): ServedVersion | ServedScale {
    if (subresource !== 'scale') return this.version(version);
    assert(this.scale !== undefined, `${this.key} has no scale`);
    return this.scale;
  }

  /** DeleteOptions in JSON and in binary. */
  get deleteOptions(): MessageCodecs {
    return (this.#deleteOptions ??= compileMessage(this.model, 'meta.v1.DeleteOptions'));
  }

  /** The version with this name, as `apps/v1`; undefined when it is not served. */
  versionNamed(groupVersion: string): ServedVersion | undefined {
    return this.versions.find((version) => version.groupVersion === groupVersion);
  }

  /** Which fields those who write through a subresource, or '' the object, come to own. */
  ownable(subresource: string): Ownable {
    let ownable = this.#ownable.get(subresource);
    if (ownable === undefined) {
      ownable = ownableThrough(this.definition, subresource);
      this.#ownable.set(subresource, ownable);
    }
    return ownable;
  }

  /** The values of the selectable fields, in the order of `fieldNames`. */
  fieldsOf(object: ApiObject): readonly string[] {
    const getters = this.definition.selectableFields;
    if (getters === undefined) return NO_FIELDS;
    return this.fieldNames.map((name) => getters[name]?.(object) ?? '');
  }
}

const NO_FIELDS: readonly string[] = Object.freeze([]);
