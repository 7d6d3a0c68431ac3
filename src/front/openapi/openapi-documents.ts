/**
 * The documents that describe the API to clients (README.md#other-documents): `/openapi/v2`, and
 * `/openapi/v3` with one document for each group version. They are made when they are first asked
 * for.
 */
import { createHash } from 'node:crypto';
import type { SchemaModel } from '../../codec/schema-model.ts';
import { apiPaths } from './api-operations.ts';
import { contentTypes, type ApiPath } from './api-paths.ts';
import { Definitions } from './definitions.ts';
import type { DocumentMessages } from './binary-document.ts';
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
  /** SHA-512 of the bytes in upper case hex: the ETag without its quotes. */
  readonly hash: string;
}

/** Media type of the binary form. */
export const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** As clients ask for it, who could not read an answer of this type: it is no valid one. */
export const PROTOBUF_V2_ASKED = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

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

export class OpenApiDocuments {
  readonly #source: OpenApiSource;
  readonly #made = new Map<string, OpenApiDocument>();
  /** The text of definitions of version 3, which many documents have in common. */
  readonly #texts = new Map<string, string>();
  #parts: Parts | undefined;

  constructor(source: OpenApiSource) {
    this.#source = source;
  }

  /** The one document of version 2, in JSON. */
  v2(): OpenApiDocument {
    return this.#once('v2', () => JSON.stringify(this.#documentV2()));
  }

  /** The same in its binary form. What makes it is loaded late: few ask for it. */
  async v2Protobuf(): Promise<OpenApiDocument> {
    const { encodeDocument } = await import('./binary-document.ts');
    const { loadMessages } = this.#source;
    return this.#once('v2 protobuf', () => encodeDocument(this.#documentV2(), loadMessages()));
  }

  /** What `/openapi/v3` answers: where the documents are, with their hashes. */
  v3Index(): OpenApiDocument {
    return this.#once('v3', () => {
      const roots = [...this.#load().roots.keys()].sort();
      const paths = roots.map((root) => {
        const hash = this.#rootDocument(root)?.hash ?? '';
        return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
      });
      return JSON.stringify({ paths: Object.fromEntries(paths) as unknown });
    });
  }

  /** The document of a group version (`api/v1`, `apis/apps/v1`) or group; undefined for none. */
  v3(root: string): OpenApiDocument | undefined {
    return this.#rootDocument(root);
  }

  #rootDocument(root: string): OpenApiDocument | undefined {
    const paths = this.#load().roots.get(root);
    return paths && this.#once(`v3/${root}`, () => this.#textV3(paths));
  }

  #documentV2(): object {
    const { model, facts, paths } = this.#load();
    const definitions = new Definitions(model, facts, 'v2');
    const all = definitions.withAll(contentTypes(paths));
    return {
      swagger: '2.0',
      info: this.#source.info,
      paths: Object.fromEntries(paths.map((path) => [path.path, pathItemV2(path, definitions)])),
      definitions: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
      securityDefinitions: { BearerToken: BEARER_TOKEN },
      security: [{ BearerToken: [] }],
    };
  }

  #textV3(paths: readonly ApiPath[]): string {
    const { definitionsV3: definitions } = this.#load();
    const items = paths.map((path) => [path.path, pathItemV3(path, definitions)]);
    const info = JSON.stringify(this.#source.info);
    const schemas = definitions.withAll(contentTypes(paths)).map(({ name, schema }) => {
      let text = this.#texts.get(name);
      if (text === undefined) {
        text = `${JSON.stringify(name)}:${JSON.stringify(schema)}`;
        this.#texts.set(name, text);
      }
      return text;
    });
    const security = JSON.stringify({ BearerToken: BEARER_TOKEN });
    return (
      `{"openapi":"3.0.0","info":${info},"paths":${JSON.stringify(Object.fromEntries(items))},` +
      `"components":{"schemas":{${schemas.join(',')}},"securitySchemes":${security}},` +
      '"security":[{"BearerToken":[]}]}'
    );
  }

  #once(name: string, make: () => string | Uint8Array): OpenApiDocument {
    let document = this.#made.get(name);
    if (document === undefined) {
      const content = make();
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      const hash = createHash('sha512').update(bytes).digest('hex').toUpperCase();
      document = { bytes, hash };
      this.#made.set(name, document);
    }
    return document;
  }

  #load(): Parts {
    if (this.#parts !== undefined) return this.#parts;
    const model = this.#source.loadModel();
    const facts = modelFacts(model, this.#source);
    const paths = apiPaths(model, this.#source);
    const roots = new Map<string, ApiPath[]>();
    for (const path of paths) {
      const ofRoot = roots.get(path.root);
      if (ofRoot === undefined) roots.set(path.root, [path]);
      else ofRoot.push(path);
    }
    const definitionsV3 = new Definitions(model, facts, 'v3');
    return (this.#parts = { model, facts, paths, roots, definitionsV3 });
  }
}
