/** Channels between actors. */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

/** Both ends of a new channel. */
export function portPair(): readonly [MessagePort, MessagePort] {
  const { port1, port2 } = new MessageChannel();
  return [port1, port2];
}

/** Makes a channel: one end is given away, the other returned. */
export function givenPort(to: (port: MessagePort) => void): MessagePort {
  const [its, mine] = portPair();
  to(its);
  return mine;
}
