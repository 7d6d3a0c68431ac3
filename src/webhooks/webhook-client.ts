/**
 * Calls of webhooks: a JSON document is sent over HTTPS, and another one is the answer. Connections
 * are kept and used again. Certificates are verified, against the authorities that the
 * configuration gives where it gives some.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { collectBytes } from '../base/collect-bytes.ts';
import { joinHostPort } from '../base/dial-error.ts';
import { WEBHOOK_HANDSHAKE_MS_MAX } from '../limits.ts';
import { ownRelease } from '../release/release.ts';
import {
  WEBHOOK_ANSWER_BYTES_MAX,
  WEBHOOK_CONNECTIONS_MAX,
  WEBHOOK_RETRIES_MAX,
  WEBHOOK_UNREAD_ANSWER_BYTES_MAX,
} from './limits.ts';
import { countCall, UNNAMED_SERVERS } from './call-metrics.ts';
import { keepingAgent, trusting } from './keeping-agent.ts';
import type { ServiceRef } from './service-addresses.ts';
import {
  placeOf,
  strangeHost,
  urlOf,
  type WebhookCaller,
  type WebhookTarget,
} from './webhook-target.ts';
import {
  COMMON_NAME_ALONE,
  connectionErrorText,
  lateDialText,
  refusalText,
  WebhookError,
  type Dialed,
} from './webhook-errors.ts';

export interface WebhookAnswer {
  readonly body: Buffer;
  /** '' when the webhook says none. */
  readonly contentType: string;
}

interface StatedAnswer extends WebhookAnswer {
  readonly status: number;
}

/** With the release, as those of other programs. */
const USER_AGENT = `shardplane/${ownRelease().version}`;

const LATE = 'context deadline exceeded';

/** The words of errors about a call that takes longer than it may. */
export interface TimeoutTexts {
  readonly awaitingAnswer: string;
  readonly readingAnswer: string;
}

/** The call has a time of its own. */
const CALL_TIMEOUT: TimeoutTexts = {
  awaitingAnswer: `${LATE} (Client.Timeout exceeded while awaiting headers)`,
  readingAnswer: `${LATE} (Client.Timeout or context cancellation while reading body)`,
};

/** The request ends that the call is made for. */
export const REQUEST_TIMEOUT: TimeoutTexts = { awaitingAnswer: LATE, readingAnswer: LATE };

type Resolve = (service: ServiceRef) => Promise<Dialed>;

/** A call on its way. */
interface Call {
  /** As errors name it. */
  readonly shownUrl: string;
  readonly path: string;
  readonly hostHeader: string;
  readonly serverName: string;
  readonly authority: string;
  readonly caller: WebhookCaller | undefined;
  readonly body: Buffer;
  readonly deadlineMs: number;
  readonly timeoutTexts: TimeoutTexts;
  /** The body of a successful answer matters. */
  readonly readsAnswer: boolean;
}

export class WebhookClient {
  readonly #resolve: Resolve;
  #agent: Agent | undefined;

  /** `resolve` says where a service is, or rejects with WebhookError. */
  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /**
   * Posts a document and resolves with what the webhook answers with success. Rejects with
   * WebhookError when it cannot be reached, takes longer, or answers anything else.
   */
  async call(
    target: WebhookTarget,
    document: string,
    timeoutMs: number,
    timeoutTexts = CALL_TIMEOUT,
  ): Promise<WebhookAnswer> {
    const how = { timeoutTexts, readsAnswer: true };
    const answer = await this.#called(target, document, timeoutMs, how);
    const { body, status, contentType } = answer;
    if (body.length > 0) return answer;
    throw new WebhookError(
      `0-length response with status code: ${status} and content type: ${contentType}`,
    );
  }

  /** Posts the document to a webhook whose successful answer does not matter. */
  async tell(target: WebhookTarget, document: string, timeoutMs: number): Promise<void> {
    const how = { timeoutTexts: CALL_TIMEOUT, readsAnswer: false };
    await this.#called(target, document, timeoutMs, how);
  }

