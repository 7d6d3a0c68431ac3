/**
 * The documents that describe the API to clients (src/front/README.md#other-documents):
 * `/openapi/v2`, and `/openapi/v3` with one document for each group version. Those of built-in
 * types come packed; with custom types they are made when they are first asked for. When such types
 * come, go or change, other documents take the place of these, and share with them what is the
 * same.
 */
import { assert } from '../../base/assert.ts';
import { MadeOnce } from '../../base/turns/made-once.ts';
import type { DefinitionFacts } from '../../types/custom/definition-facts.ts';
import { unzipped, zipped } from '../answers/gzip.ts';
import { contentTypes, type ApiPath } from './api-paths.ts';
import { BuiltInDocuments, type BuiltIns } from './built-in-documents.ts';
import { customPaths, customRoot } from './custom-paths.ts';
import { customDefinitions, type CustomVersion } from './custom-schemas.ts';
import { isCustomType } from './definition-names.ts';
import { DOCUMENTS, hashOf, type PackedDocument } from './document-pack.ts';
import {
  documentPart,
  textOfPart,
  withParts,
  type DocumentPart,
  type PartText,
} from './document-texts.ts';
import { withReferred, type Definition, type Flavour } from './references.ts';

/** Media type of the binary form. */
export const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** As clients ask for it, who could not read an answer of this type: it is no valid one. */
export const PROTOBUF_V2_ASKED = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Making the document of many types gives way to others after so long. */
const TURN_MS = 10;

/** The answer at `/openapi/v3`. */
export interface IndexV3 {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** A group version that has custom types. */
interface CustomRoot {
  readonly hash: string;
  readonly document: MadeOnce<PackedDocument>;
}

type CustomRoots = ReadonlyMap<string, CustomRoot>;

export class OpenApiDocuments {
  readonly #builtIn: BuiltInDocuments;
  readonly #types: readonly CustomVersion[];
  /** By root. */
  readonly #typesOf: ReadonlyMap<string, readonly CustomVersion[]>;
  /** Those of documents before these, as far as anybody asked for them. */
  readonly #before: CustomRoots;
  #roots: CustomRoots | undefined;
  readonly #index = new MadeOnce(() => this.#makeIndex());
  readonly #v2 = new MadeOnce(() => this.#makeV2());
  readonly #v2Protobuf = new MadeOnce(() => this.#makeV2Protobuf());

  private constructor(
    builtIn: BuiltInDocuments,
    types: readonly CustomVersion[],
    before: CustomRoots,
  ) {
    this.#builtIn = builtIn;
    this.#types = types;
    this.#typesOf = Map.groupBy(types, customRoot);
    this.#before = before;
  }

