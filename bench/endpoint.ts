/** Where a server listens, and connections and single requests to it, plain or over TLS. */
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { gunzipSync } from 'node:zlib';

export interface Endpoint {
  /** This machine when it is absent. */
  readonly host?: string;
  readonly port: number;
  /** Whether the certificate is checked, as Node does it; plain HTTP when it is absent. */
  readonly tls?: 'checked' | 'unchecked';
}

type OnBytes = (byteCount: number, buffer: Uint8Array) => boolean;

/** Reads an `http:` or `https:` URL; throws for another one. */
export function endpointOf(url: string, isChecked: boolean): Endpoint {
  const { protocol, hostname: host, port } = new URL(url);
  if (protocol === 'http:') return { host, port: Number(port || 80) };
  if (protocol !== 'https:') throw new Error(`${url} is neither http: nor https:`);
  return { host, port: Number(port || 443), tls: isChecked ? 'checked' : 'unchecked' };
}

/** Opens a connection that reads into one buffer; `onConnect` runs when it can be written to. */
export function connectTo(
  { host = '127.0.0.1', port, tls }: Endpoint,
  onread: { readonly buffer: Uint8Array; readonly callback: OnBytes },
  onConnect: () => void,
): Socket {
  const options = { host, port, onread };
  const socket =
    tls === undefined
      ? connectPlain(options).on('connect', onConnect)
      : connectSecure({ ...options, rejectUnauthorized: tls === 'checked' }).on(
          'secureConnect',
          onConnect,
        );
  return socket.setNoDelay(true);
}

/** One request on a connection of its own; a gzipped answer comes unpacked. */
export async function fetchFrom(
  { host = '127.0.0.1', port, tls }: Endpoint,
  path: string,
  { method = 'GET', headers, body }: RequestInit,
): Promise<Response> {
  const bytes = Buffer.from(await new Response(body ?? null).arrayBuffer());
  const request = tls === undefined ? requestPlain : requestSecure;
  const sent = Object.fromEntries(new Headers(headers));
  return new Promise((resolve, reject) => {
    const options = { host, port, path, method, agent: false } as const;
    const security = { rejectUnauthorized: tls === 'checked' };
    request(
      { ...options, ...security, headers: { ...sent, 'content-length': bytes.length } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const { statusCode: status = 0, headers: received } = answer;
          const whole = Buffer.concat(parts);
          const isPacked = received['content-encoding'] === 'gzip';
          const text = Object.entries(received).map(([name, value]) => [name, String(value)]);
          const init = { status, headers: Object.fromEntries(text) as Record<string, string> };
          resolve(new Response(isPacked ? gunzipSync(whole) : whole, init));
        });
      },
    )
      .on('error', reject)
      .end(bytes);
  });
}
