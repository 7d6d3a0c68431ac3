/** As whom controllers write, and for which manager (README.md#accounts). */
import { CONTROLLER_PROGRAM_USER, controllerUser } from '../auth/controller-users.ts';
import type { Writer } from '../replicas/shard-objects.ts';
import { CONTROLLER_MANAGER } from '../protocol/shard-protocol.ts';

/** What has the service account of that name. */
export function controllerAccount(name: string): Writer {
  return { manager: CONTROLLER_MANAGER, user: controllerUser(name) };
}

/** What has none. */
export const CONTROLLER_PROGRAM: Writer = {
  manager: CONTROLLER_MANAGER,
  user: CONTROLLER_PROGRAM_USER,
};
