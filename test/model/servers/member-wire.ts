/**
 * The wire on which the other members of an etcd reach one of them: it can be cut for one of them
 * alone, by the number that members say with what they send.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

const FROM = /x-server-from: ([0-9a-f]+)/i;

interface Pair {
  readonly sockets: readonly [Socket, Socket];
  /** Undefined until it has said it. */
  from: string | undefined;
  isHeld: boolean;
}

export class MemberWire {
  readonly #target: URL;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #cut = new Set<string>();

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((socket) => this.#join(socket));
  }

  /** A wire to the member that listens for others at `url`, on a free port. */
  static async to(url: string): Promise<MemberWire> {
    const wire = new MemberWire(new URL(url));
    wire.#server.listen(0, '127.0.0.1').unref();
    await once(wire.#server, 'listening');
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nothing of that member arrives from now on; connections stay open. */
  cut(from: bigint): void {
    this.#cut.add(from.toString(16));
    for (const pair of this.#pairs) this.#holdIfCut(pair);
  }

  /** What was on the way is lost. */
  heal(): void {
    this.#cut.clear();
    for (const pair of this.#pairs) if (pair.isHeld) destroy(pair);
  }

  close(): void {
    this.#server.close();
    for (const pair of this.#pairs) destroy(pair);
  }

  #join(theirs: Socket): void {
    const own = connect(Number(this.#target.port), this.#target.hostname);
    const pair: Pair = { sockets: [theirs, own], from: undefined, isHeld: false };
    this.#pairs.add(pair);
    theirs.on('data', (bytes) => {
      pair.from ??= FROM.exec(bytes.toString('latin1'))?.[1];
      this.#holdIfCut(pair);
      if (!pair.isHeld) own.write(bytes);
    });
    own.on('data', (bytes) => {
      if (!pair.isHeld) theirs.write(bytes);
    });
    for (const socket of pair.sockets) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        destroy(pair);
      });
    }
  }

  #holdIfCut(pair: Pair): void {
    if (pair.from !== undefined && this.#cut.has(pair.from)) pair.isHeld = true;
  }
}

function destroy({ sockets }: Pair): void {
  for (const socket of sockets) socket.destroy();
}
