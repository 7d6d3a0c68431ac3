/** The documents of all that is served, and what tests ask of them. */
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadDescriptions } from '../../../src/codec/model/proto-descriptions.ts';
import {
  packedDocuments,
  type OpenApiSource,
} from '../../../src/front/openapi/packed-documents.ts';
import type { PackedDocument } from '../../../src/front/openapi/document-pack.ts';
import { OpenApiDocuments } from '../../../src/front/openapi/openapi-documents.ts';
import { BUILT_IN_TYPES } from '../../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';
import { readDocumentMessages, readProtoFolder } from '../../../tools/read-proto.ts';
import { model } from '../../codec/proto-model.ts';

const PROTO = join(import.meta.dirname, '../../../proto');
export const messages = readDocumentMessages(PROTO);

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
  types: BUILT_IN_TYPES,
  virtualKinds: VIRTUAL_KINDS,
  model,
  descriptions: loadDescriptions(readProtoFolder(PROTO)),
  messages,
};

/** Makes the documents of a source when they are first asked for. */
export function documentsOf(source: OpenApiSource): OpenApiDocuments {
  return OpenApiDocuments.of({
    ...source,
    loadDocuments: async () => packedDocuments(source),
    loadMessages: () => messages,
  });
}

export const documents = documentsOf(SOURCE);

export function bytesOf({ zipped }: PackedDocument): Uint8Array {
  return gunzipSync(zipped);
}

export function parsed(document: PackedDocument): unknown {
  return JSON.parse(Buffer.from(bytesOf(document)).toString());
}

export const V2 = parsed(await documents.v2()) as DocumentV2;

/** The document of a group version. Rejects when there is none. */
export async function v3Of(root: string, from = documents): Promise<DocumentV3> {
  const document = from.v3(root);
  if (document === undefined) throw new Error(`no document of ${root}`);
  return parsed(await document) as DocumentV3;
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
