/**
 * The part of the documents that stays what it is: of built-in types. It is made when it is first
 * asked for, and shared by the documents of all that is served at one time or another.
 */
import { createHash } from 'node:crypto';
import type { SchemaModel } from '../../codec/schema-model.ts';
import { apiPaths } from './api-operations.ts';
import { contentTypes, type ApiPath } from './api-paths.ts';
import type { DocumentMessages } from './binary-document.ts';
import { isCustomType } from './definition-names.ts';
import { Definitions, type Definition } from './definitions.ts';
import { modelFacts, type ModelFacts, type Served } from './model-facts.ts';
import { pathItemV2, pathItemV3 } from './path-items.ts';

export interface OpenApiSource extends Served {
  /** Called once, when a document is first asked for. */
  readonly loadModel: () => SchemaModel;
  /** Of the binary form, when that is first asked for. */
  readonly loadMessages: () => DocumentMessages;
  readonly info: { readonly title: string; readonly version: string };
}

/** A document as it is sent. */
export interface OpenApiDocument {
  readonly bytes: Uint8Array;
  /** A SHA-512 in upper case hex, which changes with the bytes; an ETag has quotes around it. */
  readonly hash: string;
}

const BEARER_TOKEN = {
  description: 'A bearer token',
  type: 'apiKey',
  name: 'authorization',
  in: 'header',
};

interface Parts {
  readonly model: SchemaModel;
  readonly facts: ModelFacts;
  /** By the group version, or group, that they are of. */
  readonly roots: ReadonlyMap<string, readonly ApiPath[]>;
  readonly paths: readonly ApiPath[];
  readonly definitionsV3: Definitions;
}

/** Members of `paths` and `definitions`, between commas; empty for none. */
export interface TextsV2 {
  readonly paths: string;
  readonly definitions: string;
}

export class BuiltInApi {
  readonly source: OpenApiSource;
  readonly #roots = new Map<string, OpenApiDocument>();
  /** The text of definitions of version 3, which many documents have in common. */
  readonly #texts = new Map<string, string>();
  #parts: Parts | undefined;
  #textsV2: TextsV2 | undefined;

  constructor(source: OpenApiSource) {
    this.source = source;
  }

  /** The group versions, and groups, that have documents of version 3. */
  roots(): Iterable<string> {
    return this.#load().roots.keys();
  }

  /** The document of version 3 of one of them; undefined for none. */
  v3(root: string): OpenApiDocument | undefined {
    let document = this.#roots.get(root);
    if (document === undefined && this.#load().roots.has(root)) {
      document = documentOf(this.v3With(root));
      this.#roots.set(root, document);
    }
    return document;
  }

  /** The text of the same with more paths, and with what defines those types of theirs. */
  v3With(root: string, more: readonly ApiPath[] = [], define: Define = () => []): string {
    const { definitionsV3: definitions, roots } = this.#load();
    const paths = [...(roots.get(root) ?? []), ...more];
    const others = define(definitions);
    const types = [...contentTypes(paths), ...others.flatMap(({ refersTo }) => refersTo)];
    const builtIn = definitions.withAll(types.filter((type) => !isCustomType(type)));
    const items = paths.map((path) => [path.path, pathItemV3(path, definitions)]);
    const texts = [...builtIn.map((one) => this.#textV3(one)), ...others.map(textOf)];
    const schemas = texts.sort();
    const security = JSON.stringify({ BearerToken: BEARER_TOKEN });
    return (
      `{"openapi":"3.0.0","info":${JSON.stringify(this.source.info)},` +
      `"paths":${JSON.stringify(Object.fromEntries(items))},` +
      `"components":{"schemas":{${schemas.join(',')}},"securitySchemes":${security}},` +
      '"security":[{"BearerToken":[]}]}'
    );
  }

  #textV3(definition: Definition): string {
    let text = this.#texts.get(definition.name);
    if (text === undefined) {
      text = textOf(definition);
      this.#texts.set(definition.name, text);
    }
    return text;
  }

  /** The document of version 2, without paths and definitions. */
  headV2(): object {
    return {
      swagger: '2.0',
      info: this.source.info,
      securityDefinitions: { BearerToken: BEARER_TOKEN },
      security: [{ BearerToken: [] }],
    };
  }

  /** Paths and definitions of all built-in types in it. */
  partV2(): PartV2 {
    const { model, facts, paths } = this.#load();
    return partV2(new Definitions(model, facts, 'v2'), paths);
  }

  /** The text of the same. */
  textsV2(): TextsV2 {
    return (this.#textsV2 ??= textsOfV2(this.partV2()));
  }

  /** Paths and definitions of other types in it. */
  otherPartV2(paths: readonly ApiPath[], define: Define): PartV2 {
    const { model, facts } = this.#load();
    return partV2(new Definitions(model, facts, 'v2'), paths, define);
  }

  #load(): Parts {
    if (this.#parts !== undefined) return this.#parts;
    const model = this.source.loadModel();
    const facts = modelFacts(model, this.source);
    const paths = apiPaths(model, this.source);
    const roots = Map.groupBy(paths, ({ root }) => root);
    const definitionsV3 = new Definitions(model, facts, 'v3');
    return (this.#parts = { model, facts, paths, roots, definitionsV3 });
  }
}

/** What makes the definitions of types that are not built in. */
type Define = (definitions: Definitions) => readonly Definition[];

/** A part of a document of version 2. */
export interface PartV2 {
  readonly paths: object;
  readonly definitions: object;
}

function partV2(definitions: Definitions, paths: readonly ApiPath[], define?: Define): PartV2 {
  const made = define?.(definitions) ?? definitions.withAll(contentTypes(paths));
  return {
    paths: Object.fromEntries(paths.map((path) => [path.path, pathItemV2(path, definitions)])),
    definitions: Object.fromEntries(made.map(({ name, schema }) => [name, schema])),
  };
}

/** The members of its two parts, between commas. */
export function textsOfV2({ paths, definitions }: PartV2): TextsV2 {
  return {
    paths: JSON.stringify(paths).slice(1, -1),
    definitions: JSON.stringify(definitions).slice(1, -1),
  };
}

function textOf({ name, schema }: Definition): string {
  return `${JSON.stringify(name)}:${JSON.stringify(schema)}`;
}

export function hashOf(content: Uint8Array | string): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}

export function documentOf(content: string | Uint8Array): OpenApiDocument {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { bytes, hash: hashOf(bytes) };
}
