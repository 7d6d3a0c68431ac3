/** The check of large definitions, as a job of another thread: patterns in schemas take long. */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import { compileJsonCodec, type JsonCodec } from '../codec/json/json-codec.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import {
  CUSTOM_RESOURCE_DEFINITION,
  specErrors,
} from '../resources/apiextensions/custom-resource-definition.ts';
import { EmbeddedResources } from '../schema/embedded-metadata.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';

interface Checker {
  readonly codec: JsonCodec;
  readonly embedded: EmbeddedResources;
}

let checker: Checker | undefined;

/** The errors of the spec of a definition, from the text of its members. */
export function definitionErrors(members: string, loadModel: () => SchemaModel): FieldError[] {
  if (checker === undefined) {
    const model = loadModel();
    checker = {
      codec: compileJsonCodec(model, CUSTOM_RESOURCE_DEFINITION.message),
      embedded: new EmbeddedResources(model),
    };
  }
  const { object } = checker.codec.decode(`{${members}`);
  return specErrors((object as unknown as CustomResourceDefinition).spec, checker.embedded);
}
