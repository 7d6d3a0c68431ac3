/**
 * Clients of connections whose TLS ends before the HTTP library: it is told a random number in the
 * place of the client's address, in the first bytes of each connection, and tells it with every
 * request. Whoever does not know such a number is nobody.
 */
import { randomBytes } from 'node:crypto';
import type { HttpResponse } from 'uWebSockets.js';
import type { ConnectionCertificate } from '../../auth/client-authorities.ts';

/** At the other end of a connection. */
export interface Client {
  readonly address: string;
  /** The certificate that it has shown; undefined for none. */
  readonly certificate: ConnectionCertificate | undefined;
}

const HANDLE_BYTES = 16;
/**
 * Version 2 of the PROXY protocol: its signature, version and command, TCP over IPv6, and how long
 * the rest is. The number is the source address; the library reads nothing else.
 */
const HEADER_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x24', 'latin1');
const REST = Buffer.alloc(HANDLE_BYTES + 4);

export class ClientTable {
  readonly #clients = new Map<string, Client>();

  /** Connections that are open. */
  get size(): number {
    return this.#clients.size;
  }

  /** Takes a client in; `header` is what its connection begins with, and `remove` ends it. */
  add(client: Client): { readonly header: Uint8Array; readonly remove: () => void } {
    const handle = randomBytes(HANDLE_BYTES);
    const key = handle.toString('latin1');
    this.#clients.set(key, client);
    return {
      header: Buffer.concat([HEADER_START, handle, REST]),
      remove: () => this.#clients.delete(key),
    };
  }

  /** The client of a request; undefined where the connection is not one of this table. */
  of(response: Pick<HttpResponse, 'getProxiedRemoteAddress'>): Client | undefined {
    return this.#clients.get(Buffer.from(response.getProxiedRemoteAddress()).toString('latin1'));
  }
}
