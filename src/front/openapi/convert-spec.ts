/**
 * Makes a document of version 3 of one of version 2, which is all that some servers of the API tell
 * of themselves: a job, for it reads and writes the whole document.
 */
import { gzipSync } from 'node:zlib';
import { hashOf, type PackedDocument } from './document-pack.ts';
import { unescaped } from './merge-specs.ts';

type Members = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, Members>>;

interface Operation extends Members {
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly parameters?: readonly Members[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** Members of a schema that are schemas, or lists of them. */
const SCHEMAS = new Set(
  'items additionalItems additionalProperties allOf anyOf oneOf not'.split(' '),
);
const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties']);

export interface ConversionJob {
  /** A document of version 2: JSON. */
  readonly text: string;
}

/** Throws SyntaxError where the text is no JSON, and TypeError where it is no such document. */
export function convertSpec({ text }: ConversionJob): PackedDocument {
  const converted = JSON.stringify(versionThree(JSON.parse(text) as Members));
  return { zipped: gzipSync(converted), hash: hashOf(converted) };
}

/** Members without a value are left out where it is written. */
function versionThree(spec: Members): Members {
  const { info = null, externalDocs, paths, definitions, securityDefinitions, responses } = spec;
  const parameters = (spec['parameters'] ?? {}) as Parameters;
  const produces = spec['produces'] as Operation['produces'];
  return {
    openapi: '3.0.0',
    info,
    externalDocs,
    paths: mappedBeside(paths, (item: Members) => pathItem(item, parameters)),
    components: {
      schemas: mapped(definitions, schemaOf),
      securitySchemes: mapped(securityDefinitions, securityScheme),
      responses: mapped(responses, (one: Members) => response(one, produces)),
    },
  };
}

function pathItem(item: Members, shared: Parameters): Members {
  const { $ref, parameters } = item as Operation;
  const operations = METHODS.filter((method) => item[method] !== undefined).map((method) => {
    return [method, operation(item[method] as Operation, shared)] as const;
  });
  return {
    ...extensions(item),
    $ref,
    ...Object.fromEntries(operations),
    parameters: parameters?.map((one) => parameter(inPlace(one, shared))),
  };
}

function operation(of: Operation, shared: Parameters): Members {
  const { tags, summary, description, externalDocs, operationId, deprecated } = of;
  const { consumes, produces, parameters = [], responses = {} } = of;
  const all = parameters.map((one) => inPlace(one, shared));
  const body = all.find(isBody);
  const others = all.filter((one) => !isBody(one));
  return {
    ...extensions(of),
    tags,
    summary,
    description,
    externalDocs,
    operationId,
    deprecated,
    parameters: others.length === 0 ? undefined : others.map(parameter),
    requestBody: body && { content: contentOf(body['schema'], consumes) },
    responses: mappedBeside(responses, (one: Members) => response(one, produces)),
  };
}

/** A shared parameter stands where it is used: some of them are bodies, which are no parameters. */
function inPlace(one: Members, shared: Parameters): Members {
  const name = nameIn('#/parameters/', one['$ref']);
  return (name === undefined ? undefined : shared[unescaped(name)]) ?? one;
}

function isBody({ schema }: Members): boolean {
  return schema !== undefined;
}

/** Of the values only type and format are told, and whether they differ. */
function parameter(one: Members): Members {
  const { $ref, name, description, required, allowEmptyValue, type, format, uniqueItems } = one;
  const schema = isBody(one) ? schemaOf(one['schema']) : { type, format, uniqueItems };
  const known = { $ref, name, in: one['in'], description, required, allowEmptyValue, schema };
  return { ...extensions(one), ...known };
}

function response(one: Members, produces: Operation['produces']): Members {
  const { description, schema } = one;
  const name = nameIn('#/responses/', one['$ref']);
  return {
    ...extensions(one),
    $ref: name === undefined ? one['$ref'] : `#/components/responses/${name}`,
    description,
    content: schema === undefined ? undefined : contentOf(schema, produces),
  };
}

/** What an operation does not say of its media types nobody else says. */
function contentOf(schema: unknown, types: readonly string[] | undefined): Members | undefined {
  if (types === undefined) return undefined;
  const converted = schemaOf(schema);
  return Object.fromEntries(types.map((type) => [type, { schema: converted }]));
}

/** Readers of version 3 pass over what stands beside a reference. */
function schemaOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...others } = schema as Members;
  const converted = Object.fromEntries(
    Object.entries(others).map(([key, value]) => {
      if (SCHEMAS.has(key)) return [key, schemaOf(value)];
      return [key, SCHEMAS_BY_NAME.has(key) ? mapped(value, schemaOf) : value];
    }),
  );
  if ($ref === undefined) return converted;
  const name = nameIn('#/definitions/', $ref);
  const reference = { $ref: name === undefined ? $ref : `#/components/schemas/${name}` };
  return Object.keys(others).length === 0 ? reference : { ...converted, allOf: [reference] };
}

function securityScheme(one: Members): Members {
  const { type, description, name, flow, authorizationUrl, tokenUrl, scopes } = one;
  const flows = flow && { [flow as string]: { authorizationUrl, tokenUrl, scopes } };
  return { ...extensions(one), type, description, name, in: one['in'], flows };
}

/** Undefined where it leads elsewhere. */
function nameIn(section: string, reference: unknown): string | undefined {
  const isThere = typeof reference === 'string' && reference.startsWith(section);
  return isThere ? reference.slice(section.length) : undefined;
}

/** Each member by itself. */
function mapped<T>(members: unknown, convert: (member: T) => unknown): Members | undefined {
  if (members === undefined) return undefined;
  const entries = Object.entries(members as Record<string, T>);
  return Object.fromEntries(entries.map(([name, member]) => [name, convert(member)]));
}

/** As `mapped`, of members beside which there may be extensions: these stay as they are. */
function mappedBeside<T>(members: unknown, convert: (member: T) => unknown): Members | undefined {
  if (members === undefined) return undefined;
  return { ...mapped(members, convert), ...extensions(members as Members) };
}

function extensions(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isExtension(name)));
}

function isExtension(name: string): boolean {
  return name.startsWith('x-');
}
