/** Requests to a server of this API, as the kubeconfig of a user says. */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { KubeconfigTarget } from '../soak/kubeconfig.ts';
import { ToolError } from './tool-error.ts';

const ANSWER_MS_MAX = 60_000;
/** Who follows lines. */
export const FOLLOWER = 'shardplane-follower';

export interface ApiAnswer {
  readonly status: number;
  readonly body: Buffer;
}

export class Api {
  readonly #url: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #token: string;

  constructor({ server, credentials }: KubeconfigTarget) {
    const { token, certificateAuthority, clientCertificate, clientKey } = credentials;
    this.#url = new URL(server);
    this.#token = token;
    this.#agent =
      this.#url.protocol === 'https:'
        ? new HttpsAgent({
            keepAlive: true,
            ...(certificateAuthority !== '' && { ca: certificateAuthority }),
            ...(clientCertificate !== '' && { cert: clientCertificate, key: clientKey }),
            ...(credentials.tlsServerName !== '' && { servername: credentials.tlsServerName }),
            rejectUnauthorized: !credentials.skipTlsVerify,
          })
        : new HttpAgent({ keepAlive: true });
  }

  /** Rejects with ToolError where there is no answer. */
  async request(
    method: string,
    path: string,
    body?: string,
    type = 'application/json',
  ): Promise<ApiAnswer> {
    return new Promise((resolve, reject) => {
      const sent = this.#send(
        method,
        path,
        body === undefined
          ? {}
          : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
        body,
      );
      const fail = (error: Error): void => reject(this.#noAnswer(error));
      sent.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', fail);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }),
        );
      });
      sent.setTimeout(ANSWER_MS_MAX, () => sent.destroy(new Error('it takes too long')));
      sent.on('error', fail);
    });
  }

  /**
   * Has `onLine` called with each line of an answer that goes on, as it comes. Resolves with its
   * status when it is over; rejects with ToolError where it is cut.
   */
  async lines(path: string, signal: AbortSignal, onLine: (line: string) => void): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = this.#send('GET', path, { 'user-agent': FOLLOWER });
      const end = (): void => void sent.destroy();
      signal.addEventListener('abort', end, { once: true });
      const fail = (error: Error): void => {
        if (signal.aborted) resolve(0);
        else reject(this.#noAnswer(error));
      };
      sent.on('response', (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) onLine(line);
        });
        response.on('error', fail);
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', fail);
      sent.on('close', () => {
        signal.removeEventListener('abort', end);
        if (signal.aborted) resolve(0);
      });
    });
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): ClientRequest {
    const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
    const { hostname, port, pathname } = this.#url;
    const sent = send({
      method,
      agent: this.#agent,
      hostname: hostname.replaceAll(/^\[|\]$/g, ''),
      port,
      path: pathname.replace(/\/+$/, '') + path,
      headers: {
        ...headers,
        ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
      },
    });
    sent.end(body);
    return sent;
  }

  #noAnswer({ message }: Error): ToolError {
    return new ToolError(`no answer from ${this.#url.origin}: ${message}`);
  }

  /** The JSON of an answer that has to be a success. Rejects with ToolError. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.request(method, path, text);
    if (answer.status >= 300) throw new ToolError(`${method} ${path}: ${refusalOf(answer)}`);
    return JSON.parse(answer.body.toString()) as T;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Why a server has not done what it was asked for. */
export function refusalOf({ status, body }: ApiAnswer): string {
  const text = body.toString();
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return `${status} ${text.slice(0, 200)}`;
  }
}
