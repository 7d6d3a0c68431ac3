/** The documents of built-in types as a front has them: whatever custom types come, they stay. */
import { assert } from '../../base/assert.ts';
import { MadeOnce } from '../../base/turns/made-once.ts';
import { unzipped, zipped } from '../answers/gzip.ts';
import type { DocumentMessages } from './binary-document.ts';
import { builtInRoots } from './discovery-paths.ts';
import { DOCUMENTS, hashOf, unpackDocuments, type PackedDocument } from './document-pack.ts';
import { documentOf } from './document-texts.ts';
import type { Served } from './model-facts.ts';
import type { Definition } from './references.ts';

/** A document of version 3 about paths of this server that are no resources. */
export interface OwnDocument {
  /** The name that it is asked for by: `/openapi/v3/ROOT`. */
  readonly root: string;
  readonly document: object;
}

export interface BuiltIns extends Served {
  /** The documents of these types (`document-pack.ts`); called when one is first asked for. */
  readonly loadDocuments: () => Promise<Uint8Array>;
  /** Loads the messages of the binary form, which are needed when custom types are added. */
  readonly loadMessages: () => DocumentMessages;
  readonly own?: readonly OwnDocument[] | undefined;
}

/** A document of built-in types that more is added to. */
export interface BuiltInText {
  readonly bytes: Uint8Array;
  /** The names of those that it has. */
  readonly definitions: ReadonlySet<string>;
}

const EMPTY_V3: BuiltInText = {
  bytes: Buffer.from(JSON.stringify(documentOf({ paths: {}, definitions: {} }, 'v3'))),
  definitions: new Set(),
};

export class BuiltInDocuments {
  readonly roots: ReadonlySet<string>;
  readonly loadMessages: () => DocumentMessages;
  readonly #documents: MadeOnce<ReadonlyMap<string, PackedDocument>>;
  readonly #shared: MadeOnce<(type: string) => Definition>;

  constructor(source: BuiltIns) {
    const { own = [] } = source;
    this.roots = new Set([...builtInRoots(source), ...own.map(({ root }) => root)]);
    this.loadMessages = source.loadMessages;
    this.#documents = new MadeOnce(async () => {
      const packed = await Promise.all(own.map(packedOwn));
      return new Map([...unpackDocuments(await source.loadDocuments()), ...packed]);
    });
    this.#shared = new MadeOnce(() => this.#readShared());
  }

  documents(): Promise<ReadonlyMap<string, PackedDocument>> {
    return this.#documents.get();
  }

  /** One that there is, by its name. */
  async document(name: string): Promise<PackedDocument> {
    const document = (await this.documents()).get(name);
    assert(document !== undefined, `there is no document ${name}`);
    return document;
  }

  /** The document of a root, or one of nothing. */
  async textV3(root: string): Promise<BuiltInText> {
    if (!this.roots.has(root)) return EMPTY_V3;
    const { zipped: bytes } = await this.document(DOCUMENTS.v3(root));
    const text = await unzipped(bytes);
    const { components } = JSON.parse(Buffer.from(text).toString()) as {
      readonly components: { readonly schemas: object };
    };
    return { bytes: text, definitions: new Set(Object.keys(components.schemas)) };
  }

  /** Finds what custom types refer to. */
  shared(): Promise<(type: string) => Definition> {
    return this.#shared.get();
  }

  async #readShared(): Promise<(type: string) => Definition> {
    const { zipped: bytes } = await this.document(DOCUMENTS.shared);
    const text = Buffer.from(await unzipped(bytes)).toString();
    const definitions = new Map(Object.entries(JSON.parse(text) as Record<string, Definition>));
    return (type) => {
      const definition = definitions.get(type);
      assert(definition !== undefined, `custom types share no definition of ${type}`);
      return definition;
    };
  }
}

async function packedOwn({ root, document }: OwnDocument): Promise<[string, PackedDocument]> {
  const bytes = Buffer.from(JSON.stringify(document));
  return [DOCUMENTS.v3(root), { zipped: await zipped(bytes), hash: hashOf(bytes) }];
}
