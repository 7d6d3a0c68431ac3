/**
 * The documents that describe the API to clients (README.md#other-documents): `/openapi/v2`, and
 * `/openapi/v3` with one document for each group version. They are made when they are first asked
 * for. When custom types come, go or change, other documents take the place of these, and share
 * with them what is the same.
 */
import type { DefinitionFacts } from '../../types/custom/definition-facts.ts';
import {
  BuiltInApi,
  documentOf,
  hashOf,
  textsOfV2,
  type OpenApiDocument,
  type OpenApiSource,
  type PartV2,
} from './built-in-api.ts';
import { customPaths, customRoot } from './custom-paths.ts';
import { customDefinitions, type CustomVersion } from './custom-schemas.ts';

/** Media type of the binary form. */
export const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** As clients ask for it, who could not read an answer of this type: it is no valid one. */
export const PROTOBUF_V2_ASKED = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Making the document of many types gives way to others after so long. */
const TURN_MS = 10;

/** A group version that has custom types. */
interface CustomRoot {
  readonly hash: string;
  readonly types: readonly CustomVersion[];
  document: OpenApiDocument | undefined;
}

type CustomRoots = ReadonlyMap<string, CustomRoot>;

export class OpenApiDocuments {
  readonly #builtIn: BuiltInApi;
  readonly #types: readonly CustomVersion[];
  /** Those of documents before these, as far as anybody asked for them. */
  readonly #before: CustomRoots;
  #roots: CustomRoots | undefined;
  #index: OpenApiDocument | undefined;
  #v2: Promise<OpenApiDocument> | undefined;
  #v2Protobuf: Promise<OpenApiDocument> | undefined;

  private constructor(builtIn: BuiltInApi, types: readonly CustomVersion[], before: CustomRoots) {
    this.#builtIn = builtIn;
    this.#types = types;
    this.#before = before;
  }

  /** Of built-in types alone. */
  static of(source: OpenApiSource): OpenApiDocuments {
    return new OpenApiDocuments(new BuiltInApi(source), [], new Map());
  }

  /** With the custom types that are served, in the place of those that were. */
  with(definitions: readonly DefinitionFacts[]): OpenApiDocuments {
    const types = definitions.flatMap((definition) =>
      definition.versions
        .filter(({ served }) => served)
        .map((version) => ({ definition, version })),
    );
    return new OpenApiDocuments(this.#builtIn, types, this.#roots ?? this.#before);
  }

  /** The one document of version 2, in JSON. */
  v2(): Promise<OpenApiDocument> {
    return (this.#v2 ??= this.#makeV2());
  }

  /** The same in its binary form. */
  v2Protobuf(): Promise<OpenApiDocument> {
    return (this.#v2Protobuf ??= this.#makeV2Protobuf());
  }

  /** What `/openapi/v3` answers: where the documents are, with their hashes. */
  v3Index(): OpenApiDocument {
    if (this.#index === undefined) {
      const roots = new Set([...this.#builtIn.roots(), ...this.#customRoots().keys()]);
      const paths = [...roots].sort().map((root) => {
        const hash = this.#customRoots().get(root)?.hash ?? this.#builtIn.v3(root)?.hash ?? '';
        return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
      });
      this.#index = documentOf(JSON.stringify({ paths: Object.fromEntries(paths) as unknown }));
    }
    return this.#index;
  }

  /** The document of a group version (`api/v1`, `apis/apps/v1`) or group; undefined for none. */
  v3(root: string): OpenApiDocument | undefined {
    const custom = this.#customRoots().get(root);
    if (custom === undefined) return this.#builtIn.v3(root);
    if (custom.document === undefined) {
      const { types, hash } = custom;
      const text = this.#builtIn.v3With(root, types.flatMap(customPaths), (definitions) =>
        types.flatMap((type) => customDefinitions(type, definitions)),
      );
      custom.document = { bytes: Buffer.from(text), hash };
    }
    return custom.document;
  }

  /** A root that is what it was before is the same one, with its document. */
  #customRoots(): CustomRoots {
    if (this.#roots !== undefined) return this.#roots;
    const roots = new Map<string, CustomRoot>();
    for (const [root, types] of Map.groupBy(this.#types, customRoot)) {
      const hash = this.#hashOf(root, types);
      const before = this.#before.get(root);
      const isSame = before !== undefined && before.hash === hash;
      roots.set(root, isSame ? before : { hash, types, document: undefined });
    }
    return (this.#roots = roots);
  }

  /**
   * Of what the document is made from, so that it need not be made to be named: definitions say by
   * their generation that they have changed, but for the names that were accepted. A document of
   * built-in types stands for how documents are written.
   */
  #hashOf(root: string, types: readonly CustomVersion[]): string {
    const others = ['apis', root].map((one) => this.#builtIn.v3(one)?.hash);
    const definitions = types.map(({ definition: { uid, generation, names } }) => ({
      uid,
      generation,
      names,
    }));
    return hashOf(JSON.stringify([root, others, definitions]));
  }

  async #makeV2(): Promise<OpenApiDocument> {
    const builtIn = this.#builtIn.textsV2();
    const paths = [builtIn.paths];
    const definitions = [builtIn.definitions];
    for await (const part of this.#customParts()) {
      const texts = textsOfV2(part);
      paths.push(texts.paths);
      definitions.push(texts.definitions);
    }
    const members = (texts: readonly string[]): string =>
      texts.filter((text) => text !== '').join(',');
    const head = JSON.stringify(this.#builtIn.headV2()).slice(0, -1);
    return documentOf(
      `${head},"paths":{${members(paths)}},"definitions":{${members(definitions)}}}`,
    );
  }

  /**
   * What makes it is loaded late: few ask for it. Parts of a message, one after the other, are the
   * message that has them all.
   */
  async #makeV2Protobuf(): Promise<OpenApiDocument> {
    const { documentEncoder } = await import('./binary-document.ts');
    const encode = documentEncoder(this.#builtIn.source.loadMessages());
    const parts = [encode({ ...this.#builtIn.headV2(), ...this.#builtIn.partV2() })];
    for await (const part of this.#customParts()) parts.push(encode(part));
    return documentOf(Buffer.concat(parts));
  }

  /** One for each custom type in each version, with turns for others in between. */
  async *#customParts(): AsyncIterable<PartV2> {
    let turn = performance.now();
    for (const type of this.#types) {
      yield this.#builtIn.otherPartV2(customPaths(type), (definitions) =>
        customDefinitions(type, definitions),
      );
      if (performance.now() - turn < TURN_MS) continue;
      await new Promise(setImmediate);
      turn = performance.now();
    }
  }
}
