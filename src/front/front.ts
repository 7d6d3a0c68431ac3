/**
 * The front: HTTP and HTTPS on uWebSockets.js. It authenticates, routes, and passes bytes between
 * clients and shards; it holds no objects and nothing global, so that several can stand side by
 * side.
 */
import type { TemplatedApp } from 'uWebSockets.js';
import { BoundedTurns } from '../base/turns/bounded-turns.ts';
import { FairTurns } from '../base/turns/fair-turns.ts';
import { BATCH_CLOCK } from '../base/time/batch-clock.ts';
import { chosenClock } from '../base/time/server-clock.ts';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import { TURN_END } from '../base/turns/turn-end.ts';
import { shareOf } from '../limits.ts';
import {
  OPERATION_USER_BYTES_MAX,
  OPERATION_WAITING_BYTES_MAX,
  RECEIVED_BYTES_MAX,
  SOCKET_PING_MS,
  WATCHES_OPENED_AT_ONCE,
} from './limits.ts';
import { badRequest, StatusError } from '../semantics/errors/status.ts';
import { Exchange } from './exchange.ts';
import type { AnswerContext } from './answers/answer-context.ts';
import { copyHead } from './http.ts';
import type { Arrival, RequestHead } from './http.ts';
import { encodingOfBody } from './requests/negotiate.ts';
import type { FlowDump } from './flows/flow-dumps.ts';
import { ListenError, portTaken } from './listen-error.ts';
import { requestAttributes } from './requests/request-attributes.ts';
import { Deadlines } from './requests/deadlines.ts';
import { RequestBodies } from './requests/request-bodies.ts';
import type { BodyCallback } from './requests/request-bodies.ts';
import { RequestContext } from './request-context.ts';
import type { RequestLog } from './request-log.ts';
import { sendError } from './answers/send-error.ts';
import { StageTimes } from './answers/stage-times.ts';
import { PageNotFound } from './requests/route.ts';
import type { SessionPort } from './sessions/session-port.ts';
import { sessionOrigin } from './sessions/switches.ts';
import type { SessionOrigin, Switches } from './sessions/switches.ts';
import type { Tls } from './transport/tls.ts';
import { auditRefusal } from './stages/begin-audit.ts';
import { ENDINGS } from './stages/endings.ts';
import { runStages } from './stages/stage.ts';
import type { ServedApi, StageRun, StageTools } from './stages/stage.ts';
import { STAGES } from './stages/stages.ts';
import type { TakeProxied } from './transport/node-tls-listener.ts';
import { Connections, type ClientBounds } from './transport/connections.ts';
import { openPort } from './transport/open-port.ts';
import type { AddRoutes, ArrivalOf, OpenPort } from './transport/open-port.ts';
import { ServedTls } from './transport/served-tls.ts';
import { UnreadableRequest } from './requests/unreadable-request.ts';
import { yamlJob, type YamlBodies } from './requests/yaml-bodies.ts';
import { UserWatches } from './watch/user-watches.ts';
import { socketBehavior, UwsSocket } from './websocket/message-socket.ts';
import type { SocketData } from './websocket/message-socket.ts';

type ToolsOfFront =
  | 'bodyTurns'
  | 'deadlines'
  | 'isFinishing'
  | 'readBody'
  | 'userWatches'
  | 'watchTurns'
  | 'whenStopped';

export interface FrontOptions extends Omit<StageTools, ToolsOfFront>, AnswerContext {
  /** The number of fronts: each has its share of what the server may hold. */
  readonly fronts: number;
  readonly yamlBodies: YamlBodies;
  /** A path that nobody else may use, for a socket (transport/node-tls-listener.ts). */
  readonly socketFile: string;
  readonly logError: (text: string) => void;
  /** Undefined where no request is logged. */
  readonly requestLog: RequestLog | undefined;
  /** Requests may take so long. */
  readonly requestTimeoutMs: number;
  readonly bounds: ClientBounds;
  /** Made by `sharedConnections`, once for all fronts. */
  readonly connections: SharedArrayBuffer;
}

