/**
 * What describes the API itself: discovery, plain and aggregated, OpenAPI in both versions, and the
 * list of paths (API-FACTS 9). All of it is made when it is first asked for.
 */
import { gzipSync } from 'node:zlib';
import type { SchemaModel } from '../codec/schema-model.ts';
import type { ServedType } from '../resources/served-types.ts';
import type { VirtualKind } from '../resources/virtual-kinds.ts';
import { methodNotAllowed, notAcceptable } from '../semantics/status.ts';
import { acceptClauses, takesType } from './accept.ts';
import {
  AGGREGATED_GROUP,
  AGGREGATED_KIND,
  AGGREGATED_VERSIONS,
  aggregatedDocuments,
  aggregatedMediaType,
  type AggregatedVersion,
} from './discovery/aggregated-discovery.ts';
import { discoveryDocuments } from './discovery/discovery-documents.ts';
import { rootPaths } from './discovery/root-paths.ts';
import { serializeDocument, type SerializedDocument } from './discovery/serialized-document.ts';
import type { Exchange } from './exchange.ts';
import type { HealthCheck } from './health.ts';
import { OpenApiDocuments, PROTOBUF_V2 } from './openapi/openapi-documents.ts';
import { SERVED_VERSION } from './version.ts';

const JSON_TYPE = 'application/json';
const OTHER_PATHS = ['/openapi/v2', '/openapi/v3', '/version'];
const V3 = '/openapi/v3';
/** Shorter bodies are not worth the time (API-FACTS 9.3). */
const GZIP_BYTES_MIN = 128 * 1024;
const GZIP_LEVEL = 1;
/** A document whose address has its hash never changes. */
const FOR_EVER = { 'Cache-Control': 'public, immutable, max-age=31536000' };

export interface ApiDocumentsOptions {
  readonly types: readonly ServedType[];
  readonly virtualKinds: readonly VirtualKind[];
  /** `host:port` of this server, as clients reach it. */
  readonly serverAddress: string;
  readonly checks: readonly Pick<HealthCheck, 'name' | 'readyOnly'>[];
  readonly loadModel: () => SchemaModel;
}

type Headers = Readonly<Record<string, string>>;

export class ApiDocuments {
  readonly #options: ApiDocumentsOptions;
  readonly #openApi: OpenApiDocuments;
  readonly #aggregated = new Map<string, SerializedDocument>();
  readonly #gzipped = new WeakMap<Uint8Array, Uint8Array>();
  #discovery: ReadonlyMap<string, SerializedDocument> | undefined;
  #root: Uint8Array | undefined;

  constructor(options: ApiDocumentsOptions) {
    this.#options = options;
    const { types, virtualKinds, loadModel } = options;
    const { major, minor, patch } = SERVED_VERSION;
    const info = { title: 'shardplane', version: `v${major}.${minor}.${patch}` };
    this.#openApi = new OpenApiDocuments({ types, virtualKinds, loadModel, info });
  }

  /** Answers what is one of these paths; false for others. Throws StatusError 405 or 406. */
  serve(exchange: Exchange): boolean {
    const { path: asked, method } = exchange.head;
    const path = asked.replace(/(?<=[^/])\/$/, '');
    const send = this.#answerTo(path);
    if (send === undefined) return false;
    if (method !== 'get' && method !== 'head') throw methodNotAllowed();
    send(exchange);
    return true;
  }

