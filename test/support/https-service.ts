/** A service over HTTPS whose answers a test writes. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Test } from 'tap';
import { onOwnPort, type OwnPort } from './own-port.ts';
import { selfSigned } from './self-signed.ts';

export interface ServiceRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpsService extends Omit<OwnPort, 'port'> {
  readonly url: string;
  /** PEM of its certificate, which is its own authority. */
  readonly authority: string;
  readonly requests: ServiceRequest[];
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
  const { port, open, close } = await onOwnPort(t, server);
  return { url: `https://127.0.0.1:${port}`, authority: cert, requests, open, close };
}
