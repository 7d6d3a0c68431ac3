/**
 * The edge to uWebSockets.js. Its request objects die when the handler returns and its body
 * chunks when their callback does, so everything is copied here, once, at once.
 */
import type { HttpRequest } from 'uWebSockets.js';
import type { ClientCertificate } from '../auth/authenticator.ts';
import { quoteText } from '../codec/json/strict-quote.ts';
import { REQUEST_BODY_BYTES_MAX } from '../limits.ts';
import { LOGGED_NAME_CHARACTERS_MAX, LOGGED_PATH_CHARACTERS_MAX } from './limits.ts';
import { requestEntityTooLarge } from '../semantics/errors/status.ts';
import { upgradeHead } from './websocket/handshake.ts';
import type { UpgradeHead } from './websocket/handshake.ts';

/** A copy of the parts of a request that handlers need. */
export interface RequestHead {
  /** Lower case. */
  readonly method: string;
  /** As it came: path and query. */
  readonly url: string;
  /** Unescaped. */
  readonly path: string;
  /** Without the `?`; undefined when there is none. */
  readonly query: string | undefined;
  readonly host: string;
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly contentLength: string;
  readonly userAgent: string;
  readonly auditId: string;
  /** The client's wish for another protocol from here on, which has no body. */
  readonly upgrade: UpgradeHead | undefined;
  /** The `Impersonate-…` headers, in their order; undefined when there is none. */
  readonly impersonation: readonly HeaderLine[] | undefined;
  /** Values of headers are as they were sent (README.md#https). */
  readonly isExact: boolean;
  /** The body comes in chunks. */
  readonly isChunked: boolean;
  /** Why the request cannot be read; its connection is of no use after that. '' when it can. */
  readonly flaw: string;
}

/** The name in lower case. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** The part of the library's request that is used. */
export interface ClientRequest extends Pick<
  HttpRequest,
  'getMethod' | 'getUrl' | 'getQuery' | 'getHeader' | 'forEach'
> {
  /** Values of headers are as they were sent; the library drops letters at their ends. */
  readonly isExact?: true;
}

/** The part of the library's response that is used. */
export interface ClientResponse {
  onAborted(then: () => void): unknown;
  onData(then: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  onWritable(then: (offset: number) => boolean): unknown;
  pause(): void;
  resume(): void;
  cork(work: () => void): unknown;
  writeStatus(status: string): ClientResponse;
  writeHeader(name: string, value: string | Uint8Array): ClientResponse;
  write(chunk: Uint8Array): boolean;
  end(body?: Uint8Array | string, closes?: boolean): unknown;
  endWithoutBody(length?: number, closes?: boolean): unknown;
  close(): unknown;
  getRemoteAddressAsText(): ArrayBuffer;
}

/** A request as it arrives; it can be read for one turn. */
export interface Arrival {
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  /** It came by HTTPS. */
  readonly isSecure?: boolean;
  /** The certificate that the client shows, beside the headers. */
  readonly certificate?: ClientCertificate | undefined;
}

/** The status of a connection that goes on in another protocol. */
export const SWITCHING = 101;

/**
 * As the log names a request: without the query, which may hold secrets, and no more of what its
 * client says than anybody reads.
 */
export function logged(
  { method: sent, url }: Pick<RequestHead, 'method' | 'url'>,
  auditId: string,
): {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly text: string;
} {
  const method = sent.toUpperCase();
  const path = shortened(url.split('?')[0] ?? '', LOGGED_PATH_CHARACTERS_MAX);
  const id = shortened(auditId, LOGGED_NAME_CHARACTERS_MAX);
  return { id, method, path, text: `request ${quoteText(id)}, ${method} ${quoteText(path)}` };
}

/** As the log has it. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

/**
 * Copies the head in one walk over its lines, which costs about what it costs to ask for ten
 * headers by name and shows those that come twice.
 */
export function copyHead(request: ClientRequest): RequestHead {
  const head = new CopiedHead(
    request.getMethod(),
    request.getUrl(),
    request.getQuery() as string | undefined,
    request.isExact === true,
  );
  request.forEach((name, value) => head.add(name, value));
  if (!head.hasBody) head.upgrade = upgradeHead(head.connection, request);
  return head;
}

class CopiedHead implements RequestHead {
  readonly method: string;
  readonly #sentPath: string;
  readonly path: string;
  readonly query: string | undefined;
  host = '';
  accept = '';
  acceptEncoding = '';
  ifNoneMatch = '';
  authorization = '';
  contentType = '';
  contentLength = '';
  userAgent = '';
  auditId = '';
  connection = '';
  upgrade: UpgradeHead | undefined = undefined;
  impersonation: HeaderLine[] | undefined = undefined;
  readonly isExact: boolean;
  isChunked = false;
  flaw = '';
  #hasHost = false;