  #answerTo(path: string): ((exchange: Exchange) => void) | undefined {
    if (path === '/') return (exchange) => exchange.sendBytes(200, JSON_TYPE, this.#rootPaths());
    if (path === '/openapi/v2') return (exchange) => this.#sendV2(exchange);
    if (path === V3) return (exchange) => this.#sendJson(exchange, this.#openApi.v3Index());
    if (path.startsWith(`${V3}/`)) {
      const document = this.#openApi.v3(path.slice(V3.length + 1));
      return document && ((exchange) => this.#sendV3(exchange, path, document));
    }
    const document = this.#discoveryOf(path);
    return document && ((exchange) => this.#sendDiscovery(exchange, path, document));
  }

  /** Indented, and without a newline at the end, whoever asks. */
  #rootPaths(): Uint8Array {
    const { checks } = this.#options;
    this.#root ??= Buffer.from(
      JSON.stringify(rootPaths(this.#allDiscovery().keys(), checks, OTHER_PATHS), undefined, 2),
    );
    return this.#root;
  }

  #discoveryOf(path: string): SerializedDocument | undefined {
    const isDiscovery =
      path === '/api' || path === '/apis' || /^\/apis?\/[^/]+(\/[^/]+)?$/.test(path);
    return isDiscovery ? this.#allDiscovery().get(path) : undefined;
  }

  #allDiscovery(): ReadonlyMap<string, SerializedDocument> {
    const { types, virtualKinds, serverAddress } = this.#options;
    this.#discovery ??= new Map(
      [...discoveryDocuments(types, virtualKinds, serverAddress)].map(([path, document]) => [
        path,
        serializeDocument(document),
      ]),
    );
    return this.#discovery;
  }

  #sendDiscovery(exchange: Exchange, path: string, plain: SerializedDocument): void {
    for (const { type, parameters } of acceptClauses(exchange.head.accept)) {
      if (!takesType(type, JSON_TYPE)) continue;
      const as = parameters.get('as');
      if (as === undefined) {
        exchange.sendDocument(200, plain.bytes);
        return;
      }
      const version = AGGREGATED_VERSIONS.find((known) => known === parameters.get('v'));
      const isKnown = as === AGGREGATED_KIND && parameters.get('g') === AGGREGATED_GROUP;
      const document = isKnown && version && this.#aggregatedOf(path, version);
      if (!document) continue;
      this.#send(exchange, document, aggregatedMediaType(JSON_TYPE, version));
      return;
    }
    throw notAcceptable();
  }

  #aggregatedOf(path: string, version: AggregatedVersion): SerializedDocument | undefined {
    if (path !== '/api' && path !== '/apis') return undefined;
    const known = this.#aggregated.get(version + path);
    if (known !== undefined) return known;
    const { types, virtualKinds } = this.#options;
    const documents = aggregatedDocuments(types, virtualKinds, version);
    const document = serializeDocument(documents[path]);
    this.#aggregated.set(version + path, document);
    return document;
  }

  #sendV2(exchange: Exchange): void {
    for (const { type } of acceptClauses(exchange.head.accept)) {
      if (takesType(type, JSON_TYPE)) {
        this.#send(exchange, this.#openApi.v2(), JSON_TYPE);
        return;
      }
      if (type === PROTOBUF_V2) {
        this.#send(exchange, this.#openApi.v2Protobuf(), PROTOBUF_V2);
        return;
      }
    }
    throw notAcceptable();
  }

  #sendJson(exchange: Exchange, document: SerializedDocument, headers: Headers = {}): void {
    const clauses = acceptClauses(exchange.head.accept);
    if (!clauses.some(({ type }) => takesType(type, JSON_TYPE))) throw notAcceptable();
    this.#send(exchange, document, JSON_TYPE, headers);
  }

  /** With the hash of another time in its address, the client is sent to that of today. */
  #sendV3(exchange: Exchange, path: string, document: SerializedDocument): void {
    const hash = exchange.query.text('hash');
    if (hash === '' || hash === document.hash) {
      this.#sendJson(exchange, document, hash === '' ? {} : FOR_EVER);
    } else {
      exchange.sendBytes(301, 'text/plain; charset=utf-8', new Uint8Array(0), {
        Location: `${path}?hash=${document.hash}`,
      });
    }
  }

  #send(exchange: Exchange, document: SerializedDocument, type: string, more: Headers = {}): void {
    const { ifNoneMatch, acceptEncoding } = exchange.head;
    const etag = `"${document.hash}"`;
    const headers = { Vary: 'Accept, Accept-Encoding', ETag: etag, ...more };
    if (ifNoneMatch.split(',').some((tag) => tag.trim() === etag)) {
      exchange.sendBytes(304, type, new Uint8Array(0), headers);
    } else if (document.bytes.length > GZIP_BYTES_MIN && /\bgzip\b/.test(acceptEncoding)) {
      const zipped = { ...headers, 'Content-Encoding': 'gzip' };
      exchange.sendBytes(200, type, this.#gzip(document.bytes), zipped);
    } else {
      exchange.sendBytes(200, type, document.bytes, headers);
    }
  }

  #gzip(bytes: Uint8Array): Uint8Array {
    let gzipped = this.#gzipped.get(bytes);
    if (gzipped === undefined) {
      gzipped = gzipSync(bytes, { level: GZIP_LEVEL });
      this.#gzipped.set(bytes, gzipped);
    }
    return gzipped;
  }
}
