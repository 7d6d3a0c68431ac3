/**
 * Serves the documents about the API itself: discovery, plain and aggregated, OpenAPI in both
 * versions, and the list of paths (../README.md#discovery). Each is made when it is first asked
 * for.
 */
import type { ServiceAccountTokens } from '../../auth/service-account-tokens.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import type { DefinitionFacts } from '../../types/custom/definition-facts.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  acceptedTypesAre,
  methodNotAllowed,
  notAcceptable,
} from '../../semantics/errors/status.ts';
import { acceptClauses, takesType } from '../requests/accept.ts';
import { acceptsGzip, GZIP_BYTES_MIN } from '../answers/compression.ts';
import {
  AGGREGATED_GROUP,
  AGGREGATED_KIND,
  AGGREGATED_VERSIONS,
  aggregatedDocuments,
  aggregatedMediaType,
  type AggregatedVersion,
} from '../discovery/aggregated-discovery.ts';
import type { Discovered } from '../discovery/discovered-groups.ts';
import { discoveryDocuments, type DiscoveryDocument } from '../discovery/discovery-documents.ts';
import { encodedDiscovery } from '../discovery/encoded-discovery.ts';
import type { RemoteDescribed } from './remote-described.ts';
import { rootPaths, type RootPaths } from './root-paths.ts';
import { serializeDocument, type SerializedDocument } from '../discovery/serialized-document.ts';
import type { Exchange } from '../exchange.ts';
import { gzippedOnce } from '../answers/gzip.ts';
import type { HealthCheck } from './health.ts';
import { encodingOf, MEDIA_TYPES, noneServed } from '../requests/negotiate.ts';
import type { DocumentMessages } from '../openapi/binary-document.ts';
import type { OwnDocument } from '../openapi/built-in-documents.ts';
import type { PackedDocument } from '../openapi/document-pack.ts';
import {
  OpenApiDocuments,
  PROTOBUF_V2,
  PROTOBUF_V2_ASKED,
  type IndexV3,
} from '../openapi/openapi-documents.ts';
import type { PageFiles } from './page-files.ts';
import { openIdDocuments, OPENID_PATHS, sendOpenId } from './openid-documents.ts';
import type { OpenIdDocument } from './openid-documents.ts';
import {
  HTML_TYPE,
  namesThisMachine,
  PAGE_HEADERS,
  prefersHtml,
  rootPageHtml,
  type RootPage,
} from './root-page.ts';
import {
  hasAlready,
  headersOf,
  JSON_TYPE,
  NO_BYTES,
  sendHashed,
  sendPacked,
  takesJson,
  whenMade,
  ZIPPED,
} from './send-document.ts';

const OTHER_PATHS = ['/metrics', '/openapi/v2', '/openapi/v3', '/version', ...OPENID_PATHS];
const V3 = '/openapi/v3';
const API_SERVICES_GROUP = ownGroup('apiregistration.cluster.io');

export interface ApiDocumentsOptions {
  /** Built-in ones. */
  readonly types: readonly ServedType[];
  readonly virtualKinds: readonly VirtualKind[];
  /** `https://host:port` of this server, as clients reach it. */
  readonly serverUrl: string;
  readonly tokens: Pick<ServiceAccountTokens, 'issuer' | 'publicKeys' | 'settings'>;
  readonly checks: readonly Pick<HealthCheck, 'name' | 'notIn'>[];
  readonly loadModel: () => SchemaModel;
  readonly loadMessages: () => DocumentMessages;
  /** Those of OpenAPI of these types. */
  readonly loadDocuments: () => Promise<Uint8Array>;
  /** Documents about paths that are no resources. */
  readonly own?: readonly OwnDocument[] | undefined;
  /** `commands` name files of this machine, and are shown to who is on it only. */
  readonly rootPage: RootPage;
  /** Paths of the server that are not in every release. */
  readonly ownPaths: readonly string[];
  readonly bindAddress: string;
  /** What the page of a browser loads. */
  readonly page: PageFiles;
}

export class ApiDocuments {
  readonly #options: ApiDocumentsOptions;
  readonly #openApi: OpenApiDocuments;
  readonly #definitions: readonly DefinitionFacts[];
  readonly #remote: RemoteDescribed | undefined;
  readonly #aggregated = new Map<string, SerializedDocument>();
  readonly #plain = new Map<string, SerializedDocument>();
  /** Plain documents in other encodings. */
  readonly #encoded = new Map<string, Uint8Array>();
  #discovery: ReadonlyMap<string, DiscoveryDocument> | undefined;
  #openId: ReadonlyMap<string, OpenIdDocument> | undefined;
  #root: RootPaths | undefined;

  private constructor(
    options: ApiDocumentsOptions,
    openApi: OpenApiDocuments,
    definitions: readonly DefinitionFacts[],
    remote: RemoteDescribed | undefined,
  ) {
    this.#options = options;
    this.#openApi = openApi;
    this.#definitions = definitions;
    this.#remote = remote;
  }

