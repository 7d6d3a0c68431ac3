/** What all controllers are to the process that runs them: they begin, and end when told to. */
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../actors/link.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from './controller-protocol.ts';
import type { ControllerCalls, ControllerEvents } from './controller-protocol.ts';

export type Ports = Readonly<Record<string, MessagePort>>;

export const CONTROL_PORT = 'control';
const SHARD_PORT = 'shard:';

/** The ports to shards, by the name of their resource type. */
export function shardPorts(ports: Ports): [resource: string, port: MessagePort][] {
  return Object.entries(ports)
    .filter(([name]) => name.startsWith(SHARD_PORT))
    .map(([name, port]) => [name.slice(SHARD_PORT.length), port]);
}

/** The name of a port to the shard of a resource type. */
export function shardPort(resource: string): string {
  return SHARD_PORT + resource;
}

/**
 * Resolves when the controller was told to stop; `begin` is called once it can be. `objectsMade` is
 * how many objects it has made before that.
 */
export async function runController(
  ports: Ports,
  begin: () => void,
  stop: () => void,
  objectsMade = 0,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const { [CONTROL_PORT]: port } = ports;
    if (port === undefined) throw new Error('a controller needs a control port');
    const control = new Link<ControllerEvents, ControllerCalls>({
      peer: 'main',
      port,
      sends: CONTROLLER_EVENTS,
      receives: CONTROLLER_VERBS,
      handlers: {
        stop: (_request, _body, answer) => {
          stop();
          answer.reply(undefined);
          setImmediate(() => {
            control.close();
            resolve();
          });
        },
      },
    });
    control.tell('started', { objectsMade });
    begin();
  });
}
