/** Requests to the server, with the token of this tab. */

import type { Cause, Table, WatchEvent } from './documents.ts';

const TOKEN_KEY = 'shardplane-token';
const TOKEN_SUBPROTOCOL = 'base64url.bearer.authorization.k8s.io';

/** A refusal. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: number;
  readonly causes: readonly Cause[];

  constructor(code: number, message: string, causes: readonly Cause[] = []) {
    super(message);
    this.code = code;
    this.causes = causes;
  }
}

export class Server {
  /** The domain of its API names: `k8s.io`. */
  readonly domain: string;
  readonly #token: string;
  readonly #onUnknown: () => void;

  /** `onUnknown` is called when the token is not, or no longer, known. */
  constructor(domain: string, token: string, onUnknown: () => void) {
    this.domain = domain;
    this.#token = token;
    this.#onUnknown = onUnknown;
  }

  /** Resolves with the body as text. Rejects with RequestError. */
  async text(path: string, options: RequestInit = {}): Promise<string> {
    const headers = new Headers(options.headers);
    if (this.#token !== '') headers.set('Authorization', `Bearer ${this.#token}`);
    const response = await fetch(path, { ...options, headers, cache: 'no-store' });
    const text = await response.text();
    if (response.ok) return text;
    if (response.status === 401) this.#onUnknown();
    throw refusal(response.status, text);
  }

  /** Resolves with the document. Rejects with RequestError. */
  async json<Document>(path: string, options: RequestInit = {}): Promise<Document> {
    const headers = { Accept: 'application/json', ...(options.headers as object) };
    return JSON.parse(await this.text(path, { ...options, headers })) as Document;
  }

  /** A list or object as the table that kubectl prints. Rejects with RequestError. */
  async table(path: string): Promise<Table> {
    const Accept = `application/json;as=Table;v=v1;g=meta.${this.domain}`;
    return this.json(path, { headers: { Accept } });
  }

  /** Watches over one WebSocket: events until it ends, of which `ended` is told once. */
  watch(path: string, onEvent: (event: WatchEvent) => void, ended: () => void): () => void {
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const encoded = btoa(this.#token).replaceAll('+', '-').replaceAll('/', '_');
    // One that is no token must stand beside it, for the server to choose.
    const protocols =
      this.#token === '' ? [] : [`${TOKEN_SUBPROTOCOL}.${encoded.replace(/=+/, '')}`, 'watch'];
    const socket = new WebSocket(address, protocols);
    socket.addEventListener('message', ({ data }) => onEvent(JSON.parse(data) as WatchEvent));
    socket.addEventListener('close', ended);
    return () => {
      socket.removeEventListener('close', ended);
      socket.close();
    };
  }
}

function refusal(code: number, text: string): RequestError {
  try {
    const status = JSON.parse(text) as { message?: string; details?: { causes?: Cause[] } };
    return new RequestError(code, status.message ?? text, status.details?.causes);
  } catch {
    return new RequestError(code, text.trim() || `status ${code}`);
  }
}

/** Whether the server knows a token. Rejects where it cannot be asked. */
export async function isKnown(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch('/api', { headers, cache: 'no-store' })).status !== 401;
}

/** The token that this tab has; '' where it has none. It goes when the tab is closed. */
export function keptToken(): string {
  return sessionStorage.getItem(TOKEN_KEY) ?? '';
}

/** Keeps the token for this tab alone; '' forgets it. */
export function keepToken(token: string): void {
  if (token === '') sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, token);
}
