/**
 * All rules for one object of a kind, in the order of the reference: metadata, schema, kind. The
 * write pipeline calls it with decoded, defaulted and prepared objects; nothing is changed here.
 */
import { appendAll } from '../base/append-all.ts';
import type { EmbeddedResources } from '../schema/embedded-metadata.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
  type ObjectMetaRules,
} from '../semantics/metadata/object-meta-validation.ts';
import type { NameRule } from '../semantics/metadata/names.ts';
import type { ObjectRules, UpdatedPart } from './resource-type.ts';
import { type FeatureGates } from '../release/feature-gates.ts';
import { DEFAULT_GATES } from '../release/own-gates.ts';
import {
  groupVersionOf,
  type ApiObject,
  type KindDefinition,
  type RuleContext,
} from '../resources/kind.ts';

/** The checks of a type's schema, and the features that its rules go by. */
export interface SchemaChecks {
  readonly gates: FeatureGates;
  readonly embedded?: EmbeddedResources;
  readonly schema: (object: ApiObject) => readonly FieldError[];
  readonly immutable: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
}

export class ObjectValidator implements ObjectRules {
  readonly #kind: KindDefinition;
  readonly #kindsIn: ReadonlyMap<string, KindDefinition>;
  readonly #checks: SchemaChecks;

  /** Without `checks` the kind's own rules are all that there is besides those of the metadata. */
  constructor(kind: KindDefinition, checks: SchemaChecks = NO_CHECKS) {
    this.#kind = withNameRule(kind, checks.gates);
    this.#kindsIn = kindsInVersions(this.#kind);
    this.#checks = checks;
  }

  /** The errors of an object that is about to be created. */
  validateCreate(object: ApiObject, groupVersion = groupVersionOf(this.#kind)): FieldError[] {
    const first = this.#kind.validateFirst?.(object, undefined, this.#checks.gates) ?? [];
    if (first.length > 0) return first;
    const rules = rulesOfNew(this.#kind, groupVersion);
    const generateNameRule =
      this.#kind.uncheckedGenerateName === true ? UNCHECKED_NAME : rules.nameRule;
    const errors = validateObjectMeta(object.metadata, rules, generateNameRule);
    appendAll(errors, this.#validate(object, undefined, { part: '', groupVersion, found: errors }));
    return errors.concat(this.#kind.validateCreate?.(object, groupVersion) ?? []);
  }

  /**
   * The errors of an update of `stored`, or of a part of it. For a missing version see
   * `RESOURCE_VERSION_MISSING`.
   */
  validateUpdate(
    object: ApiObject,
    stored: ApiObject,
    part: UpdatedPart = '',
    groupVersion = groupVersionOf(this.#kind),
  ): FieldError[] {
    const kind = this.#kindsIn.get(groupVersion) ?? this.#kind;
    const { gates } = this.#checks;
    const first = part === '' ? (kind.validateFirst?.(object, stored, gates) ?? []) : [];
    if (first.length > 0) return first;
    const errors = validateObjectMetaUpdate(object.metadata, stored.metadata, kind);
    if (part === 'status') {
      appendAll(errors, kind.validateStatusUpdate?.(object, stored, groupVersion, gates) ?? []);
    } else if (part === '') {
      appendAll(errors, this.#checks.immutable(object, stored));
      appendAll(errors, kind.validateUpdate?.(object, stored, groupVersion, gates) ?? []);
    } else {
      appendAll(errors, kind.parts?.[part]?.validateUpdate?.(object, stored, gates) ?? []);
    }
    const isFree = part !== '' || kind.freeGenerateName === true;
    const generateNameRule = isFree ? 'pathSegment' : kind.nameRule;
    const rules = rulesOfStored(kind, groupVersion);
    appendAll(errors, validateObjectMeta(object.metadata, rules, generateNameRule));
    if (part === '' && kind.checksUpdates === false) return errors;
    return errors.concat(this.#validate(object, stored, { part, groupVersion, found: errors }));
  }

  /** The errors by the schema and the kind, besides those of the metadata. */
  #validate(
    object: ApiObject,
    stored: ApiObject | undefined,
    of: Pick<RuleContext, 'part' | 'groupVersion' | 'found'>,
  ): FieldError[] {
    const { gates, embedded } = this.#checks;
    const context = { ...of, gates, ...(embedded === undefined ? {} : { embedded }) };
    const kindErrors = this.#kind.validate?.(object, stored, context) ?? [];
    return [...this.#checks.schema(object), ...kindErrors];
  }
}

/** The kind as it is in other versions, where its rules for metadata differ there. */
function kindsInVersions(kind: KindDefinition): ReadonlyMap<string, KindDefinition> {
  const { otherVersions = [] } = kind;
  return new Map(
    otherVersions.flatMap(({ group = kind.group, version, unconditionalUpdate }) => {
      if (unconditionalUpdate === undefined) return [];
      return [[groupVersionOf({ group, version }), { ...kind, unconditionalUpdate }] as const];
    }),
  );
}

/** The kind with the rule of its names that these features mean. */
function withNameRule(kind: KindDefinition, gates: FeatureGates): KindDefinition {
  const { relaxedName } = kind;
  if (relaxedName === undefined || !gates.has(relaxedName.gate)) return kind;
  return { ...kind, nameRule: relaxedName.rule };
}

/** The rules for the metadata of an object that comes in this version. */
function rulesOfStored(kind: KindDefinition, groupVersion: string): ObjectMetaRules {
  if (kind.freeName === true) return { ...kind, nameRule: 'pathSegment' };
  if (groupVersion !== kind.strictMetadataIn) return kind;
  const { namespaced, nameRule, unconditionalUpdate } = kind;
  return { namespaced, nameRule, unconditionalUpdate, checksFinalizerNames: true };
}

/** The rules for the metadata of an object that is about to be created in this version. */
function rulesOfNew(kind: KindDefinition, groupVersion: string): ObjectMetaRules {
  if (groupVersion !== kind.strictMetadataIn) return kind;
  return { ...rulesOfStored(kind, groupVersion), nameRule: 'dnsSubdomain' };
}

const UNCHECKED_NAME: NameRule = () => [];

const NO_CHECKS: SchemaChecks = {
  gates: DEFAULT_GATES,
  schema: () => [],
  immutable: () => [],
};
