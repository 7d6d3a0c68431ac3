/** Two connections as one: what comes from one is given to the other, as fast as it is taken. */
import type { Socket } from 'node:net';
import { IDLE_MS_MAX } from '../limits.ts';

/** `onEnd` runs once, when both are gone. */
export function joinSockets(outer: Socket, inner: Socket, onEnd: () => void): void {
  let open = 2;
  const closed = (): void => {
    open--;
    if (open === 0) onEnd();
  };
  pass(outer, inner);
  pass(inner, outer);
  outer.on('error', () => outer.destroy());
  inner.on('error', () => inner.destroy());
  outer.on('close', () => {
    inner.destroy();
    closed();
  });
  inner.on('close', () => {
    // So long a client may take for what is left of its answer.
    outer.setTimeout(IDLE_MS_MAX, () => outer.destroy());
    outer.destroySoon();
    closed();
  });
}

function pass(from: Socket, to: Socket): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
}