  async #called(
    target: WebhookTarget,
    document: string,
    timeoutMs: number,
    how: Pick<Call, 'timeoutTexts' | 'readsAnswer'>,
  ): Promise<StatedAnswer> {
    const { caBundle, service, caller } = target;
    const url = urlOf(target);
    const path = `${cleanPath(url.pathname)}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
    const shownUrl = `${url.origin}${path}`;
    const { host, port } = placeOf(url);
    const call: Call = {
      shownUrl: service === undefined ? shownUrl : withPort(shownUrl, host, port),
      path,
      hostHeader: service === undefined ? url.host : joinHostPort(host, port),
      serverName: caller?.serverName || host,
      caller,
      authority: Buffer.from(caBundle, 'base64').toString(),
      body: Buffer.from(document),
      deadlineMs: performance.now() + timeoutMs,
      ...how,
    };
    try {
      const strange = strangeHost(target);
      if (strange !== '') throw new WebhookError(`dial tcp: lookup ${strange}: no such host`);
      const dialed = service === undefined ? { host, port } : await this.#resolve(service);
      return await this.#patiently(call, dialed);
    } catch (error) {
      if (!(error instanceof CallError)) {
        if (error instanceof WebhookError) throw posting(call, error);
        throw error;
      }
      if (!error.isAnswer) throw posting(call, error);
      throw new WebhookError(error.message, error.status);
    }
  }

  /** Closes connections that are kept. Calls on their way fail. */
  close(): void {
    this.#agent?.destroy();
  }

  /** Again where the webhook is busy and says for how long, if there is so much time. */
  async #patiently(call: Call, dialed: Dialed): Promise<StatedAnswer> {
    for (let retries = 0; ; retries++) {
      try {
        return await this.#post(call, dialed);
      } catch (error) {
        const waitMs = error instanceof CallError ? error.retryAfterMs : Number.NaN;
        const isInTime = performance.now() + waitMs < call.deadlineMs;
        if (!isInTime || retries === WEBHOOK_RETRIES_MAX) throw error;
        await pause(waitMs);
      }
    }
  }

  async #post(call: Call, dialed: Dialed): Promise<StatedAnswer> {
    try {
      return await this.#send(call, dialed);
    } catch (error) {
      // The webhook has closed a connection while it was kept: that call was not looked at.
      if (!(error instanceof CallError) || !error.isStale) throw error;
      return this.#send(call, dialed);
    }
  }

  async #send(call: Call, dialed: Dialed): Promise<StatedAnswer> {
    const startMs = performance.now();
    const count = (code: string): void =>
      countCall(call.hostHeader, code, performance.now() - startMs);
    try {
      const answer = await this.#exchange(call, dialed);
      count(String(answer.status));
      return answer;
    } catch (error) {
      const status = error instanceof WebhookError ? error.status : 0;
      count(status === 0 ? '<error>' : String(status));
      throw error;
    }
  }

  #exchange(call: Call, dialed: Dialed): Promise<StatedAnswer> {
    return new Promise((resolve, reject) => {
      const request = this.#request(call, dialed);
      let isConnected = false;
      let isAnswered = false;
      const late = (): void => {
        const { awaitingAnswer, readingAnswer } = call.timeoutTexts;
        reject(isAnswered ? unreadAnswer(readingAnswer) : new CallError(awaitingAnswer));
        request.destroy();
      };
      const timer = setTimeout(late, Math.max(0, call.deadlineMs - performance.now()));
      let handshake: NodeJS.Timeout | undefined;
      request.on('socket', (socket) => {
        if (!socket.connecting) {
          isConnected = true;
          return;
        }
        handshake = setTimeout(() => {
          const isDialed = !socket.connecting;
          reject(
            new CallError(isDialed ? 'net/http: TLS handshake timeout' : lateDialText(dialed)),
          );
          request.destroy();
        }, WEBHOOK_HANDSHAKE_MS_MAX);
        socket.once('secureConnect', () => {
          isConnected = true;
          clearTimeout(handshake);
        });
      });
      request.on('response', (message) => {
        isAnswered = true;
        readAnswer(message, call).then(resolve, reject);
      });
      request.on('error', (error) => {
        const text = connectionErrorText(error, dialed, call.serverName, isConnected);
        const isUnnamed = (error as NodeJS.ErrnoException).code === COMMON_NAME_ALONE;
        if (isUnnamed) UNNAMED_SERVERS.add();
        reject(
          new CallError(text, {
            isStale: request.reusedSocket && !isAnswered,
            unnamedHost: isUnnamed ? call.serverName : '',
          }),
        );
      });
      request.on('close', () => {
        clearTimeout(timer);
        clearTimeout(handshake);
      });
      request.end(call.body);
    });
  }

  #request(call: Call, dialed: Dialed): ClientRequest {
    const { path, hostHeader, serverName, authority, body, caller } = call;
    // Not imported: that would load Node's HTTP client with each start.
    const https = process.getBuiltinModule('node:https');
    this.#agent ??= keepingAgent({ maxSockets: WEBHOOK_CONNECTIONS_MAX });
    return https.request({
      ...dialed,
      agent: this.#agent,
      method: 'POST',
      path,
      // An address has no name to be asked for; it is what the certificate has to be for.
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...trusting(authority),
      ...(caller !== undefined && { rejectUnauthorized: !caller.trustsAnybody }),
      ...(caller?.certificate && { cert: caller.certificate, key: caller.key }),
      headers: {
        host: hostHeader,
        accept: 'application/json, */*',
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': USER_AGENT,
        ...(caller?.authorization && { authorization: caller.authorization }),
      },
    });
  }
}

/** A call failed; `isAnswer` when the webhook itself has answered so. */
class CallError extends WebhookError {
  readonly isAnswer: boolean;
  /** The connection was kept from a call before, and was closed meanwhile. */
  readonly isStale: boolean;
  /** When the webhook wants to be asked again; NaN where it does not say. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    {
      isAnswer = false,
      isStale = false,
      status = 0,
      retryAfterMs = Number.NaN,
      unnamedHost = '',
    } = {},
  ) {
    super(message, status, unnamedHost);
    this.retryAfterMs = retryAfterMs;
    this.isAnswer = isAnswer;
    this.isStale = isStale;
  }
}

function unreadAnswer(why: string): CallError {
  const what = 'unexpected error when reading response body. Please retry. Original error: ';
  return new CallError(`${what}${why}`, { isAnswer: true });
}

function posting({ shownUrl }: Call, { message, unnamedHost }: WebhookError): WebhookError {
  return new WebhookError(`Post "${shownUrl}": ${message}`, 0, unnamedHost);
}

/** As the reference calls it: one slash between its parts, and none after them. */
function cleanPath(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

/** The port of a service is always told. */
function withPort(shownUrl: string, host: string, port: number): string {
  return shownUrl.replace(/^https:\/\/[^/]*/, `https://${joinHostPort(host, port)}`);
}

