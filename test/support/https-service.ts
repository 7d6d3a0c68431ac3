/** A service over HTTPS whose answers a test writes. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { selfSigned } from './self-signed.ts';

export interface ServiceRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpsService {
  readonly url: string;
  /** PEM of its certificate, which is its own authority. */
  readonly authority: string;
  readonly requests: ServiceRequest[];
  /** Takes no more connections until it is opened again, on the same port. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** The answer: a document with 200, a status alone, or nothing while it waits. */
export type Answer = object | string | number | Promise<never>;

/** It ends with the test. */
export async function startHttpsService(
  t: Test,
  answer: (request: ServiceRequest) => Answer,
): Promise<HttpsService> {
  const { key, cert } = await selfSigned([]);
  const requests: ServiceRequest[] = [];
  const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { url: path = '', headers } = incoming;
    const request = { path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    const answered = await answer(request);
    if (typeof answered === 'number') {
      response.writeHead(answered).end('it is broken');
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
  };
  const server = createServer({ key, cert }, (incoming, response) => {
    void receive(incoming, response);
  });
  let port = 0;
  const open = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await open();
  t.teardown(close);
  return { url: `https://127.0.0.1:${port}`, authority: cert, requests, open, close };
}
