/**
 * Clients that take their time: to shake hands, to say what they want, to send it, to take what
 * they get. Each is cut in the end, on every port; who is quiet because there is nothing to say is
 * not.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { adminLines, everyPort } from '../support/every-port.ts';
import type { ServedPort } from '../support/every-port.ts';
import { expectUnharmed } from '../support/expect-status.ts';
import { startAgent } from '../support/fake-agent.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { connectRaw } from '../support/raw-exchange.ts';

/** The objects are more than any socket holds, and a slow reader takes so much at once. */
const OBJECTS = 24;
const FILLER = 'x'.repeat(1_000_000);
const SIP_BYTES = 256 * 1024;
/** How often those send or take something that do it slowly. */
const DRIP_MS = 500;
const TLS_HELLO = Buffer.from('16030100c8010000c40303', 'hex');

const { servers, ports } = await everyPort(t, () => ['-v=3']);
const agent = await startAgent(t, {
  onRequest: (_, response) => response.end(),
  onUpgrade: (_, connection) => {
    connection.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n',
    );
    connection.pipe(connection);
  },
});
for (const server of servers) {
  await nodeWith(server, 'there', '127.0.0.1', agent.port);
  await podWith(server, 'x', { spec: { nodeName: 'there' } });
  for (let at = 0; at < OBJECTS; at++) {
    await server.post(CONFIG_MAPS, configMap(`large-${at}`, { filler: FILLER }));
  }
}

function head(port: ServedPort, request: string, ...lines: string[]): string {
  return [`${request} HTTP/1.1`, 'Host: x', ...adminLines(port), ...lines, '', ''].join('\r\n');
}

/** A connection to write to, and what has come on it. */
class Client {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  text = '';

  constructor(port: ServedPort, isBare = false) {
    this.socket = isBare ? connect(port.port, '127.0.0.1') : connectRaw(port);
    this.socket.on('data', (chunk) => (this.text += chunk.toString('latin1')));
    // It may be cut in the midst of something: a reset is an end, too.
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  get isOpen(): boolean {
    return !this.socket.closed;
  }

  /** Until it is closed, or the test has waited in vain. */
  async isCut(): Promise<boolean> {
    return (
      (await Promise.race([this.closed, sleep(PATIENCE_MS, 'late', { ref: false })])) !== 'late'
    );
  }

  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text) && this.isOpen) await sleep(20);
  }

  /** A byte, and another one each time, for as long as it is open. */
  drip(bytes: Buffer): void {
    let at = 0;
    const timer = setInterval(() => {
      if (this.socket.writable && at < bytes.length) this.socket.write(bytes.subarray(at, ++at));
    }, DRIP_MS);
    void this.closed.then(() => clearInterval(timer));
  }
}

/** Ports whose library cuts who is slow, and tells nobody before. */
const OF_LIBRARY: readonly string[] = ['HTTP', 'HTTPS of the library'];
const LONG_HEAD = Buffer.from(`GET /livez HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(10_000)}`);
const POST = `POST ${CONFIG_MAPS}`;

/** Requests that are cut, and the answers before that. */
const SLOW: Record<string, (client: Client, port: ServedPort) => void> = {
  'nothing is asked': () => undefined,
  'half a head': ({ socket }) => socket.write('GET /livez HTTP/1.1\r\nHo'),
  'a head byte by byte': (client) => client.drip(LONG_HEAD),
  'nothing more is asked': ({ socket }, port) => socket.write(head(port, 'GET /livez')),
  'another head byte by byte': (client, port) => {
    client.socket.write(head(port, 'GET /livez'));
    void client.until(/ok$/).then(() => client.drip(LONG_HEAD));
  },
  'no body': ({ socket }, port) => socket.write(head(port, POST, 'Content-Length: 1000')),
  'a body byte by byte': (client, port) => {
    client.socket.write(head(port, POST, 'Content-Length: 10000'));
    client.drip(Buffer.alloc(10_000, ' '));
  },
  'chunks byte by byte': (client, port) => {
    client.socket.write(head(port, POST, 'Transfer-Encoding: chunked'));
    client.drip(Buffer.from('1\r\n \r\n'.repeat(10_000)));
  },
  'a body that nobody waits for': ({ socket }, port) =>
    socket.write(head(port, 'POST /none', 'Content-Length: 1000')),
};

