/** One server of the API, asked over HTTP or HTTPS on the loopback interface. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /** Others than those above. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Where it is answered with 200, that is all: what follows does not end. */
  readonly isEndless?: boolean;
  /** It may be sent again when there was no answer: a dry run, such as each GET is. */
  readonly isRepeatable?: boolean;
}

export interface Answer {
  /** 0 when there was none. */
  readonly status: number;
  /** By lower-case name; a header that comes several times has several values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- documents of every kind are looked into
  readonly json: any;
}

/** A guard against a server that never answers. */
const ANSWER_MS_MAX = 30_000;
/** How often what may be repeated is sent. */
const SENT_MAX = 3;
/** A connection that was kept may close in the moment in which it is used again. */
const CLOSED = 'the connection was closed before';
/** More than any list of what a run makes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export class ApiClient {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(url: string, token: string) {
    this.#url = new URL(url);
    this.#token = token;
    this.#agent = this.#newAgent(true);
  }

  #newAgent(keepAlive: boolean): HttpAgent | HttpsAgent {
    // On the loopback interface nobody is between: certificates are not looked at.
    return this.#url.protocol === 'https:'
      ? new HttpsAgent({ keepAlive, rejectUnauthorized: false })
      : new HttpAgent({ keepAlive });
  }

  /** The answer, whatever its status; one of status 0 when there is none. */
  async ask(request: ApiRequest): Promise<Answer> {
    const isRepeatable = request.isRepeatable ?? request.method === 'GET';
    let answer = await this.#send(request);
    for (let sent = 1; sent < SENT_MAX && answer.status === 0; sent += 1) {
      if (!isRepeatable && answer.text !== CLOSED) break;
      // Others that were kept may have been closed with it.
      answer = await this.#send(request, this.#newAgent(false));
    }
    return answer;
  }

  async get(path: string): Promise<Answer> {
    return this.ask({ method: 'GET', path });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(asked: ApiRequest, agent = this.#agent): Promise<Answer> {
    const { method, path, body, contentType, accept, isEndless = false } = asked;
    const { hostname, port, protocol } = this.#url;
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'user-agent': 'compare/v1',
      accept: accept ?? 'application/json',
      ...asked.headers,
      ...(body !== undefined && {
        'content-type': contentType ?? 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
    };
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void => {
        const isClosed = error.code === 'ECONNRESET' && request.reusedSocket;
        resolve(noAnswer(isClosed ? CLOSED : error.message));
      };
      const options = { host, port, method, path, headers, agent };
      const request = send({ ...options, timeout: ANSWER_MS_MAX }, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const status = response.statusCode ?? 0;
        const answerWith = (text: string): void =>
          resolve({ status, headers: headersOf(response.rawHeaders), text, json: parsed(text) });
        response.on('error', failed);
        if (isEndless && status === 200) {
          answerWith('');
          response.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > ANSWER_BYTES_MAX) request.destroy(new Error('the answer does not end'));
          else chunks.push(chunk);
        });
        response.on('end', () => {
          answerWith(Buffer.concat(chunks).toString());
        });
      });
      request.on('timeout', () => request.destroy(new Error('no answer')));
      request.on('error', failed);
      request.end(body);
    });
  }
}

function headersOf(raw: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const values = headers.get(name) ?? [];
    headers.set(name, [...values, raw[at + 1] ?? '']);
  }
  return headers;
}

function noAnswer(text: string): Answer {
  return { status: 0, headers: new Map(), text, json: undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
