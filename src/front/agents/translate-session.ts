/**
 * A command in a container for clients of `v5.channel.k8s.io`: they send the end of the standard
 * input too, which agents know from SPDY only. Channels of the WebSocket become its streams.
 */
import { SESSION_BYTES_MAX } from '../limits.ts';
import type { PassedRequest } from '../operation.ts';
import type { MessageSocket } from '../websocket/message-socket.ts';
import type { Upgraded } from './pass-messages.ts';
import { GOING_AWAY, NORMAL_CLOSURE } from './pass-messages.ts';
import { SpdyStreams } from './spdy-streams.ts';

export const CHANNELS_V5 = 'v5.channel.k8s.io';
/** The protocol that agents speak to the translation. */
export const STREAMS_V4 = 'v4.channel.k8s.io';

/** The first byte of each message says its channel. */
export const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
/** The second byte says which channel its sender is done with. */
export const CLOSE_CHANNEL = 255;

export type StreamName = keyof typeof CHANNELS;

/** The streams that the agent waits for, in the order in which clients open them. */
export function streamsOf({ exchange: { query } }: PassedRequest): StreamName[] {
  const names: StreamName[] = ['error'];
  if (query.flag('stdin')) names.push('stdin');
  if (query.flag('stdout')) names.push('stdout');
  if (query.flag('stderr') && !query.flag('tty')) names.push('stderr');
  if (query.flag('tty')) names.push('resize');
  return names;
}

export function translateSession(request: PassedRequest, { connection, head }: Upgraded): void {
  const { exchange, whenStopped } = request;
  const streamOf = new Map<number, number>();
  const channelOf = new Map<number, number>();
  /** Streams on which the agent still has something to say. */
  const open = new Set<number>();
  whenStopped(() => client.end(GOING_AWAY, 'the server is shutting down'));
  const client: MessageSocket = exchange.acceptWebSocket(CHANNELS_V5, {
    onMessage: (message) => {
      const [channel = 0, closed = 0] = message;
      const stream = streamOf.get(channel === CLOSE_CHANNEL ? closed : channel);
      if (stream === undefined) return;
      if (channel === CLOSE_CHANNEL) agent.end(stream);
      else agent.send(stream, message.subarray(1));
      if (agent.waiting > SESSION_BYTES_MAX) agent.close();
    },
    onDrain: () => agent.resume(),
    onClose: () => agent.close(),
  });
  const agent: SpdyStreams = new SpdyStreams(connection, head, {
    onData: (stream, bytes) => {
      const channel = channelOf.get(stream);
      if (channel === undefined) return;
      if (!client.send(Buffer.concat([Buffer.from([channel]), bytes]), false)) agent.pause();
    },
    onEnd: (stream) => {
      open.delete(stream);
      if (open.size > 0) return;
      client.end(NORMAL_CLOSURE, '');
      agent.close();
    },
    onClose: () => client.end(NORMAL_CLOSURE, ''),
  });
  for (const name of streamsOf(request)) {
    const stream = agent.open('streamtype', name);
    streamOf.set(CHANNELS[name], stream);
    channelOf.set(stream, CHANNELS[name]);
    if (name !== 'stdin' && name !== 'resize') open.add(stream);
  }
}
