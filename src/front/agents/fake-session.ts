/**
 * A command in a container on a fake node, where nothing runs: it says what it is, and what comes
 * on its standard input. So does a container that somebody attaches to, which has said all else
 * when it started (src/controllers/README.md#fake-nodes).
 */
import { badRequest } from '../../semantics/errors/status.ts';
import { headerLines, headText } from '../answers/header-lines.ts';
import { statusLine } from '../answers/status-line.ts';
import { SWITCHING } from '../http.ts';
import type { PassedRequest } from '../operation.ts';
import { asksForWebSocket, handshakeRefusal } from '../websocket/handshake.ts';
import type { MessageSocket } from '../websocket/message-socket.ts';
import { refuseHandshake } from '../websocket/refuse-handshake.ts';
import { whenEnded, type FakePod } from './fake-log.ts';
import { GOING_AWAY, NORMAL_CLOSURE } from './pass-messages.ts';
import { SpdyStreams } from './spdy-streams.ts';
import {
  CHANNELS,
  CHANNELS_V5,
  CLOSE_CHANNEL,
  STREAMS_V4,
  streamsOf,
  type StreamName,
} from './translate-session.ts';

/** The code with which commands in the containers of a pod end. */
const EXIT_CODE = 'shardplane.io/exec-exit-code';
/** What a terminal sends at the end of its input. */
const END_OF_INPUT = 4;

export interface FakeCommand {
  readonly pod: FakePod;
  /** Rejects once the pod is gone. */
  readonly podNow: () => Promise<FakePod>;
  /** Undefined for who attaches to what runs. */
  readonly command: readonly string[] | undefined;
}

/** Where a session says something. */
interface Client {
  send(stream: StreamName, bytes: Uint8Array): void;
  end(): void;
}

/** Rejects with StatusError. */
export async function openFakeSession(request: PassedRequest, asked: FakeCommand): Promise<void> {
  const { exchange } = request;
  const { upgrade } = exchange.head;
  if (exchange.switches.takeConnection !== undefined) {
    if (asksForWebSocket(upgrade)) throw badRequest('fake nodes take WebSockets at the other port');
    openStreams(request, asked);
  } else if (!asksForWebSocket(upgrade)) {
    await request.redirectSession();
  } else {
    const offered = upgrade.subprotocols;
    const chosen = [CHANNELS_V5, STREAMS_V4].find((name) => offered.includes(name));
    const unknown = { code: 403, text: '', headers: {} } as const;
    const refusal = handshakeRefusal(upgrade);
    if (refusal !== undefined || chosen === undefined) {
      refuseHandshake(exchange, refusal ?? unknown);
    } else openChannels(request, asked, chosen);
  }
}

function openChannels(request: PassedRequest, asked: FakeCommand, subprotocol: string): void {
  request.whenStopped(() => socket.end(GOING_AWAY, 'the server is shutting down'));
  const socket: MessageSocket = request.exchange.acceptWebSocket(subprotocol, {
    onMessage: ([channel = 0, ...bytes]) => {
      if (channel === CHANNELS.stdin) session.read(Buffer.from(bytes));
      else if (channel === CLOSE_CHANNEL && bytes[0] === CHANNELS.stdin) session.end();
    },
    onDrain: () => undefined,
    onClose: () => session.leave(),
  });
  const session = new FakeSession(request, asked, {
    send: (stream, bytes) => {
      socket.send(Buffer.concat([Buffer.from([CHANNELS[stream]]), bytes]), false);
    },
    end: () => socket.end(NORMAL_CLOSURE, ''),
  });
  session.begin();
}

/** Clients open their streams in one order, and wait until each is taken. */
function openStreams(request: PassedRequest, asked: FakeCommand): void {
  const connection = request.exchange.takeConnection();
  if (connection === undefined) return;
  request.whenStopped(() => connection.destroy());
  const agreement = headerLines(
    [['Connection', 'Upgrade']],
    [
      ['Upgrade', 'SPDY/3.1'],
      ['X-Stream-Protocol-Version', STREAMS_V4],
    ],
  );
  connection.write(headText(statusLine(SWITCHING), agreement), 'latin1');
  const names = streamsOf(request);
  const streams = new Map<StreamName, number>();
  const session = new FakeSession(request, asked, {
    send: (stream, bytes) => client.send(streams.get(stream) ?? 0, bytes),
    end: () => {
      for (const name of ['stdout', 'stderr', 'error'] as const) {
        const stream = streams.get(name);
        if (stream !== undefined) client.end(stream);
      }
    },
  });
  const client: SpdyStreams = new SpdyStreams(connection, new Uint8Array(0), {
    onOpen: (stream) => {
      const name = names[streams.size];
      if (name === undefined) return client.close();
      streams.set(name, stream);
      if (streams.size === names.length) session.begin();
    },
    onData: (stream, bytes) => {
      if (stream === streams.get('stdin')) session.read(bytes);
    },
    onEnd: (stream) => {
      if (stream === streams.get('stdin')) session.end();
    },
    onClose: () => session.leave(),
  });
}

class FakeSession {
  readonly #asked: FakeCommand;
  readonly #client: Client;
  readonly #says: ReadonlySet<StreamName>;
  #isOver = false;

  constructor(request: PassedRequest, asked: FakeCommand, client: Client) {
    this.#asked = asked;
    this.#client = client;
    this.#says = new Set(streamsOf(request));
  }

  begin(): void {
    const { pod, podNow, command } = this.#asked;
    if (command === undefined) {
      void whenEnded(pod, podNow, () => this.#isOver).then(() => this.end());
      return;
    }
    this.#say('stdout', Buffer.from(`${command.join(' ')}\n`));
    if (!this.#says.has('stdin')) this.end();
  }

  /** The client has gone. */
  leave(): void {
    this.#isOver = true;
  }

  read(bytes: Buffer): void {
    const end = this.#says.has('resize') ? bytes.indexOf(END_OF_INPUT) : -1;
    this.#say('stdout', end < 0 ? bytes : bytes.subarray(0, end));
    if (end >= 0) this.end();
  }

  #say(stream: StreamName, bytes: Uint8Array): void {
    if (!this.#isOver && this.#says.has(stream)) this.#client.send(stream, bytes);
  }

  end(): void {
    if (this.#isOver) return;
    const { pod, command } = this.#asked;
    // Who attaches does not learn how a container ends.
    const code = command === undefined ? '0' : (pod.metadata.annotations?.[EXIT_CODE] ?? '0');
    this.#say('error', Buffer.from(JSON.stringify(statusOf(code))));
    this.#isOver = true;
    this.#client.end();
  }
}

/** As agents tell how a command has ended. */
function statusOf(code: string): object {
  if (code === '0') return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: code }] },
  };
}