  /** Documents of built-in types alone. */
  static of(options: ApiDocumentsOptions): ApiDocuments {
    return new ApiDocuments(options, OpenApiDocuments.of(options), [], undefined);
  }

  /**
   * Those that are served with these custom types and group versions of other servers, in the place
   * of the ones that there are. What is the same is shared; these documents may go on being served.
   */
  with(definitions: readonly DefinitionFacts[], remote?: RemoteDescribed): ApiDocuments {
    const openApi = this.#openApi.with(definitions);
    return new ApiDocuments(this.#options, openApi, definitions, remote);
  }

  /**
   * Answers a browser that has no token, which a Status would not help: with a page that tells
   * nothing that needs rights, and with what that loads. False for all other requests.
   */
  serveStranger(exchange: Exchange): boolean {
    if (this.#options.page.serve(exchange)) return true;
    const { method, path, accept } = exchange.head;
    const isPage = path === '/' && (method === 'get' || method === 'head') && prefersHtml(accept);
    if (!isPage) return false;
    sendPage(exchange, rootPageHtml(this.#rootPageFor(exchange), undefined));
    return true;
  }

  /**
   * Answers what is one of these paths; `trimmed` is without the slashes at its end. False for
   * others. Throws StatusError 405 or 406.
   */
  serve(exchange: Exchange, trimmed: string): boolean {
    const { path } = exchange.head;
    const openId = OPENID_PATHS.includes(trimmed) ? this.#openIdAt(trimmed) : undefined;
    if (openId !== undefined) {
      sendOpenId(exchange, openId);
      return true;
    }
    if (this.#options.page.serve(exchange)) return true;
    const isOff = path.startsWith(V3) && !exchange.has('OpenAPIV3');
    if (isOff) return false;
    const send = this.#staticAnswerTo(path) ?? this.#discoveryAnswerTo(exchange, trimmed);
    send?.(exchange);
    return send !== undefined;
  }

  /** These are compared as they are, and answer to any method. */
  #staticAnswerTo(path: string): ((exchange: Exchange) => void) | undefined {
    if (path === '/' || path === '/index.html') return (exchange) => this.#sendRoot(exchange);
    if (path === '/openapi/v2') return (exchange) => this.#sendV2(exchange);
    if (path === V3) return (exchange) => this.#sendIndex(exchange);
    if (!path.startsWith(`${V3}/`)) return undefined;
    const made = this.#openApi.v3(path.slice(V3.length + 1));
    if (made === undefined) return undefined;
    return (exchange) =>
      whenMade(exchange, made, (document) => sendHashed(exchange, path, document));
  }

  /** Any method gets the groups; what is in one is only read. */
  #discoveryAnswerTo({ head }: Exchange, path: string): ((exchange: Exchange) => void) | undefined {
    if (path === '/apis' && head.path.length > '/apis/'.length) return undefined;
    const document = this.#discoveryOf(path);
    if (document === undefined) return undefined;
    if (head.method !== 'get' && !this.#isOfGroups(path)) throw methodNotAllowed();
    return (exchange) => this.#sendDiscovery(exchange, path, document);
  }

  /** The group of API services is the one that is served like a group version. */
  #isOfGroups(path: string): boolean {
    if (path === '/apis') return true;
    return /^\/apis\/[^/]+$/.test(path) && path !== `/apis/${API_SERVICES_GROUP}`;
  }

  /**
   * A request from this machine that names it otherwise may be sent by a page of another site,
   * which has got its own name to point here: that site must not learn where anything lies.
   */
  #rootPageFor(exchange: Exchange): RootPage {
    const { rootPage, bindAddress } = this.#options;
    const isLocal = namesThisMachine(exchange.head.host, bindAddress) && exchange.isFromLoopback();
    return isLocal ? rootPage : { ...rootPage, commands: [] };
  }

  #openIdAt(path: string): OpenIdDocument | undefined {
    const { tokens, serverUrl } = this.#options;
    this.#openId ??= openIdDocuments(tokens, serverUrl);
    return this.#openId.get(path);
  }

  /** JSON is indented, and without a newline at the end, whoever asks. */
  #sendRoot(exchange: Exchange): void {
    const root = this.#rootPaths();
    if (prefersHtml(exchange.head.accept)) {
      sendPage(exchange, rootPageHtml(this.#rootPageFor(exchange), root.paths));
    } else {
      exchange.sendBytes(200, JSON_TYPE, Buffer.from(JSON.stringify(root, undefined, 2)));
    }
  }

  /** All paths of the server, sorted. */
  get paths(): readonly string[] {
    return this.#rootPaths().paths;
  }

  #rootPaths(): RootPaths {
    const { checks, ownPaths } = this.#options;
    const others = [...OTHER_PATHS, ...ownPaths];
    return (this.#root ??= rootPaths(this.#discoveryDocuments().keys(), checks, others));
  }

  #discoveryOf(path: string): SerializedDocument | undefined {
    const isDiscovery =
      path === '/api' || path === '/apis' || /^\/apis?\/[^/]+(\/[^/]+)?$/.test(path);
    const document = isDiscovery ? this.#discoveryDocuments().get(path) : undefined;
    if (document === undefined) return undefined;
    let plain = this.#plain.get(path);
    if (plain === undefined) {
      plain = serializeDocument(document);
      this.#plain.set(path, plain);
    }
    return plain;
  }

  #discoveryDocuments(): ReadonlyMap<string, DiscoveryDocument> {
    const serverAddress = this.#options.serverUrl.replace(/^https?:\/\//, '');
    return (this.#discovery ??= discoveryDocuments(this.#served(), serverAddress));
  }

  #served(): Discovered {
    const { types, virtualKinds } = this.#options;
    const remote = this.#remote?.versions ?? [];
    return { types, virtualKinds, definitions: this.#definitions, remote };
  }

  #sendDiscovery(exchange: Exchange, path: string, plain: SerializedDocument): void {
    const clauses = acceptClauses(exchange.head.accept);
    for (const { type, parameters } of clauses) {
      const encoding = takesType(type, JSON_TYPE) ? 'json' : encodingOf(type);
      const as = parameters.get('as');
      if (encoding !== undefined && as === undefined) {
        exchange.sendDocument(200, this.#plainIn(path, plain, encoding), encoding);
        return;
      }
      if (encoding !== 'json') continue;
      const version = AGGREGATED_VERSIONS.find((known) => known === parameters.get('v'));
      const isKnown = as === AGGREGATED_KIND && parameters.get('g') === AGGREGATED_GROUP;
      const document = isKnown && version && this.#aggregatedOf(path, version);
      if (!document) continue;
      if (!hasAlready(exchange, headersOf(document).ETag)) {
        exchange.observer?.document(document.bytes, 'json');
      }
      this.#send(exchange, document, aggregatedMediaType(JSON_TYPE, version));
      return;
    }
    throw this.#isOfGroups(path) ? acceptedTypesAre(MEDIA_TYPES) : noneServed(clauses);
  }

  #plainIn(path: string, plain: SerializedDocument, encoding: Form['encoding']): Uint8Array {
    if (encoding === 'json') return plain.bytes;
    const key = `${encoding} ${path}`;
    let bytes = this.#encoded.get(key);
    if (bytes === undefined) {
      bytes = encodedDiscovery(plain.bytes, encoding, this.#options.loadModel);
      this.#encoded.set(key, bytes);
    }
    return bytes;
  }

  #aggregatedOf(path: string, version: AggregatedVersion): SerializedDocument | undefined {
    if (path !== '/api' && path !== '/apis') return undefined;
    const known = this.#aggregated.get(version + path);
    if (known !== undefined) return known;
    const documents = aggregatedDocuments(this.#served(), version);
    const document = serializeDocument(documents[path]);
    this.#aggregated.set(version + path, document);
    return document;
  }

  #sendV2(exchange: Exchange): void {
    for (const { type } of acceptClauses(exchange.head.accept)) {
      const isProtobuf = type === PROTOBUF_V2 || type === PROTOBUF_V2_ASKED;
      if (!isProtobuf && !takesType(type, JSON_TYPE)) continue;
      const made = isProtobuf ? this.#v2Protobuf() : this.#v2();
      whenMade(exchange, made, (document) =>
        sendPacked(exchange, document, isProtobuf ? PROTOBUF_V2 : JSON_TYPE),
      );
      return;
    }
    throw notAcceptable([JSON_TYPE]);
  }

