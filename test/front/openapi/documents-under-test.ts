/** The documents of all that is served, and what tests ask of them. */
import { join } from 'node:path';
import type { OpenApiSource } from '../../../src/front/openapi/built-in-api.ts';
import { OpenApiDocuments } from '../../../src/front/openapi/openapi-documents.ts';
import { KINDS } from '../../../src/resources/registry.ts';
import { servedTypes } from '../../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';
import { readDocumentMessages } from '../../../tools/read-proto.ts';
import { model } from '../../codec/proto-model.ts';

export const messages = readDocumentMessages(join(import.meta.dirname, '../../../proto'));

export interface Schema {
  readonly [member: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly 'x-kubernetes-group-version-kind'?: readonly Kind[];
}

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface TestParameter {
  readonly name: string;
  readonly in: string;
}

export interface TestOperation {
  readonly operationId: string;
  readonly parameters?: readonly TestParameter[];
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: Kind;
}

/** By method; `parameters` are those of all operations. */
export type TestPath = Readonly<Record<string, TestOperation>> & {
  readonly parameters?: never;
};

export interface DocumentV2 {
  readonly swagger: string;
  readonly info: unknown;
  readonly paths: Readonly<Record<string, TestPath>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly securityDefinitions: unknown;
}

export interface DocumentV3 {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, TestPath>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const SOURCE: OpenApiSource = {
  types: servedTypes(KINDS),
  virtualKinds: VIRTUAL_KINDS,
  loadModel: () => model,
  loadMessages: () => messages,
  info: { title: 'shardplane', version: 'v1.23' },
};

export const documents = OpenApiDocuments.of(SOURCE);

export function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}

export const V2 = parsed((await documents.v2()).bytes) as DocumentV2;

/** The document of a group version. Throws an Error when there is none. */
export function v3Of(root: string): DocumentV3 {
  const document = documents.v3(root);
  if (document === undefined) throw new Error(`no document of ${root}`);
  return parsed(document.bytes) as DocumentV3;
}

/** All references of a document. */
export function referencesIn(value: unknown): Set<string> {
  const found = new Set<string>();
  JSON.stringify(value, (name, member: unknown) => {
    if (name === '$ref' && typeof member === 'string') found.add(member);
    return member;
  });
  return found;
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** Methods and operations of a path. */
export function operationsOf(path: TestPath): [method: string, operation: TestOperation][] {
  return Object.entries(path).filter(([method]) => METHODS.some((one) => one === method));
}
