/**
 * The binary form of a document of version 2, which command-line clients ask for (API-FACTS 9.3):
 * a public message for each kind of object in a document, values of extensions as YAML text.
 */
import protobuf from 'protobufjs/minimal.js';

type Writer = protobuf.Writer;
/** Writes a value with the tag, or tags, of its place in the message around it. */
type Field = (writer: Writer, value: unknown) => void;

const LENGTH_DELIMITED = 2;

const text = (number: number): Field => {
  return (writer, value) => {
    writer.uint32((number << 3) | LENGTH_DELIMITED).string(value as string);
  };
};

const flag = (number: number): Field => {
  return (writer, value) => {
    writer.uint32(number << 3).bool(value as boolean);
  };
};

const each = (field: Field): Field => {
  return (writer, value) => {
    for (const item of value as readonly unknown[]) field(writer, item);
  };
};

/** A message in a field; nested ones are given from the outside in. */
const inside = (numbers: readonly number[], content: Field): Field => {
  const [number, ...rest] = numbers;
  if (number === undefined) return content;
  const inner = inside(rest, content);
  return (writer, value) => {
    writer.uint32((number << 3) | LENGTH_DELIMITED).fork();
    inner(writer, value);
    writer.ldelim();
  };
};

/** Members by name, and those that begin with `x-`. Throws an Error for any other. */
const members = (fields: Readonly<Record<string, Field>>, extensions?: number): Field => {
  const extension = extensions === undefined ? undefined : entry(extensions, yaml);
  return (writer, value) => {
    for (const [name, member] of Object.entries(value as object)) {
      const field = fields[name];
      if (field !== undefined) field(writer, member);
      else if (extension !== undefined && name.startsWith('x-')) extension(writer, name, member);
      else throw new Error(`${name} has no place in the binary form of documents`);
    }
  };
};

type Entry = (writer: Writer, name: string, value: unknown) => void;

/** A name and a value, in a message of their own. */
const entry = (number: number, content: Field): Entry => {
  const name = text(1);
  const value = inside([2], content);
  return (writer, key, item) => {
    writer.uint32((number << 3) | LENGTH_DELIMITED).fork();
    name(writer, key);
    value(writer, item);
    writer.ldelim();
  };
};

const entries = (number: number, content: Field): Field => {
  const write = entry(number, content);
  return (writer, value) => {
    for (const [name, item] of Object.entries(value as object)) write(writer, name, item);
  };
};

/** JSON is YAML as well. */
const yaml: Field = (writer, value) => {
  text(2)(writer, JSON.stringify(value));
};

const schema: Field = (writer, value) => {
  schemaMembers(writer, value);
};

const schemaMembers = members(
  {
    $ref: text(1),
    format: text(2),
    description: text(4),
    required: each(text(19)),
    enum: each(inside([20], yaml)),
    additionalProperties: inside([21, 1], schema),
    type: inside([22], text(1)),
    items: inside([23, 1], schema),
    properties: inside([25], entries(1, schema)),
  },
  31,
);

const bodyParameter = inside(
  [1],
  members({ name: text(2), in: text(3), required: flag(4), schema: inside([5], schema) }),
);
const queryParameter = inside(
  [2, 3],
  members({
    in: text(2),
    description: text(3),
    name: text(4),
    type: text(6),
    uniqueItems: flag(20),
  }),
);
const pathParameter = inside(
  [2, 4],
  members({
    required: flag(1),
    in: text(2),
    description: text(3),
    name: text(4),
    type: text(5),
    uniqueItems: flag(19),
  }),
);

const parameter: Field = (writer, value) => {
  const place = (value as { readonly in: string }).in;
  if (place === 'body') bodyParameter(writer, value);
  else if (place === 'path') pathParameter(writer, value);
  else queryParameter(writer, value);
};
const parameters = (number: number): Field => each(inside([number, 1], parameter));

const response = members({ description: text(1), schema: inside([2, 1], schema) });

const operation = members(
  {
    tags: each(text(1)),
    description: text(3),
    operationId: text(5),
    produces: each(text(6)),
    consumes: each(text(7)),
    parameters: parameters(8),
    responses: inside([9], entries(1, inside([1], response))),
    schemes: each(text(10)),
  },
  13,
);

const pathItem = members({
  get: inside([2], operation),
  put: inside([3], operation),
  post: inside([4], operation),
  delete: inside([5], operation),
  options: inside([6], operation),
  head: inside([7], operation),
  patch: inside([8], operation),
  parameters: parameters(9),
});

const apiKey = members({ type: text(1), name: text(2), in: text(3), description: text(4) });

const document = members({
  swagger: text(1),
  info: inside([2], members({ title: text(1), version: text(2) })),
  paths: inside([8], entries(2, pathItem)),
  definitions: inside([9], entries(1, schema)),
  security: each(inside([12], entries(1, each(text(1))))),
  securityDefinitions: inside([13], entries(1, inside([2], apiKey))),
});

/** The bytes of a document as `openapi-documents.ts` makes it. */
export function encodeDocument(value: object): Uint8Array {
  const writer = protobuf.Writer.create();
  document(writer, value);
  return writer.finish();
}
