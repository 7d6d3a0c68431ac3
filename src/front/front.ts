/**
 * The front: HTTP and HTTPS on uWebSockets.js. It authenticates, routes, and passes bytes between
 * clients and shards; it holds no objects and nothing global, so that several can stand side by
 * side.
 */
import uws from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import type { TokenAuthenticator } from '../auth/token-authenticator.ts';
import { REQUEST_BODY_BYTES_MAX } from '../limits.ts';
import {
  methodNotAllowed,
  requestEntityTooLarge,
  serviceUnavailable,
  unauthorized,
} from '../semantics/status.ts';
import type { ApiDocuments } from './api-documents.ts';
import { Exchange } from './exchange.ts';
import type { AnswerContext } from './exchange.ts';
import { Health } from './health.ts';
import { copyHead, readBody } from './http.ts';
import type { BodyCallback, RequestHead } from './http.ts';
import type { OperationContext } from './operations/operation.ts';
import { serveOperation } from './operations/serve-operation.ts';
import { sendError, serve } from './resource-requests.ts';
import type { ShardClient } from './resource-requests.ts';
import { PageNotFound } from './route.ts';
import type { Router } from './route.ts';
import { versionDocument } from './version.ts';

export interface FrontOptions extends Omit<OperationContext, 'shards'>, AnswerContext {
  readonly router: Router;
  /** By the name that routes give. */
  readonly shards: ReadonlyMap<string, ShardClient>;
  readonly authenticator: TokenAuthenticator;
  readonly health: Health;
  /** What describes the API. */
  readonly documents: ApiDocuments;
  readonly builtAt: Date;
}

export interface Tls {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A port that cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** The package's types lack the form of `listen` that takes an address and options. */
type ExclusiveApp = {
  listen(
    address: string,
    port: number,
    options: number,
    then: (socket: us_listen_socket | false) => void,
  ): void;
};
const { LIBUS_LISTEN_EXCLUSIVE_PORT } = uws as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number };

const PAGE_NOT_FOUND = '404 page not found\n';

export class Front {
  readonly #options: FrontOptions;
  readonly #apps: TemplatedApp[] = [];
  readonly #sockets: us_listen_socket[] = [];
  #openExchanges = 0;
  #onIdle: (() => void) | undefined;
  #isFinishing = false;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Listens; HTTPS when `tls` is given. Throws ListenError. */
  listen(address: string, port: number, tls: Tls | undefined): void {
    const app =
      tls === undefined
        ? uws.App()
        : uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
    app.any('/*', (response, request) => this.#handle(response, request));
    // Without it another process may listen on the same port, and each gets some connections.
    (app as unknown as ExclusiveApp).listen(
      address,
      port,
      LIBUS_LISTEN_EXCLUSIVE_PORT,
      (socket) => {
        if (!socket) {
          const flag = tls === undefined ? '--port' : '--secure-port';
          throw new ListenError(
            `cannot listen on ${address}:${port}: the port is in use or not allowed. ` +
              `Stop what uses it, or choose another with ${flag}`,
          );
        }
        this.#sockets.push(socket);
      },
    );
    this.#apps.push(app);
  }

  /** Takes no new connections. */
  stopListening(): void {
    for (const socket of this.#sockets) uws.us_listen_socket_close(socket);
    this.#sockets.length = 0;
  }

  /** Ends the watches, takes no new requests, and resolves once all others are answered. */
  finish(): Promise<void> {
    this.#isFinishing = true;
    for (const { fanout } of this.#options.shards.values()) fanout.endAll();
    if (this.#openExchanges === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }

  /** Cuts all connections. */
  close(): void {
    for (const app of this.#apps) app.close();
  }

  #handle(response: HttpResponse, request: HttpRequest): void {
    this.#openExchanges++;
    const exchange = new Exchange(response, copyHead(request), this.#options, () => {
      this.#openExchanges--;
      if (this.#openExchanges === 0) this.#onIdle?.();
    });
    try {
      this.#route(exchange, response);
    } catch (error) {
      if (error instanceof PageNotFound) exchange.sendText(404, PAGE_NOT_FOUND);
      else sendError(exchange, error);
    }
  }

  #route(exchange: Exchange, response: HttpResponse): void {
    const { head } = exchange;
    const { path } = head;
    const health = Health.parse(path);
    if (health !== undefined) {
      this.#options.health
        .serve(exchange, health.path, health.check)
        .catch((error: unknown) => sendError(exchange, error));
      return;
    }
    if (path === '/version') {
      if (head.method !== 'get' && head.method !== 'head') throw methodNotAllowed();
      exchange.sendJson(200, versionDocument(this.#options.builtAt));
      return;
    }
    // On connections that are still open: clients ask again as soon as their watch has ended.
    if (this.#isFinishing) {
      exchange.sendLastStatus(serviceUnavailable('the server is shutting down'));
      return;
    }
    const user = this.#options.authenticator.authenticate(head.authorization);
    if (user === undefined) {
      if (this.#options.documents.serveStranger(exchange)) return;
      throw unauthorized();
    }
    if (this.#options.documents.serve(exchange)) return;
    if (!path.startsWith('/api/') && !path.startsWith('/apis/')) throw new PageNotFound(path);
    const watching = exchange.query.flag('watch');
    const route = this.#options.router.resolve(head.method, path, watching);
    refuseOversize(head);
    const read = (then: BodyCallback): void => readBody(response, REQUEST_BODY_BYTES_MAX, then);
    if (route.verb === 'operation') {
      serveOperation(this.#options, { route, exchange, user }, read);
      return;
    }
    const shard = this.#options.shards.get(route.shard);
    if (shard === undefined) throw new PageNotFound(path);
    serve(shard, route, exchange, user, read);
  }
}

/** Answers before the body is sent, where its length says that it is too long. */
function refuseOversize({ contentLength }: RequestHead): void {
  if (Number(contentLength) > REQUEST_BODY_BYTES_MAX) {
    throw requestEntityTooLarge(REQUEST_BODY_BYTES_MAX);
  }
}
