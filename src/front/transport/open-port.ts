/** A port of the front: HTTP, or HTTPS by the TLS that can do what is asked for. */
import uws from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import type { ClientCertificate } from '../../auth/authenticator.ts';
import { isFromForeignPage } from '../requests/browser-pages.ts';
import type { PageRules } from '../requests/browser-pages.ts';
import type { Arrival, ClientRequest } from '../http.ts';
import { portTaken } from '../listen-error.ts';
import type { Connections } from './connections.ts';
import { ClientTable } from './client-table.ts';
import type { Client } from './client-table.ts';
import type { NodeTls } from './node-tls.ts';
import { NodeTlsListener } from './node-tls-listener.ts';
import type { TakeProxied } from './node-tls-listener.ts';
import type { ServedTls } from './served-tls.ts';

/** The facts of a request besides its own words; undefined where nobody may ask there. */
export type ArrivalOf = (response: HttpResponse, request: HttpRequest) => Arrival | undefined;

/** Makes an app serve requests. */
export type AddRoutes = (app: TemplatedApp, arrivalOf: ArrivalOf) => void;

export interface PortOptions {
  readonly address: string;
  readonly port: number;
  /** Others of this process listen there too, and each gets some connections. */
  readonly isShared: boolean;
  /** Absent for HTTP. */
  readonly tls: ServedTls | undefined;
  /** A path that nobody else may use, for a socket; used where Node's TLS serves the port. */
  readonly socketFile: string;
  readonly addRoutes: AddRoutes;
  readonly visitors: VisitorRules;
  readonly connections: Connections;
  /** Where there is a front proxy. */
  readonly takeProxied?: TakeProxied | undefined;
}

/** The rules by which certificates are checked. */
export interface VisitorRules {
  readonly pages: Pick<PageRules, 'allowsOrigin'>;
  readonly nowMs: () => number;
}

export interface OpenPort {
  /** Takes no new connections. */
  stopListening(): void;
  /** Cuts all connections. */
  close(): void;
}

/** The package's types lack the form of `listen` that takes an address and options. */
type AddressedApp = {
  listen(
    address: string,
    port: number,
    options: number,
    then: (socket: us_listen_socket | false) => void,
  ): void;
};
const LISTEN_SHARED = 0;
const { LIBUS_LISTEN_EXCLUSIVE_PORT } = uws as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number };

/** Listens. Rejects with ListenError, or with TlsFileError where files cannot be used. */
export function openPort(options: PortOptions): Promise<OpenPort> {
  const { tls } = options;
  return tls === undefined || tls.isOfLibrary ? libraryPort(options) : nodePort(options, tls.node);
}

async function libraryPort(options: PortOptions): Promise<OpenPort> {
  const { address, port, isShared, tls } = options;
  const addRoutes = (app: TemplatedApp): void => {
    options.connections.watch(app);
    options.addRoutes(app, (response, request) => ({
      response,
      request,
      isSecure: tls !== undefined,
    }));
  };
  const plain = uws.App();
  if (tls === undefined) addRoutes(plain);
  const secure = tls?.library(addRoutes);
  const app = secure?.start() ?? plain;
  // Without the second another process may listen on the same port, and each gets some connections.
  const how = isShared ? LISTEN_SHARED : LIBUS_LISTEN_EXCLUSIVE_PORT;
  const listening = await new Promise<us_listen_socket>((resolve, reject) => {
    (app as unknown as AddressedApp).listen(address, port, how, (socket) => {
      if (socket) resolve(socket);
      else reject(portTaken(address, port, tls !== undefined));
    });
  });
  return {
    stopListening: () => uws.us_listen_socket_close(listening),
    close: () => void (secure ?? app).close(),
  };
}

async function nodePort(options: PortOptions, tls: NodeTls): Promise<OpenPort> {
  const { address, port, isShared, visitors, takeProxied } = options;
  const clients = new ClientTable();
  const addRoutes = (app: TemplatedApp): void => {
    options.addRoutes(app, (response, request) => {
      const client = clients.of(response);
      if (client === undefined) {
        response.close();
        return undefined;
      }
      const remote = new TextEncoder().encode(client.address).buffer as ArrayBuffer;
      // The library's own is that of the socket between.
      response.getRemoteAddressAsText = () => remote;
      const shown = certificateOf(client, request, tls, visitors);
      const certificate = takeProxied === undefined ? shown : shown && withoutProxy(shown);
      return { response, request, isSecure: true, certificate };
    });
  };
  const listener = new NodeTlsListener({ ...options, tls, clients, addRoutes });
  await listener.listen(address, port, isShared).catch(() => {
    listener.close();
    throw portTaken(address, port, true);
  });
  return listener;
}

/** One that was no front proxy's when its connection came is none on it later. */
function withoutProxy(shown: ClientCertificate): ClientCertificate {
  return { ...shown, signedBy: { ...shown.signedBy, frontProxy: false } };
}

/** The certificate that a client shows with a request. */
export function certificateOf(
  { certificate }: Client,
  request: Pick<ClientRequest, 'getHeader'>,
  { trusted }: NodeTls,
  { pages, nowMs }: VisitorRules,
): ClientCertificate | undefined {
  if (certificate === undefined) return undefined;
  const shown = certificate.verified(trusted, nowMs());
  // A front proxy passes on what browsers say to it: they do not show its certificate.
  const isOfBrowser = !shown.signedBy.frontProxy && isFromForeignPage(request, pages.allowsOrigin);
  return isOfBrowser ? undefined : shown;
}
