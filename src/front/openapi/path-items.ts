/** The paths of a document, in the form of either version. */
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import {
  ownParameters,
  responseDescription,
  sharedParameters,
  type ApiOperation,
  type ApiPath,
  type Content,
  type MediaTypes,
} from './api-paths.ts';
import type { JsonSchema } from './known-schemas.ts';
import type { Parameter } from './parameters.ts';
import { referenceTo, type Flavour } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

const { protobufType } = ownDialect();

const TEXT_DOCUMENTS = ['application/json', 'application/yaml'];
const DOCUMENT_PATCHES = ['application/json-patch+json', 'application/merge-patch+json'];

function mediaTypes(types: MediaTypes): readonly string[] {
  const documents = [...TEXT_DOCUMENTS, protobufType];
  switch (types) {
    case 'documents':
      return documents;
    case 'text documents':
      return TEXT_DOCUMENTS;
    case 'stream':
      return [...documents, 'application/json;stream=watch', `${protobufType};stream=watch`];
    case 'patch':
      return [
        ...DOCUMENT_PATCHES,
        'application/strategic-merge-patch+json',
        'application/apply-patch+yaml',
      ];
    case 'customPatch':
      return [...DOCUMENT_PATCHES, 'application/apply-patch+yaml'];
    case 'text':
      return ['text/plain', ...documents];
    case 'json':
      return ['application/json'];
    case 'any':
      return ['*/*'];
    case 'keys':
      return ['application/jwk-set+json'];
    case 'none':
      return [];
  }
}

/** A path item of version 2. */
export function pathItemV2(path: ApiPath): Item {
  const shared = sharedParameters(path);
  const operations = path.operations.map((operation) => [
    operation.method,
    operationV2(operation, ownParameters(operation, shared)),
  ]);
  return {
    ...Object.fromEntries(operations),
    ...(shared.length > 0 && { parameters: shared.map(parameterV2) }),
  };
}

function operationV2(operation: ApiOperation, parameters: readonly Parameter[]): Item {
  const { body } = operation;
  const bodyParameter = body && {
    name: 'body',
    in: 'body',
    ...(body.isRequired && { required: true }),
    schema: referenceTo(body.type, 'v2'),
  };
  const all = [...(bodyParameter ? [bodyParameter] : []), ...parameters.map(parameterV2)];
  const responses = Object.entries(operation.responses).map(([status, content]) => {
    const schema = schemaOf(content, 'v2');
    return [status, { description: responseDescription(status), ...(schema && { schema }) }];
  });
  return {
    description: operation.description,
    ...(operation.consumes !== 'none' && { consumes: mediaTypes(operation.consumes) }),
    produces: mediaTypes(operation.produces),
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(all.length > 0 && { parameters: all }),
    responses: Object.fromEntries(responses) as Item,
    ...extensions(operation),
  };
}

function parameterV2({ name, in: place, type, description }: Parameter): Item {
  return {
    uniqueItems: true,
    type,
    ...(description !== '' && { description }),
    name,
    in: place,
    ...(place === 'path' && { required: true }),
  };
}

/** A path item of version 3. */
export function pathItemV3(path: ApiPath): Item {
  const shared = sharedParameters(path);
  const operations = path.operations.map((operation) => [
    operation.method,
    operationV3(operation, ownParameters(operation, shared)),
  ]);
  return {
    ...Object.fromEntries(operations),
    ...(shared.length > 0 && { parameters: shared.map(parameterV3) }),
  };
}

function operationV3(operation: ApiOperation, parameters: readonly Parameter[]): Item {
  const { body, consumes, produces } = operation;
  const contentOf = (types: MediaTypes, schema: JsonSchema): Item =>
    Object.fromEntries(mediaTypes(types).map((type) => [type, { schema }]));
  const responses = Object.entries(operation.responses).map(([status, content]) => {
    const schema = schemaOf(content, 'v3');
    const description = responseDescription(status);
    return [status, { description, ...(schema && { content: contentOf(produces, schema) }) }];
  });
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterV3) }),
    ...(body && {
      requestBody: {
        content: contentOf(consumes, referenceTo(body.type, 'v3')),
        ...(body.isRequired && { required: true }),
      },
    }),
    responses: Object.fromEntries(responses) as Item,
    ...extensions(operation),
  };
}

function parameterV3({ name, in: place, type, description }: Parameter): Item {
  return {
    name,
    in: place,
    ...(description !== '' && { description }),
    ...(place === 'path' && { required: true }),
    schema: { type, uniqueItems: true },
  };
}

function schemaOf(content: Content, flavour: Flavour): JsonSchema | undefined {
  if (content === 'string') return { type: 'string' };
  return content && referenceTo(content.type, flavour);
}

function extensions({ action, kind }: ApiOperation): Item {
  return {
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': kind }),
  };
}
