/** The worker entry of the actor pool's tests: actors that answer, and ways to crash. */
import { threadId } from 'node:worker_threads';
import { endOfActor } from '../../src/actors/actor-error.ts';
import type { ActorTask } from '../../src/actors/actor-pool.ts';
import { Link } from '../../src/actors/link.ts';
import { sharedInit } from '../../src/actors/shared-init.ts';

export interface ProbeCalls {
  thread: { request: undefined; reply: { threadId: number; init: unknown; shared: unknown } };
  /** Ends the actor in this way. */
  end: { request: { how: Ending }; reply: undefined };
}

export type Ending = 'stop' | 'reject' | 'throw' | 'exit';

export const PROBE_VERBS = ['thread', 'end'] as const;

/** Runs until it is told how to end. */
async function runProbe({ init, ports }: ActorTask): Promise<void> {
  const { main } = ports;
  if (main === undefined) throw new Error('a probe needs a port');
  await new Promise<void>((resolve, reject) => {
    const link = new Link<Record<never, never>, ProbeCalls>({
      peer: 'test',
      port: main,
      sends: [],
      receives: PROBE_VERBS,
      handlers: {
        thread: (_request, _body, answer) => answer.reply({ threadId, init, shared: sharedInit() }),
        end: ({ how }) => {
          if (how === 'throw') throw new Error('thrown in a handler');
          if (how === 'exit') process.exit(7);
          if (how === 'reject') reject(new RangeError('the actor gave up'));
          else resolve();
          link.close();
        },
      },
    });
  });
}

// oxlint-disable-next-line no-default-export -- Piscina calls the default export of its file
export default (task: ActorTask) => endOfActor(runProbe(task));
