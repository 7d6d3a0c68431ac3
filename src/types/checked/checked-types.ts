/** The types of objects as expressions of policies see them, by what rules name. */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { groupVersionOf } from '../../resources/kind.ts';
import { unescapedName } from '../../schema/cel/escaped-names.ts';
import { declaredType, ValueSchema } from '../../schema/cel/schema-values.ts';
import { simple, type ObjectType, type Type } from '../../schema/cel/types.ts';
import { StructuralSchema } from '../../schema/structural-schema.ts';
import { compileFieldTypes, type FieldType } from '../../semantics/fields/field-types.ts';
import { definitionFacts, type DefinitionFacts } from '../custom/definition-facts.ts';
import { BUILT_IN_TYPES } from '../served-types.ts';

/** A kind in a version, and the type of its objects. */
export interface CheckedType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined where nothing is known of them. */
  readonly type: Type | undefined;
}

interface NamedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export class CheckedTypes {
  readonly #loadModel: () => SchemaModel;
  /** By the name of the definition. */
  readonly #definitions = new Map<string, DefinitionFacts>();
  #model: SchemaModel | undefined;

  constructor(loadModel: () => SchemaModel) {
    this.#loadModel = loadModel;
  }

  put(name: string, definition: CustomResourceDefinition | undefined): void {
    if (definition === undefined) this.#definitions.delete(name);
    else this.#definitions.set(name, definitionFacts(definition));
  }

  /** The kind that a rule names; undefined where it is not served. */
  ofResource({ group, version, resource }: NamedResource): CheckedType | undefined {
    return this.#find(
      (served) =>
        served.group === group && served.version === version && served.plural === resource,
    );
  }

  /** The kind that parameters have. */
  ofKind(apiVersion: string, kind: string): CheckedType | undefined {
    return this.#find((served) => groupVersionOf(served) === apiVersion && served.kind === kind);
  }

  #find(isMeant: (served: Served) => boolean): CheckedType | undefined {
    const builtIn = BUILT_IN.find(isMeant);
    if (builtIn !== undefined) {
      const { group, version, kind, message } = builtIn;
      return { group, version, kind, type: this.#messageType(message, kind) };
    }
    for (const { group, names, versions } of this.#definitions.values()) {
      for (const { name: version, served, schemaText } of versions) {
        const { plural, kind } = names;
        if (!served || !isMeant({ group, version, plural, kind })) continue;
        return { group, version, kind, type: this.#customType(schemaText, kind) };
      }
    }
    return undefined;
  }

  #messageType(message: string, kind: string): Type | undefined {
    this.#model ??= this.#loadModel();
    return seenType(compileFieldTypes(this.#model, message), kind);
  }

  /** Its metadata is what every object has, and not what its schema says of them. */
  #customType(schemaText: string, kind: string): Type | undefined {
    if (schemaText === '') return undefined;
    const schema = new StructuralSchema(JSON.parse(schemaText));
    const whole = declaredType(new ValueSchema(schema, true), kind);
    if (whole?.kind !== 'object') return whole;
    const any = this.#messageType(ANY_MESSAGE, kind) as ObjectType;
    return {
      ...whole,
      field: (name) => (name === 'metadata' ? any.field(name) : whole.field(name)),
    };
  }
}

/** A message with the metadata that all objects have. */
const ANY_MESSAGE = 'core.v1.ConfigMap';

interface Served {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

const BUILT_IN: readonly (Served & { readonly message: string })[] = BUILT_IN_TYPES.flatMap(
  ({ definition, group, version, index }) => {
    const { plural, kind, otherVersions = [] } = definition;
    const message =
      (index === 0 ? undefined : otherVersions[index - 1]?.message) ?? definition.message;
    return message === undefined ? [] : [{ group, version, plural, kind, message }];
  },
);

const LEAVES: Readonly<Record<string, Type>> = {
  string: simple('string'),
  bytes: simple('bytes'),
  int32: simple('int'),
  int64: simple('int'),
  double: simple('double'),
  bool: simple('bool'),
  Duration: simple('string'),
  Time: simple('timestamp'),
  MicroTime: simple('timestamp'),
  IntOrString: simple('dyn'),
};

/** As expressions see a field; undefined for one that they do not, as quantities. */
function seenType(type: FieldType, name: string): Type | undefined {
  switch (type.kind) {
    case 'scalar':
      return LEAVES[type.leaf];
    case 'untyped':
      return { kind: 'object', name, field: () => undefined };
    case 'list': {
      const item = seenType(type.item, `${name}.@idx`);
      return item && { kind: 'list', item };
    }
    case 'map': {
      const value = seenType(type.item, `${name}.@elem`);
      return value && { kind: 'map', key: simple('string'), value };
    }
    default:
      return {
        kind: 'object',
        name,
        field: (escaped) => {
          const field = type.field(unescapedName(escaped) ?? escaped);
          return field && seenType(field.type, `${name}.${escaped}`);
        },
      };
  }
}