/** The way in which a port is listened on. */
export interface ListenOptions {
  /** Absent for HTTP. */
  readonly tls?: Tls | undefined;
  /** Other fronts of this server listen on the same port, and each gets some connections. */
  readonly isShared: boolean;
  /** For sessions that the port cannot have; 0 for any that is free, absent for none. */
  readonly sessionPort?: number | undefined;
  /** Whether a session port that has a number is this front's. */
  readonly hasSessionPort: boolean;
}

/** The time between two looks for bodies that have taken too long. */
const LATE_BODIES_MS = 5_000;

const PAGE_NOT_FOUND = '404 page not found\n';

export class Front {
  readonly #options: FrontOptions;
  readonly #ports: OpenPort[] = [];
  readonly #tls: ServedTls[] = [];
  readonly #sessionPorts: SessionPort[] = [];
  readonly #webSockets = new Set<UwsSocket>();
  readonly #bodies: RequestBodies<Exchange>;
  readonly #connections: Connections;
  readonly #timers: readonly NodeJS.Timeout[];
  /** Requests that other servers answer, with what ends them. */
  readonly #passing = new Map<Exchange, () => void>();
  #openExchanges = 0;
  #onIdle: (() => void) | undefined;
  #tools: StageTools;
  readonly #run: StageRun = {
    stages: STAGES,
    toolsNow: () => this.#tools,
    refuse: (request, error) => this.#refuse(request.exchange, request, error),
  };

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#tools = this.#toolsOf();
    const { connections: open, waitingConnections } = options.bounds;
    const limits = { open, waiting: shareOf(waitingConnections, options.fronts) };
    const { connections } = options;
    this.#connections = new Connections(limits, connections, () => this.#openExchanges);
    const bytesMax = shareOf(RECEIVED_BYTES_MAX, options.fronts);
    this.#bodies = new RequestBodies({ nowMs: () => performance.now(), bytesMax });
    const ping = (): void => {
      for (const socket of this.#webSockets) socket.ping();
    };
    this.#timers = [
      setInterval(ping, SOCKET_PING_MS).unref(),
      setInterval(() => this.#bodies.refuseLate(), LATE_BODIES_MS).unref(),
    ];
  }

  /**
   * Listens. Sessions that this port cannot have get one of their own, at once where it has a
   * number. Rejects with ListenError.
   */
  async listen(
    address: string,
    port: number,
    { tls, isShared, sessionPort, hasSessionPort }: ListenOptions,
  ): Promise<void> {
    const { logError, socketFile } = this.#options;
    const served = tls && new ServedTls(tls, logError);
    if (served !== undefined) this.#tls.push(served);
    if (chosenClock() !== undefined) {
      // uWebSockets.js writes the machine's time into the header Date, whatever else it is given.
      const node = await this.#nodeHttp(address, port, served);
      await node.open().catch(() => Promise.reject(portTaken(address, port, served !== undefined)));
      return;
    }
    const isElsewhere = !hasSessionPort && sessionPort !== undefined && sessionPort > 0;
    const openSessionPort =
      sessionPort === undefined
        ? undefined
        : isElsewhere
          ? () => Promise.resolve(sessionOrigin(tls !== undefined, sessionPort))
          : this.#sessionPort(address, sessionPort, served);
    const switches: Switches = openSessionPort === undefined ? {} : { openSessionPort };
    const addRoutes: AddRoutes = (app, arrivalOf) => this.#addRoutes(app, arrivalOf, switches);
    const takeProxied =
      served !== undefined && tls?.proxyAuthorityFile !== ''
        ? await this.#takeProxied(served)
        : undefined;
    const connections = this.#connections;
    const how = { isShared, tls: served, socketFile, addRoutes, takeProxied };
    this.#ports.push(
      await openPort({ address, port, ...how, visitors: this.#options, connections }),
    );
    if (hasSessionPort && sessionPort !== undefined && sessionPort > 0) await openSessionPort?.();
  }

  #addRoutes(app: TemplatedApp, arrivalOf: ArrivalOf, switches: Switches): void {
    app.ws('/*', {
      ...socketBehavior(this.#webSockets),
      upgrade: (response, request, context) => {
        const arrival = arrivalOf(response, request);
        if (arrival === undefined) return;
        const head = copyHead(request);
        const openWebSocket: Switches['openWebSocket'] = (subprotocol, handlers) => {
          const data: SocketData = { handlers, socket: new UwsSocket() };
          const key = head.upgrade?.key ?? '';
          // Not inside of `cork`, though the library says on stderr that it should be: after it the
          // library looks at the response's state where the WebSocket is by then, and may close it.
          response.upgrade(data, key, subprotocol, '', context);
          return data.socket;
        };
        this.#handle(arrival, head, { ...switches, openWebSocket });
      },
    });
    app.any('/*', (response, request) => {
      const arrival = arrivalOf(response, request);
      if (arrival !== undefined) this.#handle(arrival, copyHead(request), switches);
    });
  }

  /** Opens a port for sessions when it is first called. Rejects with ListenError. */
  #sessionPort(
    address: string,
    port: number,
    tls: ServedTls | undefined,
  ): () => Promise<SessionOrigin> {
    let opened: Promise<SessionOrigin> | undefined;
    const open = async (): Promise<SessionOrigin> => {
      const sessions = await this.#nodeHttp(address, port, tls);
      return sessions.open().catch((error: unknown) => {
        const why = (error as Error).message;
        throw new ListenError(`cannot listen for sessions: ${why}. Choose another --session-port`);
      });
    };
    return () => (opened ??= open());
  }

  /** Serves the connections of a front proxy, whose names of users must be exact. */
  async #takeProxied(tls: ServedTls): Promise<TakeProxied> {
    const sessions = await this.#nodeHttp('', 0, tls);
    return (socket, client) => sessions.take(socket, client);
  }

  async #nodeHttp(address: string, port: number, tls: ServedTls | undefined): Promise<SessionPort> {
    // It loads Node's HTTP server, which most servers never need.
    const { SessionPort } = await import('./sessions/session-port.ts');
    const receive = (arrival: Arrival, switches: Switches): void =>
      this.#handle(arrival, copyHead(arrival.request), switches);
    const connections = this.#connections;
    const how = { tls: tls?.node, visitors: this.#options, receive, connections };
    const sessions = new SessionPort({ address, port, ...how });
    this.#sessionPorts.push(sessions);
    return sessions;
  }

  /** From the next request on this is served. */
  swap(api: ServedApi): void {
    this.#tools = { ...this.#tools, api };
  }

  flowDump(): FlowDump | undefined {
    return this.#options.gate?.dump();
  }

  /** Takes no new connections. */
  stopListening(): void {
    for (const port of this.#sessionPorts) port.stopListening();
    for (const port of this.#ports) port.stopListening();
  }

  /** Ends the watches, takes no new requests, and resolves once all others are answered. */
  finish(): Promise<void> {
    this.#tools = { ...this.#tools, isFinishing: true };
    for (const { fanout } of this.#options.shards.values()) void fanout.endAll();
    for (const end of this.#passing.values()) end();
    if (this.#openExchanges === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }

  /** Cuts all connections. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#tools.deadlines.close();
    this.#options.gate?.close();
    for (const tls of this.#tls) tls.close();
    for (const port of this.#ports) port.close();
    for (const port of this.#sessionPorts) port.close();
    this.#connections.close();
    this.#tools.userWatches?.close();
  }

  #handle(arrival: Arrival, sent: RequestHead, switches: Switches): void {
    const head = this.#tools.laboratory?.headOf(sent) ?? sent;
    const startMs = performance.now();
    TURN_END.passed(false, startMs);
    this.#openExchanges++;
    let request: RequestContext | undefined;
    const onEnd = (): void => {
      // Not below 0 where messages are looked for in the midst of a turn.
      const ms = Math.max(0, BATCH_CLOCK.nowMs() - startMs);
      const { requestLog } = this.#options;
      for (const end of ENDINGS) end({ exchange, request, ms, requestLog });
      if (this.#passing.size > 0) this.#passing.delete(exchange);
      if (this.#bodies.size > 0) this.#bodies.end(exchange);
      this.#openExchanges--;
      if (this.#openExchanges === 0) this.#onIdle?.();
    };
    const exchange = new Exchange(arrival.response, head, this.#options, onEnd, switches);
    const { flaw } = head;
    if (flaw !== '') {
      // Where this request ends is not known. Until it is answered, in a later turn, the library
      // cuts a connection on which another one seems to begin.
      exchange.closeAfterwards();
      setImmediate(() => exchange.sendStatus(badRequest(flaw)));
      return;
    }
    try {
      const attributes = requestAttributes(head, exchange.query);
      const times = this.#options.requestLog && new StageTimes(startMs);
      request = new RequestContext(exchange, attributes, arrival, startMs, times);
    } catch (error) {
      this.#refuse(exchange, undefined, error);
      return;
    }
    runStages(this.#run, request);
  }

  /** Answers with what was thrown on the way; `request` is what was known of it. */
  #refuse(exchange: Exchange, request: RequestContext | undefined, error: unknown): void {
    const { audit } = this.#options;
    if (audit !== undefined && request?.isAudited === false && error instanceof StatusError) {
      auditRefusal(request, audit, error);
    }
    if (error instanceof PageNotFound) exchange.sendText(404, PAGE_NOT_FOUND);
    else if (error instanceof UnreadableRequest) {
      exchange.sendText(500, error.textFor(exchange.head.url));
    } else if (request === undefined) sendError(exchange, error);
    else request.fail(error);
  }

  /** A body in YAML is read before anybody gets it. */
  #withYaml(request: RequestContext, then: BodyCallback): BodyCallback {
    const { exchange, user } = request;
    return (body) => {
      const job = body && yamlJob(exchange, body);
      if (job === undefined) return then(body);
      this.#options.yamlBodies
        .read(user.name, job, () => exchange.open)
        .then((yaml) => exchange.open && then(job.body, yaml))
        .catch((error: unknown) => request.fail(error));
    };
  }

  #toolsOf(): StageTools {
    const { fronts, bounds } = this.#options;
    const watches = shareOf(bounds.watchesPerUser, fronts);
    return {
      ...this.#options,
      isFinishing: false,
      deadlines: new Deadlines({
        timeoutMs: this.#options.requestTimeoutMs,
        timers: SYSTEM_TIMERS,
        nowMs: () => performance.now(),
      }),
      bodyTurns: new FairTurns({
        bytesMax: shareOf(OPERATION_WAITING_BYTES_MAX, fronts),
        userBytesMax: shareOf(OPERATION_USER_BYTES_MAX, fronts),
      }),
      userWatches: watches === Infinity ? undefined : new UserWatches(watches),
      watchTurns: new BoundedTurns(WATCHES_OPENED_AT_ONCE),
      readBody: (request, use) => {
        const { exchange, arrival } = request;
        const told = request.onBody === undefined ? use : alsoTold(request.onBody, use);
        const take = request.audit === undefined ? told : audited(request, told);
        const then = this.#withYaml(request, take);
        this.#bodies.receive(
          exchange,
          arrival.response,
          exchange.head.isChunked ? inLaterTurn(exchange, then) : then,
          (error) => {
            exchange.closeAfterwards();
            exchange.sendStatus(error);
          },
        );
      },
      whenStopped: ({ exchange }, end) => {
        if (exchange.open) this.#passing.set(exchange, end);
      },
    };
  }
}

/** Somebody sees the body first. */
function alsoTold(onBody: (bytes: Uint8Array) => void, then: BodyCallback): BodyCallback {
  return (body, yaml) => {
    if (body !== undefined) onBody(body);
    then(body, yaml);
  };
}

/** The audit log sees the body first. */
function audited({ audit, exchange: { head } }: RequestContext, then: BodyCallback): BodyCallback {
  return (body, yaml) => {
    if (yaml !== undefined) audit?.body(Buffer.from(yaml.json), 'json');
    else if (body !== undefined) audit?.body(body, encodingOfBody(head.contentType));
    then(body, yaml);
  };
}

/**
 * Lets a body be answered in a later turn. The library reads whatever follows the last chunk in the
 * same turn: when that is not HTTP, the connection is gone by then and nothing is done.
 */
function inLaterTurn(exchange: Exchange, then: BodyCallback): BodyCallback {
  return (body) => {
    setImmediate(() => {
      if (exchange.open) then(body);
    });
  };
}