t.test('who is slow is cut, and who is only quiet is not', async (t) => {
  const quiet = new Map<string, Client>();
  for (const [where, port] of ports) {
    const watch = new Client(port);
    watch.socket.write(head(port, `GET ${CONFIG_MAPS}?watch=1&labelSelector=quiet`));
    quiet.set(where, watch);
    if (!port.hasSessions) continue;
    const session = new Client(port);
    const lines = ['Connection: Upgrade', 'Upgrade: SPDY/3.1'];
    session.socket.write(head(port, `GET ${PODS}/x/exec?command=a`, ...lines));
    quiet.set(`${where}, in a session`, session);
  }
  const cut = async (where: string, work: (client: Client) => void, isBare = false) => {
    const port = ports.get(where);
    if (port === undefined) throw new Error(where);
    const client = new Client(port, isBare);
    client.socket.on(port.isSecure && !isBare ? 'secureConnect' : 'connect', () => work(client));
    return { client, isCut: await client.isCut() };
  };
  const slow = [...ports].flatMap(([where, port]) => [
    ...Object.entries(SLOW).map(async ([what, work]) => {
      const { client, isCut } = await cut(where, (client) => work(client, port));
      t.ok(isCut, `${where}: ${what}`);
      t.notMatch(
        client.text,
        /^HTTP\/1\.1 2\d\d (?!OK\r\n[^]*ok(?:HTTP\/1\.1 408 [^]*)?$)/,
        `${where}: ${what}`,
      );
      if (what !== 'half a head' || OF_LIBRARY.includes(where)) return;
      t.match(client.text, /^HTTP\/1\.1 408 Request Timeout\r\n[^]*"code":408}\n$/, where);
    }),
    cut(where, () => undefined, true).then(({ isCut }) => t.ok(isCut, `${where}: no handshake`)),
    cut(where, (client) => client.drip(Buffer.concat([TLS_HELLO, Buffer.alloc(400)])), true).then(
      ({ isCut }) => t.ok(isCut, `${where}: half a handshake`),
    ),
    stalled(where, port),
    sipped(where, port),
  ]);
  await Promise.all(slow);
  for (const [where, client] of quiet) t.ok(client.isOpen, `${where}: quiet, and still there`);
  for (const server of servers) {
    await server.post(CONFIG_MAPS, { metadata: { name: 'event', labels: { quiet: '' } } });
  }
  for (const [where, client] of quiet) {
    if (where.endsWith('session')) client.socket.write('still there');
    await client.until(where.endsWith('session') ? /still there$/ : /"ADDED"/);
    t.ok(client.isOpen, `${where}: served as ever`);
    client.socket.destroy();
  }
  for (const server of servers) {
    await expectUnharmed(t, server);
    const { text } = await server.get('/metrics');
    t.match(text, /^shardplane_slow_heads_total [1-9]/m, 'they are counted');
  }

  /** Takes nothing of a long answer. */
  async function stalled(where: string, port: ServedPort): Promise<void> {
    const client = new Client(port);
    client.socket.pause();
    const id = `stalled-${where.replaceAll(' ', '-')}`;
    client.socket.write(head(port, `GET ${CONFIG_MAPS}`, `Audit-ID: ${id}`));
    const isOver = (): boolean => {
      const { stdout, stderr } = port.server.process;
      return (stdout + stderr).includes(`"${id}"`);
    };
    const endMs = Date.now() + PATIENCE_MS;
    while (!isOver() && Date.now() < endMs) await sleep(100);
    t.ok(isOver(), `${where}: the answer was given up`);
    client.socket.resume();
    await client.closed;
    t.ok(client.text.length < OBJECTS * FILLER.length, `${where}: ${client.text.length} bytes`);
  }

  /** Takes a long answer in sips, and gets all of it. */
  async function sipped(where: string, port: ServedPort): Promise<void> {
    const client = new Client(port);
    let unread = 0;
    client.socket.on('data', (chunk) => {
      unread += chunk.length;
      if (unread < SIP_BYTES) return;
      unread = 0;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), DRIP_MS / 5);
    });
    client.socket.write(head(port, `GET ${CONFIG_MAPS}`, 'Connection: close'));
    await client.until(/\r\n0\r\n\r\n$/);
    t.match(client.text.slice(-200), /\r\n0\r\n\r\n$/, `${where}: a slow reader gets all`);
    client.socket.destroy();
  }
});

t.test('what comes before an answer is there, and heads that are too long', async (t) => {
  for (const [where, port] of ports) {
    const early = new Client(port);
    early.socket.write(head(port, `GET ${CONFIG_MAPS}?watch=1&labelSelector=quiet`).repeat(2));
    t.ok(await early.isCut(), `${where}: a second request is not waited with`);
    const many = new Client(port);
    many.socket.write(head(port, 'GET /livez', ...Array<string>(98).fill('X-A: b')));
    await many.until(/\r\n\r\n/);
    t.match(many.text, /^HTTP\/1\.1 431 /, `${where}: more headers than anybody needs`);
    const most = new Client(port);
    const lines = adminLines(port).length;
    most.socket.write(head(port, 'GET /livez', ...Array<string>(97 - lines).fill('X-A: b')));
    await most.until(/ok$/);
    t.match(most.text, /^HTTP\/1\.1 200 /, `${where}: as many as there may be`);
    for (const { socket } of [many, most]) socket.destroy();
  }
});

t.end();
