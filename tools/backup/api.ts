/** Requests to a server of this API, as the kubeconfig of a user says. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { KubeconfigTarget } from '../soak/kubeconfig.ts';
import { ToolError } from './tool-error.ts';

const ANSWER_MS_MAX = 60_000;

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
    const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
    const { hostname, port, pathname } = this.#url;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void =>
        reject(new ToolError(`no answer from ${this.#url.origin}: ${error.message}`));
      const sent = send(
        {
          method,
          agent: this.#agent,
          hostname: hostname.replaceAll(/^\[|\]$/g, ''),
          port,
          path: pathname.replace(/\/+$/, '') + path,
          timeout: ANSWER_MS_MAX,
          headers: {
            ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
            ...(body !== undefined && {
              'content-type': type,
              'content-length': Buffer.byteLength(body),
            }),
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', fail);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('it takes too long')));
      sent.on('error', fail);
      sent.end(body);
    });
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
