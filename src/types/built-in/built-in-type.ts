/** A built-in resource type: a kind file with the schema model, in the versions it is served in. */
import { assert } from '../../base/assert.ts';
import { compileMemberReader } from '../../codec/json/member-reader.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { type FeatureGates } from '../../release/feature-gates.ts';
import { DEFAULT_GATES } from '../../release/own-gates.ts';
import type { ApiObject, BuiltInKind } from '../../resources/kind.ts';
import { DEFAULT_PRINTER } from '../../resources/printer-cells.ts';
import { resourceKey } from '../../resources/registry.ts';
import { EmbeddedResources } from '../../schema/embedded-metadata.ts';
import { immutableCheck } from '../../semantics/validation/immutable-fields.ts';
import { schemaValidator, type CompiledValidators } from '../../semantics/validation/validation.ts';
import { ObjectScale } from '../object-scale.ts';
import { ResourceType } from '../resource-type.ts';
import type { PrintedAs } from '../resource-type.ts';
import { ObjectValidator } from '../validate-object.ts';
import { builtInScale } from './built-in-scale.ts';
import { BuiltInVersion } from './built-in-version.ts';
import { compileGated } from './gated-members.ts';
import type { DropGated } from './gated-members.ts';

/** `compiled` are the validators of `model`, from the built module or compiled in place. */
export function builtInType(
  definition: BuiltInKind,
  model: SchemaModel,
  compiled: CompiledValidators,
  gates: FeatureGates = DEFAULT_GATES,
): ResourceType {
  const { kind, otherVersions = [] } = definition;
  const stored = new BuiltInVersion(definition, model, 0);
  const others = otherVersions.map(
    (_, at) => new BuiltInVersion(definition, model, at + 1, stored.codec),
  );
  const { scaleSelector } = definition;
  const readStored = (members: string): ApiObject =>
    stored.codec.decode(`{${members}`).object as ApiObject;
  const scale =
    scaleSelector && new ObjectScale(builtInScale(definition, scaleSelector), model, readStored);
  const { fieldNames } = stored;
  const printed = printedAs(definition, model);
  return new ResourceType({
    definition,
    model,
    key: resourceKey(definition),
    versions: [stored, ...others],
    scaleOf: () => scale,
    validator: builtInRules(definition, model, compiled, gates),
    indexedPositions: (definition.indexedFields ?? []).map((name) => {
      const position = fieldNames.indexOf(name);
      assert(position >= 0, `${kind} indexes ${name}, which is not selectable`);
      return position;
    }),
    gates,
    dropGated: dropsGated(definition, model, gates),
    // Printers know the stored kind, whatever version is asked for.
    printedIn: () => printed(),
  });
}

/** All rules of a kind: those of its schema, and its own. */
export function builtInRules(
  definition: BuiltInKind,
  model: SchemaModel,
  compiled: CompiledValidators,
  gates: FeatureGates = DEFAULT_GATES,
): ObjectValidator {
  return new ObjectValidator(definition, {
    gates,
    embedded: new EmbeddedResources(model),
    schema: schemaValidator(model, definition.message, compiled),
    immutable: immutableCheck(model, definition.message),
  });
}

/** Compiled at the first write: most kinds have none, and all their messages would be walked. */
function dropsGated(definition: BuiltInKind, model: SchemaModel, gates: FeatureGates): DropGated {
  let known: { readonly drop: DropGated | undefined } | undefined;
  return (object, stored) => {
    known ??= { drop: compileGated(model, definition.message, gates) };
    known.drop?.(object, stored);
  };
}

/** Compiled when a Table is first asked for. */
function printedAs(definition: BuiltInKind, model: SchemaModel): () => PrintedAs {
  let known: PrintedAs | undefined;
  return () => {
    if (known === undefined) {
      const printer = definition.printer ?? DEFAULT_PRINTER;
      const read = compileMemberReader(model, definition.message, printer.members());
      known = { printer, read: (wire) => read(wire) as ApiObject };
    }
    return known;
  };
}
