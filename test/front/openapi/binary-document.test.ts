/** The binary form of version 2, read with the public messages. */
import protobuf from 'protobufjs';
import t from 'tap';
import { documentEncoder } from '../../../src/front/openapi/binary-document.ts';
import { bytesOf, documents, messages, V2 } from './documents-under-test.ts';
import type { Schema, TestOperation, TestParameter } from './documents-under-test.ts';

/** The fields that documents have, with the numbers of the public messages. */
const { root } = protobuf.parse(
  `syntax = "proto3";
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message Info { string title = 1; string version = 2; }
  message TypeItem { repeated string value = 1; }
  message ItemsItem { repeated Schema schema = 1; }
  message AdditionalPropertiesItem { Schema schema = 1; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Properties { repeated NamedSchema additional = 1; }
  message Schema {
    string ref = 1; string format = 2; string description = 4; repeated string required = 19;
    repeated Any enum = 20; AdditionalPropertiesItem additionalProperties = 21; TypeItem type = 22;
    ItemsItem items = 23; Properties properties = 25; repeated NamedAny extensions = 31;
  }
  message BodyParameter { string name = 2; string in = 3; bool required = 4; Schema schema = 5; }
  message QueryParameter {
    bool required = 1; string in = 2; string description = 3; string name = 4; string type = 6;
    bool uniqueItems = 20;
  }
  message PathParameter {
    bool required = 1; string in = 2; string description = 3; string name = 4; string type = 5;
    bool uniqueItems = 19;
  }
  message NonBodyParameter { QueryParameter query = 3; PathParameter path = 4; }
  message Parameter { BodyParameter body = 1; NonBodyParameter nonBody = 2; }
  message ParametersItem { Parameter parameter = 1; }
  message SchemaItem { Schema schema = 1; }
  message Response { string description = 1; SchemaItem schema = 2; }
  message ResponseValue { Response response = 1; }
  message NamedResponseValue { string name = 1; ResponseValue value = 2; }
  message Responses { repeated NamedResponseValue code = 1; }
  message Operation {
    repeated string tags = 1; string description = 3; string operationId = 5;
    repeated string produces = 6; repeated string consumes = 7; repeated ParametersItem parameters = 8;
    Responses responses = 9; repeated string schemes = 10; repeated NamedAny extensions = 13;
  }
  message PathItem {
    Operation get = 2; Operation put = 3; Operation post = 4; Operation delete = 5;
    Operation options = 6; Operation head = 7; Operation patch = 8;
    repeated ParametersItem parameters = 9;
  }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPathItem path = 2; }
  message ApiKey { string type = 1; string name = 2; string in = 3; string description = 4; }
  message SecurityItem { ApiKey apiKey = 2; }
  message NamedSecurityItem { string name = 1; SecurityItem value = 2; }
  message SecurityDefinitions { repeated NamedSecurityItem additional = 1; }
  message Document {
    string swagger = 1; Info info = 2; Paths paths = 8; Properties definitions = 9;
    SecurityDefinitions security = 13;
  }`,
  { keepCase: true },
);
const Document = root.lookupType('Document');

interface Named<T> {
  readonly name: string;
  readonly value: T;
}

interface BinarySchema {
  readonly ref?: string;
  readonly description?: string;
  readonly format?: string;
  readonly type?: { readonly value: readonly string[] };
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly yaml: string }[];
  readonly items?: { readonly schema: readonly BinarySchema[] };
  readonly additionalProperties?: { readonly schema: BinarySchema };
  readonly properties?: { readonly additional: readonly Named<BinarySchema>[] };
  readonly extensions?: readonly Named<{ readonly yaml: string }>[];
}

interface BinaryParameter {
  readonly parameter: {
    readonly body?: object;
    readonly nonBody?: { readonly query?: object; readonly path?: object };
  };
}

type BinaryOperation = Record<string, unknown> & {
  readonly parameters?: readonly BinaryParameter[];
  readonly extensions?: BinarySchema['extensions'];
};

