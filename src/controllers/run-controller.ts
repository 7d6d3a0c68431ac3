/** Runs a controller in its process: it begins, and ends when told to. */
import { Link } from '../actors/link.ts';
import { givenPort } from '../actors/ports.ts';
import type { Port } from '../actors/port.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from './controller-protocol.ts';
import type { TypePort } from '../protocol/shard-protocol.ts';
import type { ControllerCalls, ControllerEvents, ServedKind } from './controller-protocol.ts';

export type Ports = Readonly<Record<string, Port>>;

export const CONTROL_PORT = 'control';
const SHARD_PORT = 'shard:';

/** The ports to shards, by the name of their resource type. */
export function shardPorts(ports: Ports): [resource: string, port: Port][] {
  return Object.entries(ports)
    .filter(([name]) => name.startsWith(SHARD_PORT))
    .map(([name, port]) => [name.slice(SHARD_PORT.length), port]);
}

/** The port to the shard of a resource type, which the controller was given. */
export function portOf(ports: Ports, resource: string): Port {
  const { [shardPort(resource)]: port } = ports;
  if (port === undefined) throw new Error(`no port to the shard of ${resource}`);
  return port;
}

/** The name of a port to the shard of a resource type. */
export function shardPort(resource: string): string {
  return SHARD_PORT + resource;
}

/** The functions of a controller that its process calls. */
export interface ControllerSteps {
  /** Called once it can be; `portTo` gives a port of its own to the shard of any type. */
  readonly begin: (portTo: (resource: string) => Port) => void;
  /** Called when it is to stop; what is under way ends before it resolves. */
  readonly stop: () => void | Promise<void>;
  /** A type has come, with the port to its shard; absent for who is given none. */
  readonly onType?: (type: ServedKind, port: Port) => void;
  readonly onTypeChanged?: (type: ServedKind) => void;
  /** The number of objects that it has made before it begins. */
  readonly objectsMade?: number;
}

/** Resolves when the controller was told to stop. */
export async function runController(ports: Ports, steps: ControllerSteps): Promise<void> {
  await new Promise<void>((resolve) => {
    const { [CONTROL_PORT]: port } = ports;
    if (port === undefined) throw new Error('a controller needs a control port');
    const control = new Link<ControllerEvents, ControllerCalls>({
      peer: 'main',
      port,
      sends: CONTROLLER_EVENTS,
      receives: CONTROLLER_VERBS,
      handlers: {
        typeChanged: (type, _body, answer) => {
          steps.onTypeChanged?.(type);
          answer.reply(undefined);
        },
        stop: (_request, _body, answer) => {
          void Promise.resolve(steps.stop()).then(() => {
            answer.reply(undefined);
            setImmediate(() => {
              control.close();
              resolve();
            });
          });
        },
      },
      onPort: (given, its) => steps.onType?.(given as ServedKind, its),
    });
    control.tell('started', { objectsMade: steps.objectsMade ?? 0 });
    steps.begin((type) => givenPort((its) => control.givePort({ type } satisfies TypePort, its)));
  });
}