  constructor(method: string, path: string, query: string | undefined, isExact: boolean) {
    this.method = method;
    this.isExact = isExact;
    this.#sentPath = path;
    this.path = path.includes('%') ? this.#unescaped(path) : path;
    this.query = query;
  }

  get url(): string {
    return this.query === undefined ? this.#sentPath : `${this.#sentPath}?${this.query}`;
  }

  get hasBody(): boolean {
    return this.isChunked || Number(this.contentLength) > 0;
  }

  /** Takes one line; of a header that comes twice the first one counts. */
  add(name: string, value: string): void {
    switch (name) {
      case 'host':
        this.#addHost(value);
        return;
      case 'accept':
        this.accept ||= value;
        return;
      case 'accept-encoding':
        this.acceptEncoding ||= value;
        return;
      case 'authorization':
        this.authorization ||= value;
        return;
      case 'user-agent':
        this.userAgent ||= value;
        return;
      case 'content-type':
        this.contentType ||= value;
        return;
      case 'content-length':
        this.#addLength(value);
        return;
      case 'connection':
        this.connection = this.connection === '' ? value : `${this.connection}, ${value}`;
        return;
      case 'if-none-match':
        this.ifNoneMatch ||= value;
        return;
      case 'audit-id':
        this.auditId ||= value;
        return;
      case 'transfer-encoding':
        this.#addEncoding(value);
        return;
      case 'trailer':
        // The library would take the trailers for the next request, and cut the connection.
        this.flaw = 'trailers are not understood';
        return;
      default:
        if (name.startsWith('impersonate-')) (this.impersonation ??= []).push({ name, value });
    }
  }

  /** Whoever it is passed on to may take the other one. */
  #addHost(value: string): void {
    if (this.#hasHost) this.flaw = 'the request has more than one Host';
    this.#hasHost = true;
    this.host ||= value;
  }

  /** With two lengths a proxy may see the next request begin elsewhere than this server does. */
  #addLength(value: string): void {
    if (this.contentLength !== '') this.flaw = 'the request has more than one Content-Length';
    else if (value === '') this.flaw = 'the Content-Length of the request is empty';
    this.contentLength = value;
  }

  /** The library takes a body with any transfer encoding for a chunked one. */
  #addEncoding(value: string): void {
    if (this.isChunked || value.toLowerCase() !== 'chunked') {
      this.flaw = 'the Transfer-Encoding of the request is not chunked';
    }
    this.isChunked = true;
  }

  #unescaped(path: string): string {
    try {
      return decodeURIComponent(path);
    } catch {
      this.flaw = 'the path of the request has an escape that is not one of UTF-8 text';
      return path;
    }
  }
}

/**
 * Loopback addresses: IPv4, IPv4 inside of IPv6, and `::1`, short and as the library writes them.
 */
const LOOPBACK = /^(?:(?:::ffff:)?127\.|(?:0000:){5}ffff:7f|::1$|(?:0000:){7}0001$)/i;

/** Whether the client is on this machine. */
export function isFromLoopback(response: ClientResponse): boolean {
  return LOOPBACK.test(Buffer.from(response.getRemoteAddressAsText()).toString());
}

/** Answers before the body is sent, where its length says that it is too long. Throws 413. */
export function refuseOversize(
  { contentLength }: RequestHead,
  bytesMax = REQUEST_BODY_BYTES_MAX,
): void {
  if (Number(contentLength) > bytesMax) throw requestEntityTooLarge(bytesMax);
}
