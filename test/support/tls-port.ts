/** A port as the front opens it, with routes that tell what they see of a request. */
import { once } from 'node:events';
import { join } from 'node:path';
import { request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:https';
import { connect } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import type { Test } from 'tap';
import type { TemplatedApp } from 'uWebSockets.js';
import type { ClientCertificate } from '../../src/auth/authenticator.ts';
import type { Tls } from '../../src/front/transport/tls.ts';
import { Connections, sharedConnections } from '../../src/front/transport/connections.ts';
import { openPort } from '../../src/front/transport/open-port.ts';
import type { ArrivalOf } from '../../src/front/transport/open-port.ts';
import { ServedTls } from '../../src/front/transport/served-tls.ts';
import { freePort, temporaryFolder } from './server-process.ts';

export interface TlsPort {
  readonly port: number;
  readonly socketFile: string;
  /** One line each. */
  readonly errors: string[];
}

/** The routes tell these facts of a request. */
export interface Seen {
  readonly path: string;
  readonly certificate?: ClientCertificate;
  readonly remoteAddress: string;
  readonly bodyBytes: number;
}

/** One of so many that `/stream/COUNT` answers. */
export const STREAM_PART = Buffer.alloc(64 * 1024, 'x');

/** HTTPS by these options, or HTTP without; closed when the test ends. */
export async function openTestPort(
  test: Test,
  tls: (Partial<Tls> & Pick<Tls, 'certFile' | 'keyFile'>) | undefined,
  allowsOrigin: (origin: string) => boolean = () => false,
): Promise<TlsPort> {
  const errors: string[] = [];
  const socketFile = join(temporaryFolder(), 'front.sock');
  const served = tls && new ServedTls({ ...PRESETS, ...tls }, (text) => errors.push(text));
  const port = await freePort();
  const open = await openPort({
    address: '127.0.0.1',
    port,
    isShared: false,
    tls: served,
    socketFile,
    addRoutes,
    connections: new Connections(UNBOUNDED, sharedConnections(), () => 0),
    visitors: { pages: { allowsOrigin }, nowMs: Date.now },
  });
  test.teardown(() => {
    served?.close();
    open.stopListening();
    open.close();
  });
  return { port, socketFile, errors };
}

const UNBOUNDED = { open: Infinity, waiting: Infinity };
const PRESETS = {
  namedPairs: [],
  minVersion: 'TLSv1.2',
  cipherSuites: undefined,
  clientAuthorityFile: '',
  proxyAuthorityFile: '',
} as const;

function addRoutes(app: TemplatedApp, arrivalOf: ArrivalOf): void {
  app.ws('/socket', {
    upgrade: (response, request, context) => {
      const arrival = arrivalOf(response, request);
      if (arrival === undefined) return;
      const name = arrival.certificate?.commonName ?? '';
      const key = request.getHeader('sec-websocket-key');
      response.upgrade({ name }, key, '', '', context);
    },
    message: (socket, message) => {
      const { name } = socket.getUserData() as { name: string };
      socket.send(`${name} ${Buffer.from(message).toString()}`);
    },
  });
  app.any('/*', (response, request) => {
    const arrival = arrivalOf(response, request);
    if (arrival === undefined) return;
    const path = request.getUrl();
    const { certificate } = arrival;
    const remoteAddress = Buffer.from(arrival.response.getRemoteAddressAsText()).toString();
    let bodyBytes = 0;
    response.onAborted(() => undefined);
    if (path.startsWith('/stream/')) {
      stream(response, Number(path.slice('/stream/'.length)));
      return;
    }
    response.onData((chunk, isLast) => {
      bodyBytes += chunk.byteLength;
      if (!isLast) return;
      const seen = JSON.stringify({ path, certificate, remoteAddress, bodyBytes });
      response.cork(() => response.end(seen));
    });
  });
}

type Streamed = Parameters<ArrivalOf>[0];

function stream(response: Streamed, parts: number): void {
  let left = parts;
  let isOpen = true;
  response.onAborted(() => (isOpen = false));
  const go = (): boolean => {
    while (isOpen && left > 0) {
      left--;
      if (!response.write(STREAM_PART) && left > 0) return false;
    }
    if (isOpen) response.end();
    isOpen = false;
    return true;
  };
  response.onWritable(go);
  response.cork(() => go());
}

/** Asks once, on a connection of its own unless an agent is given. */
export function ask(
  { port }: { readonly port: number },
  options: RequestOptions & { readonly body?: Buffer } = {},
): Promise<{ readonly seen: Seen; readonly socket: TLSSocket; readonly served: string }> {
  return new Promise((resolve, reject) => {
    const asked = { host: '127.0.0.1', path: '/', agent: false, rejectUnauthorized: false };
    const sent = httpsRequest({ ...asked, ...options, port }, (response) => {
      const socket = response.socket as TLSSocket;
      const served = [socket.getPeerCertificate().subject?.CN ?? []].flat().join();
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ seen: JSON.parse(text) as Seen, socket, served }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(options.body);
  });
}

/** Connects; resolves after the handshake. */
export async function connectTls(
  { port }: { readonly port: number },
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', rejectUnauthorized: false, ...options, port });
  await once(socket, 'secureConnect');
  return socket;
}