  /** Documents of built-in types alone. */
  static of(source: BuiltIns): OpenApiDocuments {
    return new OpenApiDocuments(new BuiltInDocuments(source), [], new Map());
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
  v2(): Promise<PackedDocument> {
    return this.#v2.get();
  }

  /** The document of version 2 in its binary form. */
  v2Protobuf(): Promise<PackedDocument> {
    return this.#v2Protobuf.get();
  }

  /** The binary form with more members, which are JSON; as it was where they have no such form. */
  async v2ProtobufWith(own: PackedDocument, added: string): Promise<PackedDocument> {
    const { documentEncoder } = await import('./binary-document.ts');
    const encode = documentEncoder(this.#builtIn.loadMessages());
    try {
      const part = encode(JSON.parse(added) as object);
      return await packed(Buffer.concat([await unzipped(own.zipped), part]));
    } catch {
      return own;
    }
  }

  /** The answer at `/openapi/v3`: where the documents are, with their hashes. */
  v3Index(): Promise<IndexV3> {
    return this.#index.get();
  }

  /** The document of a group version (`api/v1`, `apis/apps/v1`) or group; undefined for none. */
  v3(root: string): Promise<PackedDocument> | undefined {
    if (this.#typesOf.has(root)) return this.#customV3(root);
    return this.#builtIn.roots.has(root) ? this.#builtIn.document(DOCUMENTS.v3(root)) : undefined;
  }

  async #customV3(root: string): Promise<PackedDocument> {
    const custom = (await this.#customRoots()).get(root);
    assert(custom !== undefined, `${root} has no custom types`);
    return custom.document.get();
  }

  /** A root that is what it was before is the same one, with its document. */
  async #customRoots(): Promise<CustomRoots> {
    const builtIn = await this.#builtIn.documents();
    if (this.#roots !== undefined) return this.#roots;
    const roots = new Map<string, CustomRoot>();
    for (const [root, types] of this.#typesOf) {
      const hash = hashOfCustom(root, types, builtIn);
      const before = this.#before.get(root);
      const document = new MadeOnce(() => this.#makeV3(root, types, hash));
      roots.set(root, before?.hash === hash ? before : { hash, document });
    }
    return (this.#roots = roots);
  }

  async #makeIndex(): Promise<IndexV3> {
    const custom = await this.#customRoots();
    const builtIn = await this.#builtIn.documents();
    const roots = new Set([...this.#builtIn.roots, ...custom.keys()]);
    const paths = [...roots].sort().map((root) => {
      const { hash = '' } = custom.get(root) ?? builtIn.get(DOCUMENTS.v3(root)) ?? {};
      return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
    });
    const text = JSON.stringify({ paths: Object.fromEntries(paths) as unknown });
    return { bytes: Buffer.from(text), hash: hashOf(text) };
  }

  async #makeV3(
    root: string,
    types: readonly CustomVersion[],
    hash: string,
  ): Promise<PackedDocument> {
    const builtIn = await this.#builtIn.textV3(root);
    const texts: PartText[] = [];
    const referred = new Set<string>();
    for await (const { paths, definitions } of customDefined(types, 'v3')) {
      texts.push(textOfPart(documentPart(paths, definitions, 'v3')));
      const ofType = [...contentTypes(paths), ...definitions.flatMap(({ refersTo }) => refersTo)];
      for (const type of ofType) if (!isCustomType(type)) referred.add(type);
    }
    const shared = withReferred(referred, await this.#builtIn.shared());
    const others = [...shared.values()].filter(({ name }) => !builtIn.definitions.has(name));
    texts.push(textOfPart(documentPart([], others, 'v3')));
    return { zipped: await zipped(withParts(builtIn.bytes, texts, 'v3')), hash };
  }

  async #makeV2(): Promise<PackedDocument> {
    const builtIn = await this.#builtIn.document(DOCUMENTS.v2);
    if (this.#types.length === 0) return builtIn;
    const texts: PartText[] = [];
    for await (const part of this.#customParts()) texts.push(textOfPart(part));
    return packed(withParts(await unzipped(builtIn.zipped), texts, 'v2'));
  }

  /**
   * Makes the binary form, by code that is loaded late: few ask for it. Parts of a message, one
   * after the other, are the message that has them all.
   */
  async #makeV2Protobuf(): Promise<PackedDocument> {
    const builtIn = await this.#builtIn.document(DOCUMENTS.v2Protobuf);
    if (this.#types.length === 0) return builtIn;
    const { documentEncoder } = await import('./binary-document.ts');
    const encode = documentEncoder(this.#builtIn.loadMessages());
    const parts = [await unzipped(builtIn.zipped)];
    for await (const part of this.#customParts()) parts.push(encode(part));
    return packed(Buffer.concat(parts));
  }

  async *#customParts(): AsyncIterable<DocumentPart> {
    for await (const { paths, definitions } of customDefined(this.#types, 'v2')) {
      yield documentPart(paths, definitions, 'v2');
    }
  }
}

/** The paths and definitions that a custom type adds to documents. */
interface CustomDefined {
  readonly paths: readonly ApiPath[];
  readonly definitions: readonly Definition[];
}

/** One for each custom type in each version, with turns for others in between. */
async function* customDefined(
  types: readonly CustomVersion[],
  flavour: Flavour,
): AsyncIterable<CustomDefined> {
  let turn = performance.now();
  for (const type of types) {
    yield { paths: customPaths(type), definitions: customDefinitions(type, flavour) };
    if (performance.now() - turn < TURN_MS) continue;
    await new Promise(setImmediate);
    turn = performance.now();
  }
}

/**
 * A hash of the facts that a document is made from, so that it need not be made to be named:
 * definitions say by their generation that they have changed, but for the names that were accepted.
 * Documents of built-in types stand for how documents are written.
 */
function hashOfCustom(
  root: string,
  types: readonly CustomVersion[],
  builtIn: ReadonlyMap<string, PackedDocument>,
): string {
  const others = ['apis', root].map((one) => builtIn.get(DOCUMENTS.v3(one))?.hash);
  const definitions = types.map(({ definition: { uid, generation, names } }) => ({
    uid,
    generation,
    names,
  }));
  return hashOf(JSON.stringify([root, others, definitions]));
}

/** In several turns: each of these takes milliseconds. */
async function packed(bytes: Uint8Array): Promise<PackedDocument> {
  const packedBytes = await zipped(bytes);
  return { zipped: packedBytes, hash: hashOf(bytes) };
}
