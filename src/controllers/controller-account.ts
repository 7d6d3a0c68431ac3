/** The users as whom controllers write, and the manager of their fields (README.md#accounts). */
import { CONTROLLER_PROGRAM_USER, controllerUser } from '../auth/controller-users.ts';
import type { Writer } from '../replicas/shard-objects.ts';
import { CONTROLLER_MANAGER } from '../protocol/shard-protocol.ts';

/** The writer of a controller that has the service account of that name. */
export function controllerAccount(name: string): Writer {
  return { manager: CONTROLLER_MANAGER, user: controllerUser(name) };
}

/** The writer of controllers that have no account. */
export const CONTROLLER_PROGRAM: Writer = {
  manager: CONTROLLER_MANAGER,
  user: CONTROLLER_PROGRAM_USER,
};
