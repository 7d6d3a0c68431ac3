/**
 * A link runs over a port. A MessagePort is one, between threads of this process; what leads
 * elsewhere need only do the same:
 *
 * - Messages arrive whole, once, in the order they were sent, and in a later turn; those that were
 *   sent before `close` as well.
 * - Nothing arrives before there is a listener for messages.
 * - What is transferred, buffers and ports, is of the other side alone from then on.
 * - Both sides are told that the port is closed, whichever closes it or is lost.
 */
export interface Port {
  postMessage(message: unknown, transferred?: readonly object[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  close(): void;
}
