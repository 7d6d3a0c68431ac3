/**
 * Ways to servers that answer for a part of the API: where each is, and over which connections it
 * is asked. Connections are kept and used again; certificates are verified as the APIService says.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { collectBytes } from '../base/collect-bytes.ts';
import { joinHostPort } from '../base/dial-error.ts';
import { keepingAgent, trusting } from '../webhooks/keeping-agent.ts';
import {
  ServiceAddresses,
  type ServiceObjects,
  type ServiceRouting,
} from '../webhooks/service-addresses.ts';
import { connectionErrorText, type Dialed } from '../webhooks/webhook-errors.ts';
import { REMOTE_DOCUMENT_BYTES_MAX } from './limits.ts';
import type { ProxyCertificate } from './proxy-certificate.ts';
import { serverNameOf, type RemoteApi } from './remote-api.ts';

/** How a connection is made and verified: options of Node's HTTPS. */
export interface SecureOptions {
  readonly agent: Agent;
  readonly servername: string;
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly allowPartialTrustChain?: true;
  readonly cert?: string;
  readonly key?: string;
}

/** A place where a server is. */
export interface Upstream extends Dialed {
  readonly secure: SecureOptions;
  /** Why there is no connection, or no answer on it, in the words of the reference's client. */
  readonly failureText: (error: NodeJS.ErrnoException, isConnected: boolean) => string;
}

export interface UpstreamsOptions {
  readonly objects: ServiceObjects;
  readonly routing: ServiceRouting;
  readonly certificate: ProxyCertificate;
  readonly nowMs: () => number;
}

export interface RemoteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A server gave no answer; the message is that of the reference's client. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
}

export class Upstreams {
  readonly #addresses: ServiceAddresses;
  readonly #certificate: ProxyCertificate;
  #agent: Agent | undefined;

  constructor({ objects, routing, certificate, nowMs }: UpstreamsOptions) {
    this.#addresses = new ServiceAddresses(objects, nowMs, routing);
    this.#certificate = certificate;
  }

  /** One of the places where a server is. Rejects with WebhookError when there is none. */
  async find(api: RemoteApi): Promise<Upstream> {
    const dialed = await this.#addresses.resolve(api.service);
    this.#agent ??= keepingAgent();
    const secure: SecureOptions = {
      agent: this.#agent,
      servername: serverNameOf(api),
      rejectUnauthorized: !api.isUnverified,
      ...trusting(api.authority),
      ...(await this.#certificate.current()),
    };
    const failureText: Upstream['failureText'] = (error, isConnected) => {
      const { address = dialed.host } = error as { readonly address?: string };
      const asked = { ...dialed, host: address };
      return connectionErrorText(error, asked, secure.servername, isConnected);
    };
    return { ...dialed, secure, failureText };
  }

  /** Where servers are is found out again. */
  forget(): void {
    this.#addresses.forget();
  }

  /**
   * Asks for a document of a server that was found, within `msMax`. Headers have the characters of
   * their bytes. Rejects with UpstreamError when there is no answer.
   */
  get(
    upstream: Upstream,
    path: string,
    headers: readonly (readonly [name: string, value: string])[],
    msMax: number,
  ): Promise<RemoteAnswer> {
    return this.#ask('GET', upstream, path, headers, msMax);
  }

  /** Asks to remove what is at a path, as `get`. */
  delete(
    upstream: Upstream,
    path: string,
    headers: readonly (readonly [name: string, value: string])[],
    msMax: number,
  ): Promise<RemoteAnswer> {
    return this.#ask('DELETE', upstream, path, headers, msMax);
  }

  #ask(
    method: string,
    { host, port, secure, failureText }: Upstream,
    path: string,
    headers: readonly (readonly [name: string, value: string])[],
    msMax: number,
  ): Promise<RemoteAnswer> {
    const https = process.getBuiltinModule('node:https');
    return new Promise((resolve, reject) => {
      const given = [['Host', joinHostPort(host, port)] as const, ...headers];
      const request = https.request({
        ...secure,
        host,
        port,
        method,
        path,
        setHost: false,
        headers: given.flat(),
      });
      let isConnected = false;
      const timer = setTimeout(() => {
        const why = isConnected
          ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
          : 'net/http: request canceled while waiting for connection ' +
            '(Client.Timeout exceeded while awaiting headers)';
        reject(new UpstreamError(why));
        request.destroy();
      }, msMax);
      request.on('socket', (socket) => {
        isConnected = !socket.connecting;
        socket.once('secureConnect', () => (isConnected = true));
      });
      request.on('response', (message) => {
        answerOf(message).then(resolve, reject);
      });
      request.on('error', (error) => {
        reject(new UpstreamError(failureText(error, isConnected)));
      });
      request.on('close', () => clearTimeout(timer));
      request.end();
    });
  }

  /** Closes connections that are kept. Requests on their way fail. */
  close(): void {
    this.#agent?.destroy();
  }
}

async function answerOf(message: IncomingMessage): Promise<RemoteAnswer> {
  const body = await collectBytes(message, REMOTE_DOCUMENT_BYTES_MAX + 1).catch(() => {
    throw new UpstreamError('unexpected EOF');
  });
  if (body.length > REMOTE_DOCUMENT_BYTES_MAX) {
    throw new UpstreamError(`the answer is longer than ${REMOTE_DOCUMENT_BYTES_MAX} bytes`);
  }
  return { status: message.statusCode ?? 0, headers: message.headers, body };
}