async function readAnswer(message: IncomingMessage, { readsAnswer }: Call): Promise<StatedAnswer> {
  const bytesMax = readsAnswer ? WEBHOOK_ANSWER_BYTES_MAX + 1 : WEBHOOK_UNREAD_ANSWER_BYTES_MAX;
  const body = await collectBytes(message, bytesMax).catch(() => {
    throw new CallError('unexpected EOF', { isAnswer: true });
  });
  if (body.length > WEBHOOK_ANSWER_BYTES_MAX) {
    throw new CallError(`the answer is longer than ${WEBHOOK_ANSWER_BYTES_MAX} bytes`);
  }
  const { statusCode = 0, headers } = message;
  const { 'content-type': contentType } = headers;
  if (statusCode < 200 || statusCode > 206) {
    const text = refusalText(statusCode, body.toString(), contentType);
    const retryAfterMs = isBusy(statusCode) ? secondsIn(headers['retry-after']) * 1_000 : undefined;
    throw new CallError(text, { isAnswer: true, status: statusCode, retryAfterMs });
  }
  return { status: statusCode, body, contentType: contentType ?? '' };
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

/** NaN for a date, which the reference does not take either. */
function secondsIn(header = ''): number {
  return /^[0-9]+$/.test(header) ? Number(header) : Number.NaN;
}
