/** The group versions that other servers answer for: a snapshot that is never changed. */
import { rootOf, type RemoteApi } from '../../aggregation/remote-api.ts';
import type { Upstreams } from '../../aggregation/upstreams.ts';
import type { RemoteVersion } from '../discovery/discovered-groups.ts';
import type { RequestContext } from '../request-context.ts';
import type { PassesOn, StageTools } from '../stages/stage.ts';
import type { RemoteDescribed } from '../documents/remote-described.ts';
import type { PackedDocument } from '../openapi/document-pack.ts';
import type { IndexV3 } from '../openapi/openapi-documents.ts';
import type { RemoteDocuments } from './remote-documents.ts';
import { passToRemote, type RemoteServers } from './pass-to-remote.ts';

const CORE_ROOT = '/api';
const GROUPS = '/apis/';
const V3 = '/openapi/v3';
const DOCUMENTS = `${V3}${GROUPS}`;

export interface RemoteApisOptions extends Omit<RemoteServers, 'versions'> {
  readonly documents: RemoteDocuments;
}

export class RemoteApis implements PassesOn, RemoteDescribed, RemoteServers {
  /** As discovery tells of them. */
  readonly versions: readonly RemoteVersion[];
  readonly upstreams: Upstreams;
  readonly rejectsRedirects: boolean;
  readonly #apis: readonly RemoteApi[];
  readonly #documents: RemoteDocuments;
  readonly #byRoot: ReadonlyMap<string, RemoteApi>;

  constructor(
    apis: readonly RemoteApi[],
    versions: readonly RemoteVersion[],
    { upstreams, rejectsRedirects, documents }: RemoteApisOptions,
  ) {
    this.versions = versions;
    this.upstreams = upstreams;
    this.rejectsRedirects = rejectsRedirects;
    this.#apis = apis;
    this.#documents = documents;
    this.#byRoot = new Map(apis.map((api) => [rootOf(api), api]));
  }

  at(path: string): RemoteApi | undefined {
    if (path.startsWith(DOCUMENTS)) return this.#byRoot.get(path.slice(V3.length));
    if (path.startsWith(GROUPS)) return this.#byRoot.get(firstSegments(path, 3));
    const isCore = path === CORE_ROOT || path.startsWith(`${CORE_ROOT}/`);
    return isCore ? this.#byRoot.get(CORE_ROOT) : undefined;
  }

  pass(request: RequestContext, tools: StageTools, api: RemoteApi): void {
    const isDocument = request.exchange.head.path.startsWith(DOCUMENTS);
    const converted = isDocument ? this.#documents.converted(api) : undefined;
    passToRemote(request, tools, this, api, converted);
  }

  index(own: IndexV3): Promise<IndexV3> {
    return this.#documents.index(own, this.#apis);
  }

  v2(own: PackedDocument): Promise<PackedDocument> {
    return this.#documents.v2(own, this.#apis);
  }

  addedToV2(own: PackedDocument): Promise<string | undefined> {
    return this.#documents.addedToV2(own, this.#apis);
  }
}

/** The path up to that many segments. */
function firstSegments(path: string, count: number): string {
  let end = 0;
  for (let at = 0; at < count; at++) {
    end = path.indexOf('/', end + 1);
    if (end === -1) return path;
  }
  return path.slice(0, end);
}