interface BinaryDocument {
  readonly swagger: string;
  readonly info: object;
  readonly paths: {
    readonly path: readonly Named<
      Record<string, BinaryOperation> & { readonly parameters?: never }
    >[];
  };
  readonly definitions: { readonly additional: readonly Named<BinarySchema>[] };
  readonly security: object;
}

const binary = Document.toObject(
  Document.decode(bytesOf(await documents.v2Protobuf())),
) as unknown as BinaryDocument;

function extensionsOf(named: BinarySchema['extensions'] = []): Record<string, unknown> {
  return Object.fromEntries(named.map(({ name, value }) => [name, JSON.parse(value.yaml)]));
}

/** A schema as the JSON form has it. */
function schemaOf(schema: BinarySchema): Schema {
  const { ref, type, items, additionalProperties, properties, extensions, ...rest } = schema;
  const [item] = items?.schema ?? [];
  return {
    ...rest,
    ...(ref !== undefined && { $ref: ref }),
    ...(type !== undefined && { type: type.value.join() }),
    ...(rest.enum && { enum: rest.enum.map(({ yaml }) => JSON.parse(yaml) as unknown) }),
    ...(item !== undefined && { items: schemaOf(item) }),
    ...(additionalProperties && { additionalProperties: schemaOf(additionalProperties.schema) }),
    ...(properties && { properties: schemasOf(properties.additional) }),
    ...extensionsOf(extensions),
  };
}

function schemasOf(named: readonly Named<BinarySchema>[]): Record<string, Schema> {
  return Object.fromEntries(named.map(({ name, value }) => [name, schemaOf(value)]));
}

function parameterOf({ parameter }: BinaryParameter): TestParameter {
  const { body, nonBody } = parameter;
  if (body === undefined) return (nonBody?.query ?? nonBody?.path) as TestParameter;
  const { schema, ...rest } = body as TestParameter & { readonly schema: BinarySchema };
  return { ...rest, schema: schemaOf(schema) } as TestParameter;
}

t.test('the binary form says what the JSON form says', async (t) => {
  t.equal(binary.swagger, '2.0');
  t.same(binary.info, V2.info);
  t.match(binary.security, { additional: [{ name: 'BearerToken', value: { apiKey: {} } }] });
  t.same(schemasOf(binary.definitions.additional), V2.definitions);
  t.same(
    binary.paths.path.map(({ name }) => name),
    Object.keys(V2.paths),
  );
  for (const { name, value } of binary.paths.path) {
    const { parameters = [], ...operations } = value as Record<string, BinaryOperation> & {
      readonly parameters?: readonly BinaryParameter[];
    };
    const { parameters: shared = [], ...expected } = (V2.paths[name] ?? {}) as unknown as Record<
      string,
      TestOperation
    > & { readonly parameters?: readonly TestParameter[] };
    t.same(parameters.map(parameterOf), shared, name);
    t.same(Object.keys(operations).sort(), Object.keys(expected).sort(), name);
    for (const [method, operation] of Object.entries(operations)) {
      const { extensions, parameters: own, responses: _responses, ...rest } = operation;
      const { responses: _expected, ...found } = expected[method] ?? {};
      const decoded = { ...rest, ...(own && { parameters: own.map(parameterOf) }) };
      t.same({ ...decoded, ...extensionsOf(extensions) }, found, `${method} ${name}`);
    }
  }
});

t.test('nothing is left out in silence', async (t) => {
  const encode = documentEncoder(messages);
  t.throws(() => encode({ swagger: '2.0', host: 'here' }), /host has no place/);
  const header = { parameters: [{ name: 'a', in: 'header' }] };
  t.throws(() => encode({ paths: { '/': header } }), /a parameter in header has no place/);
  t.throws(() => encode({ info: { 'x-a': 1 } }), /Info has no extensions/);
});
