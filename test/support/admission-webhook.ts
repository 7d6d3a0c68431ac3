/**
 * An admission webhook that a test writes. Its path says how it behaves: a test gives each
 * behaviour a name, so that several webhooks of several configurations are one server.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Test } from 'tap';
import type { Members } from './kinds.ts';
import { selfSigned } from './self-signed.ts';

export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: AdmissionRequest;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: string;
  readonly name?: string;
  readonly object: Members;
  /** Null where there is none, as `object` is. */
  readonly oldObject: Members | null;
  readonly [member: string]: unknown;
}

/** The answer that is sent instead of a review. */
export interface Raw {
  readonly raw: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The members of the response that differ from `{uid, allowed: true}`; a whole review, or something
 * else instead of it; or `cut`: the connection is closed.
 */
export type Behaviour = (review: AdmissionReview) => Told | Promise<Told>;
type Told = Members | { readonly review: unknown } | Raw | 'cut';

export interface Call {
  readonly way: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly review: AdmissionReview;
}

export interface AdmissionWebhook {
  readonly port: number;
  /** In base64, as configurations have it. */
  readonly caBundle: string;
  /** In the order in which they came. */
  readonly calls: Call[];
  /** Behaves so at the path of that name; returns how a configuration names it. */
  at(way: string, behaviour?: Behaviour): { readonly url: string; readonly caBundle: string };
  /** The reviews that came at a path. */
  requests(way: string): AdmissionRequest[];
}

/** A JSON patch as responses have it. */
export function patchOf(...operations: readonly Members[]): Members {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { patch, patchType: 'JSONPatch' };
}

/** Its certificate is for the loopback and these names. */
export async function startAdmissionWebhook(
  t: Pick<Test, 'teardown'>,
  names: readonly string[] = [],
): Promise<AdmissionWebhook> {
  const calls: Call[] = [];
  const behaviours = new Map<string, Behaviour>();
  const { key, cert } = await selfSigned(names);
  const server = createServer({ key, cert }, (request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    // The caller has given up before it was read.
    if (text === '') return;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const review = JSON.parse(text) as AdmissionReview;
    const way = path.slice(1);
    calls.push({ way, query, headers: request.headers, review });
    const told = await behaviours.get(way)?.(review);
    send(response, review, told ?? {});
  }
  // A process of several test files ends when nothing is left to be waited for.
  server.on('connection', (socket: Socket) => socket.unref());
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const caBundle = Buffer.from(cert).toString('base64');
  return {
    port,
    caBundle,
    calls,
    at: (way, behaviour) => {
      if (behaviour !== undefined) behaviours.set(way, behaviour);
      return { url: `https://127.0.0.1:${port}/${way}`, caBundle };
    },
    requests: (way) => calls.filter((call) => call.way === way).map(({ review }) => review.request),
  };
}

/** '' where it is cut off. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return '';
  }
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, asked: AdmissionReview, told: Told): void {
  if (told === 'cut') {
    response.destroy();
    return;
  }
  if ('raw' in told) {
    const { raw, status = 200, headers = { 'content-type': 'application/json' } } = told as Raw;
    response.writeHead(status, headers).end(raw);
    return;
  }
  const { apiVersion, kind, request } = asked;
  const whole = { apiVersion, kind, response: { uid: request.uid, allowed: true, ...told } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify('review' in told ? told.review : whole));
}
