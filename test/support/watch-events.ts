/** Waiting for what a watch says of one object. */
import type { WatchEvent, WatchStream } from './watch-stream.ts';

/** The next event of the object with this name. Rejects when the watch ends before it. */
export async function eventOf(watch: WatchStream, name: string): Promise<WatchEvent> {
  for (;;) {
    const event = await watch.next();
    if (event === undefined) throw new Error(`the watch ended before an event of ${name}`);
    if (event.object.metadata.name === name) return event;
  }
}

/** Resolves when the object with this name is gone. */
export async function removalOf(watch: WatchStream, name: string): Promise<void> {
  while ((await eventOf(watch, name)).type !== 'DELETED');
}
