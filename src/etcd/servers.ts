/** The servers of etcd, and the connections to them: one for each. */
import { readFileSync } from 'node:fs';
import { Client, connectivityState, credentials } from '@grpc/grpc-js';
import type { ChannelCredentials, ClientOptions } from '@grpc/grpc-js';
import { EtcdError } from './etcd-error.ts';
import {
  CONNECT_MS_MAX,
  PING_ANSWER_MS_MAX,
  PING_MS,
  RETRY_PAUSE_MS,
  WINDOW_BYTES,
} from './limits.ts';

/** Files in PEM; the authorities of the system are trusted where none are given. */
export interface TlsFiles {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** Where a server listens. */
interface ServerAddress {
  /** As it was given. */
  readonly name: string;
  readonly target: string;
  readonly isSecure: boolean;
}

const CHANNEL_OPTIONS: ClientOptions = {
  // A write must not be sent twice, whatever has become of the first time.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.max_send_message_length': -1,
  'grpc.max_receive_message_length': -1,
  'grpc-node.flow_control_window': WINDOW_BYTES,
  'grpc.keepalive_time_ms': PING_MS,
  'grpc.keepalive_timeout_ms': PING_ANSWER_MS_MAX,
  'grpc.initial_reconnect_backoff_ms': RETRY_PAUSE_MS,
  'grpc.max_reconnect_backoff_ms': 10 * RETRY_PAUSE_MS,
};

/** A connection to a server. */
export interface Connection {
  readonly server: string;
  readonly client: Client;
}

/**
 * Which server is used: one and the same for all calls, watches and leases, until it fails; then
 * the next one.
 */
export class Servers {
  readonly #servers: readonly Server[];
  #current = 0;
  #isClosed = false;

  /** Throws an Error with a line for the user where an address or a file cannot be used. */
  constructor(urls: readonly string[], tls: TlsFiles = {}) {
    const secure = secureCredentials(tls);
    this.#servers = urls.map(parseServer).map((address) => new Server(address, secure));
    if (this.#servers.length === 0) throw new Error('give at least one server of etcd');
  }

  /**
   * A connection that is open; where no server takes one, all are asked again until the deadline,
   * by `performance.now()`.
   */
  async connection(deadlineMs: number): Promise<Connection> {
    let why = 'no time was left to connect';
    while (!this.#isClosed) {
      for (let count = 0; count < this.#servers.length; count += 1) {
        const server = this.#at(this.#current);
        if (server.isReady()) return server.connection;
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0 || this.#isClosed) break;
        const failure = await server.connect(Math.min(leftMs, CONNECT_MS_MAX));
        if (failure === undefined) return server.connection;
        why = `${server.name}: ${failure}`;
        this.#passOver(server);
      }
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) break;
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, RETRY_PAUSE_MS)));
    }
    throw EtcdError.unavailable(this.#isClosed ? 'the client is closed' : `etcd: ${why}`);
  }

  /** Notes that a server has failed: others are asked from now on. */
  failed(connection: Connection): void {
    const server = this.#servers.find(({ name }) => name === connection.server);
    if (server !== undefined) this.#passOver(server);
  }

  /**
   * Notes that nothing comes on a connection that is open: another one is made when the server is
   * asked again.
   */
  silent(connection: Connection): void {
    this.failed(connection);
    this.#servers.find((server) => server.connection === connection)?.reconnect();
  }

  close(): void {
    this.#isClosed = true;
    for (const server of this.#servers) server.close();
  }

  #at(index: number): Server {
    return this.#servers[index] as Server;
  }

  #passOver(server: Server): void {
    if (this.#at(this.#current) !== server) return;
    this.#current = (this.#current + 1) % this.#servers.length;
  }
}

/** Around the text of the error are its time, and notes of the library. */
const NO_CONNECTION = /Last error: (?:Error: )?(.+?)(?: \(\d{4}-\S+Z\))?\.? Resolution note/s;

class Server {
  readonly name: string;
  readonly #target: string;
  readonly #credentials: ChannelCredentials;
  #connection: Connection;

  constructor({ name, target, isSecure }: ServerAddress, secure: ChannelCredentials) {
    this.name = name;
    this.#target = target;
    this.#credentials = isSecure ? secure : credentials.createInsecure();
    this.#connection = this.#newConnection();
  }

  get connection(): Connection {
    return this.#connection;
  }

  isReady(): boolean {
    const channel = this.#connection.client.getChannel();
    return channel.getConnectivityState(true) === connectivityState.READY;
  }

  /** Gives why there is no connection; undefined where there is one. */
  connect(withinMs: number): Promise<string | undefined> {
    const channel = this.#connection.client.getChannel();
    const deadline = Date.now() + withinMs;
    return new Promise((resolve) => {
      const look = (error?: Error): void => {
        if (error !== undefined) {
          resolve('it does not take a connection');
          return;
        }
        const state = channel.getConnectivityState(true);
        if (state === connectivityState.READY) resolve(undefined);
        else if (state === connectivityState.SHUTDOWN) resolve('the client is closed');
        // It is tried again by itself, and stays so meanwhile.
        else if (state === connectivityState.TRANSIENT_FAILURE) resolve(this.#whyNot());
        else channel.watchConnectivityState(state, deadline, look);
      };
      look();
    });
  }

  /** The library tells why a connection could not be made only to a call that needs it. */
  #whyNot(): Promise<string> {
    return new Promise((resolve) => {
      this.#connection.client.makeUnaryRequest(
        '/etcdserverpb.Maintenance/Status',
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        Buffer.alloc(0),
        { deadline: Date.now() + CONNECT_MS_MAX },
        (error) => resolve(NO_CONNECTION.exec(error?.details ?? '')?.[1] ?? 'no connection'),
      );
    });
  }

  reconnect(): void {
    this.close();
    this.#connection = this.#newConnection();
  }

  close(): void {
    this.#connection.client.close();
  }

  #newConnection(): Connection {
    const client = new Client(this.#target, this.#credentials, CHANNEL_OPTIONS);
    return { server: this.name, client };
  }
}

function secureCredentials({ caFile, certFile, keyFile }: TlsFiles): ChannelCredentials {
  const read = (file: string | undefined): Buffer | null =>
    file === undefined ? null : readFileSync(file);
  return credentials.createSsl(read(caFile), read(keyFile), read(certFile));
}

/** `http://127.0.0.1:2379`, `https://etcd-0:2379`; without a port it is etcd's. */
function parseServer(name: string): ServerAddress {
  const url = URL.canParse(name) ? new URL(name) : undefined;
  const isPlain = url?.pathname === '/' && url.search === '' && url.username === '';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw new Error(`"${name}" is no URL of an etcd server like http://127.0.0.1:2379`);
  }
  // The usual port of the protocol is left out of a URL.
  const usual = /:(?:80|443)$/.exec(name.replace(/\/$/, ''))?.[0].slice(1) ?? '2379';
  const port = url.port === '' ? usual : url.port;
  return { name, target: `dns:${url.hostname}:${port}`, isSecure: url.protocol === 'https:' };
}
