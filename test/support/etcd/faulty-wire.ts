/**
 * A wire between clients and one server of etcd that fails as it is told: it delays, breaks, and
 * loses what is sent. It reads frames of HTTP/2 as far as it must to break at one request.
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { once } from 'node:events';
import { FrameReader, HEADERS_FRAME } from './http2-frames.ts';

/** Of one request: which half of it breaks the connection, and is lost. */
type Lost = 'request' | 'answer';

/** The ways that bytes are held back. */
type Way = 'to-server' | 'to-client' | 'both';

export class FaultyWire {
  readonly #target: URL;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #delayMs = 0;
  #held: Way | undefined;
  #lost: Lost[] = [];
  #connectionsMax = Infinity;
  /** How many connections it has taken. */
  taken = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  /** A wire to the server at `url`, on a free port. */
  static async to(url: string): Promise<FaultyWire> {
    const wire = new FaultyWire(new URL(url));
    wire.#server.listen(0, '127.0.0.1').unref();
    await once(wire.#server, 'listening');
    return wire;
  }

  /** What clients connect to. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** All that comes from now on goes on so much later. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Nothing goes on, while connections stay open and new ones are taken. */
  hold(way: Way = 'both'): void {
    this.#held = way;
  }

  /** What was held goes on now, late as it is. */
  release(): void {
    this.#held = undefined;
    for (const pair of this.#pairs) pair.flush();
  }

  /** Breaks all connections; with them goes what was held. */
  cut(): void {
    for (const pair of this.#pairs) pair.reset();
  }

  /** Breaks all connections and takes no more, until `accept`. */
  refuse(): void {
    this.refuseBeyond(0);
    this.cut();
  }

  /** Takes no more than so many connections at a time, until `accept`. */
  refuseBeyond(connections: number): void {
    this.#connectionsMax = connections;
  }

  accept(): void {
    this.#connectionsMax = Infinity;
  }

  /** The next request breaks its connection and does not arrive. */
  loseRequest(): void {
    this.#lost.push('request');
  }

  /** The next request arrives and is answered; the answer breaks the connection and is lost. */
  loseAnswer(): void {
    this.#lost.push('answer');
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #join(client: Socket): void {
    if (this.#pairs.size >= this.#connectionsMax) {
      client.resetAndDestroy();
      return;
    }
    this.taken += 1;
    const server = connect(Number(this.#target.port), this.#target.hostname);
    const pair = new Pair(client, server, {
      delayMs: () => this.#delayMs,
      isHeld: (way) => this.#held === 'both' || this.#held === way,
      nextLost: () => this.#lost.shift(),
      closed: () => this.#pairs.delete(pair),
    });
    this.#pairs.add(pair);
  }
}

interface PairOwner {
  delayMs(): number;
  isHeld(way: 'to-server' | 'to-client'): boolean;
  /** What is lost of a request that has just begun. */
  nextLost(): Lost | undefined;
  closed(): void;
}

/** The two halves of a connection. */
class Pair {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #owner: PairOwner;
  readonly #toServer: Lane;
  readonly #toClient: Lane;
  /** The stream whose answer breaks the connection. */
  #answerToLose: number | undefined;
  #isOver = false;

  constructor(client: Socket, server: Socket, owner: PairOwner) {
    this.#client = client;
    this.#server = server;
    this.#owner = owner;
    this.#toServer = new Lane(server, () => owner.isHeld('to-server'));
    this.#toClient = new Lane(client, () => owner.isHeld('to-client'));
    const requests = new FrameReader(true, (type, stream) => {
      if (type === HEADERS_FRAME) this.#requested(stream);
    });
    const answers = new FrameReader(false, (type, stream) => {
      if (type === HEADERS_FRAME && stream === this.#answerToLose) this.reset();
    });
    client.on('data', (bytes) => this.#pass(bytes, requests, this.#toServer));
    server.on('data', (bytes) => this.#pass(bytes, answers, this.#toClient));
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => this.reset());
      socket.on('close', () => this.reset());
    }
  }

  flush(): void {
    this.#toServer.flush();
    this.#toClient.flush();
  }

  reset(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
    this.#owner.closed();
  }

  #requested(stream: number): void {
    const lost = this.#owner.nextLost();
    if (lost === 'request') this.reset();
    if (lost === 'answer') this.#answerToLose = stream;
  }

  #pass(bytes: Buffer, reader: FrameReader, lane: Lane): void {
    reader.read(bytes);
    const send = (): void => {
      if (!this.#isOver) lane.send(bytes);
    };
    const delayMs = this.#owner.delayMs();
    if (delayMs === 0 && lane.isInTurn) send();
    else lane.later(delayMs, send);
  }
}

/** One direction; what is sent later comes after what was sent before. */
class Lane {
  readonly #to: Socket;
  readonly #isHeld: () => boolean;
  #held: Buffer[] = [];
  /** What is sent later, in order. */
  readonly #waiting: { readonly atMs: number; readonly send: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(to: Socket, isHeld: () => boolean) {
    this.#to = to;
    this.#isHeld = isHeld;
  }

  /** Whether nothing is on its way that came before. */
  get isInTurn(): boolean {
    return this.#waiting.length === 0;
  }

  later(ms: number, send: () => void): void {
    this.#waiting.push({ atMs: performance.now() + ms, send });
    this.#wait();
  }

  #wait(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#waiting.shift();
      next.send();
      this.#wait();
    }, next.atMs - performance.now()).unref();
  }

  send(bytes: Buffer): void {
    if (this.#isHeld()) this.#held.push(bytes);
    else this.#to.write(bytes);
  }

  flush(): void {
    for (const bytes of this.#held) this.#to.write(bytes);
    this.#held = [];
  }
}