  async #v2(): Promise<PackedDocument> {
    const own = await this.#openApi.v2();
    return this.#remote === undefined ? own : this.#remote.v2(own);
  }

  async #v2Protobuf(): Promise<PackedDocument> {
    const own = await this.#openApi.v2Protobuf();
    const added = await this.#remote?.addedToV2(await this.#openApi.v2());
    return added === undefined ? own : this.#openApi.v2ProtobufWith(own, added);
  }

  async #v3Index(): Promise<IndexV3> {
    const own = await this.#openApi.v3Index();
    return this.#remote === undefined ? own : this.#remote.index(own);
  }

  #sendIndex(exchange: Exchange): void {
    if (!takesJson(exchange)) throw notAcceptable([JSON_TYPE]);
    whenMade(exchange, this.#v3Index(), (index) => this.#send(exchange, index, JSON_TYPE));
  }

  #send(exchange: Exchange, document: SerializedDocument, type: string): void {
    const headers = headersOf(document);
    if (hasAlready(exchange, headers.ETag)) {
      exchange.sendBytes(304, type, NO_BYTES, headers);
    } else if (
      document.bytes.length > GZIP_BYTES_MIN &&
      acceptsGzip(exchange.head.acceptEncoding)
    ) {
      gzippedOnce(document.bytes, (bytes) => {
        if (bytes === undefined) exchange.sendBytes(200, type, document.bytes, headers);
        else exchange.sendBytes(200, type, bytes, { ...headers, ...ZIPPED });
      });
    } else {
      exchange.sendBytes(200, type, document.bytes, headers);
    }
  }
}

function sendPage(exchange: Exchange, html: string): void {
  exchange.sendBytes(200, HTML_TYPE, Buffer.from(html), PAGE_HEADERS);
}
