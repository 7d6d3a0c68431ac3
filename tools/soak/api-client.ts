/** Requests with whole answers, over connections that are kept for the next ones. */
import { Connection } from './connection.ts';
import type { Target } from './target.ts';

const ANSWER_MS_MAX = 30_000;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The server asks to wait so long before another try; 0 if it does not. */
  readonly retryAfterMs: number;
}

/** There was no whole answer: whether the request was carried out is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

interface Exchange {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

class PooledConnection {
  readonly #connection: Connection;
  readonly #onIdle: (connection: PooledConnection) => void;
  readonly #onClose: (connection: PooledConnection) => void;
  #exchange: Exchange | undefined;
  #status = 0;
  #headers = '';
  #body: Buffer[] = [];

  constructor(
    target: Target,
    onIdle: (connection: PooledConnection) => void,
    onClose: (connection: PooledConnection) => void,
  ) {
    this.#onIdle = onIdle;
    this.#onClose = onClose;
    this.#connection = new Connection(target, {
      onHead: (status, headers) => {
        this.#status = status;
        this.#headers = headers;
        this.#body = [];
      },
      onBody: (buffer, from, to) => {
        this.#body.push(Buffer.from(buffer.subarray(from, to)));
      },
      onEnd: () => this.#answer(),
      onClose: (reason) => this.#fail(reason),
    });
  }

  async request(method: string, path: string, body: string | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.destroy();
        this.#fail(`no answer within ${ANSWER_MS_MAX} ms`);
      }, ANSWER_MS_MAX);
      this.#exchange = { resolve, reject, timer };
      this.#connection.request(method, path, body, 'application/json');
    });
  }

  destroy(): void {
    this.#connection.destroy();
  }

  #answer(): void {
    const exchange = this.#take();
    if (exchange === undefined) return;
    const retryAfter = /\r\nretry-after: *([0-9]+)/.exec(this.#headers)?.[1] ?? '0';
    const [only] = this.#body;
    const body = this.#body.length === 1 && only !== undefined ? only : Buffer.concat(this.#body);
    this.#body = [];
    if (/\r\nconnection: *close/.test(this.#headers)) this.destroy();
    else this.#onIdle(this);
    exchange.resolve({
      status: this.#status,
      text: body.toString('utf8'),
      retryAfterMs: Number(retryAfter) * 1_000,
    });
  }

  #fail(reason: string): void {
    this.#onClose(this);
    this.#take()?.reject(new ConnectionError(reason));
  }

  #take(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    clearTimeout(exchange?.timer);
    return exchange;
  }
}

export class ApiClient {
  readonly #target: Target;
  readonly #idle: PooledConnection[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  /** Gives whatever the server answers. Rejects with `ConnectionError`. */
  async request(method: string, path: string, body?: string): Promise<Answer> {
    const connection = this.#idle.pop() ?? this.#open();
    return connection.request(method, path, body);
  }

  /** Closes the connections that are idle. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  #open(): PooledConnection {
    return new PooledConnection(
      this.#target,
      (connection) => this.#idle.push(connection),
      (connection) => {
        const at = this.#idle.indexOf(connection);
        if (at >= 0) this.#idle.splice(at, 1);
      },
    );
  }
}
