/**
 * What other servers of the API say of themselves, beside the documents of this one. They are asked
 * when somebody wants to know, at most once a minute; who is not there is told as it was.
 */
import { AGGREGATOR_HEADERS } from '../../aggregation/remote-discovery.ts';
import { REMOTE_DISCOVERY_MS_MAX, REMOTE_REFRESH_MS } from '../../aggregation/limits.ts';
import { rootOf, type RemoteApi } from '../../aggregation/remote-api.ts';
import type { RemoteAnswer, Upstreams } from '../../aggregation/upstreams.ts';
import type { ConversionJob } from '../openapi/convert-spec.ts';
import type { MergedSpecs, MergeJob, RemoteSpec } from '../openapi/merge-specs.ts';
import { hashOf, type PackedDocument } from '../openapi/document-pack.ts';
import type { IndexV3 } from '../openapi/openapi-documents.ts';

const V2 = '/openapi/v2';
const V3 = '/openapi/v3';
/** The document of the core group is this server's, whoever answers for it. */
const GROUPS = '/apis/';

/** What one of them has last said at a path. */
interface Kept {
  readonly body: Buffer;
  readonly etag: string;
}

/** It has said that there is nothing at a path. */
const NOTHING: Kept = { body: Buffer.alloc(0), etag: '' };

interface Asked {
  readonly atMs: number;
  readonly kept: Promise<Kept | undefined>;
}

interface Converted {
  readonly etag: string;
  readonly document: Promise<PackedDocument | undefined>;
}

interface Merged {
  readonly key: string;
  readonly specs: Promise<MergedSpecs>;
}

export interface RemoteDocumentsOptions {
  readonly upstreams: Upstreams;
  /** In a thread of its own. */
  readonly merge: (job: MergeJob) => Promise<MergedSpecs>;
  readonly convert: (job: ConversionJob) => Promise<PackedDocument>;
  readonly nowMs: () => number;
}

export class RemoteDocuments {
  readonly #options: RemoteDocumentsOptions;
  /** By APIService and path. */
  readonly #asked = new Map<string, Asked>();
  /** By APIService. */
  readonly #converted = new Map<string, Converted>();
  #merged: Merged | undefined;

  constructor(options: RemoteDocumentsOptions) {
    this.#options = options;
  }

  /** The list of documents of version 3, with those of these servers. */
  async index(own: IndexV3, apis: readonly RemoteApi[]): Promise<IndexV3> {
    const { paths } = JSON.parse(Buffer.from(own.bytes).toString()) as { paths: object };
    const added = new Map<string, unknown>();
    for (const api of apis) {
      const root = rootOf(api).slice(1);
      const converted = await this.converted(api);
      const said = converted ? pathOf(root, converted) : await this.#said(api, root);
      if (said !== undefined) added.set(root, said);
    }
    if (added.size === 0) return own;
    const all = Object.entries({ ...paths, ...Object.fromEntries(added) });
    const sorted = all.sort(([one], [other]) => (one < other ? -1 : 1));
    const text = JSON.stringify({ paths: Object.fromEntries(sorted) as unknown });
    return { bytes: Buffer.from(text), hash: hashOf(text) };
  }

  /**
   * The document of version 3 that is made of the one of version 2: of a server that says that it
   * has none of version 3 itself.
   */
  async converted(api: RemoteApi): Promise<PackedDocument | undefined> {
    if (!rootOf(api).startsWith(GROUPS)) return undefined;
    if ((await this.#document(api, V3)) !== NOTHING) return undefined;
    const kept = await this.#document(api, V2);
    if (kept === undefined || kept === NOTHING) return undefined;
    const { body, etag } = kept;
    const known = this.#converted.get(api.name);
    if (known?.etag === etag) return known.document;
    const document = this.#options.convert({ text: body.toString() }).catch(notOne);
    this.#converted.set(api.name, { etag, document });
    return document;
  }

  /** What the server itself says of its document of version 3. */
  async #said(api: RemoteApi, root: string): Promise<unknown> {
    const kept = await this.#document(api, V3);
    return kept === undefined ? undefined : pathsOf(kept.body)[root];
  }

  /** The document of version 2, with what these servers add. */
  async v2(own: PackedDocument, apis: readonly RemoteApi[]): Promise<PackedDocument> {
    return (await this.#merge(own, apis)) ?? own;
  }

  /** JSON of what they add; undefined for nothing. */
  async addedToV2(own: PackedDocument, apis: readonly RemoteApi[]): Promise<string | undefined> {
    return (await this.#merge(own, apis))?.added;
  }

  async #merge(own: PackedDocument, apis: readonly RemoteApi[]): Promise<MergedSpecs | undefined> {
    const byPriority = apis.toSorted(
      (one, other) => other.groupPriority - one.groupPriority || (one.name < other.name ? -1 : 1),
    );
    const specs: RemoteSpec[] = [];
    let key = own.hash;
    for (const api of byPriority) {
      const kept = await this.#document(api, V2);
      if (kept === undefined || kept === NOTHING) continue;
      specs.push({ root: rootOf(api), text: kept.body.toString() });
      key += ` ${api.name} ${kept.etag}`;
    }
    if (specs.length === 0) return undefined;
    if (this.#merged?.key !== key) {
      const { zipped } = own;
      this.#merged = { key, specs: this.#options.merge({ zipped, specs }) };
    }
    return this.#merged.specs.catch(notOne);
  }

  /** Undefined where the server has not been there yet. */
  async #document(api: RemoteApi, path: string): Promise<Kept | undefined> {
    const key = `${api.name} ${path}`;
    const known = this.#asked.get(key);
    const nowMs = this.#options.nowMs();
    const isNew = known !== undefined && nowMs - known.atMs < REMOTE_REFRESH_MS;
    if (isNew || (known !== undefined && !api.isAvailable)) return known.kept;
    if (!api.isAvailable) return undefined;
    const kept = this.#ask(api, path, await known?.kept);
    this.#asked.set(key, { atMs: nowMs, kept });
    const found = await kept;
    if (found === undefined) this.#asked.delete(key);
    return found;
  }

  async #ask(api: RemoteApi, path: string, before: Kept | undefined): Promise<Kept | undefined> {
    const { upstreams } = this.#options;
    const headers = [...AGGREGATOR_HEADERS, ['Accept', 'application/json'] as const];
    if (before?.etag.startsWith('"')) headers.push(['If-None-Match', before.etag]);
    let answer: RemoteAnswer;
    try {
      const upstream = await upstreams.find(api);
      answer = await upstreams.get(upstream, path, headers, REMOTE_DISCOVERY_MS_MAX);
    } catch {
      // Its condition says that it is not there.
      return before;
    }
    const { status, headers: said, body } = answer;
    if (status === 404) return NOTHING;
    if (status !== 200) return before;
    return { body, etag: said.etag ?? hashOf(body) };
  }
}

/** What they say of themselves is no such document. */
function notOne(): undefined {
  return undefined;
}

function pathOf(root: string, { hash }: PackedDocument): object {
  return { serverRelativeURL: `${V3}/${root}?hash=${hash}` };
}

function pathsOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const { paths = {} } = JSON.parse(body.toString()) as { paths?: Record<string, unknown> };
    return paths;
  } catch {
    return {};
  }
}
