/** As whom controllers write: under the names of those of the reference (README.md#accounts). */
import { accountGroups, accountUserName, knownUser } from '../auth/authentication/users.ts';
import type { Writer } from '../replicas/shard-objects.ts';
import { ownNamespace } from '../semantics/dialect/own-names.ts';
import { userText } from '../semantics/user.ts';
import { CONTROLLER_MANAGER } from '../shard/shard-protocol.ts';

const NAMESPACE = ownNamespace('cluster-system');

/** What has the service account of that name. */
export function controllerAccount(name: string): Writer {
  return writerOf(accountUserName(NAMESPACE, name), accountGroups(NAMESPACE));
}

/** What has none: the program that controllers are part of. */
export const CONTROLLER_PROGRAM = writerOf('system:kube-controller-manager', []);

function writerOf(name: string, groups: readonly string[]): Writer {
  const user = knownUser({ name, uid: '', groups });
  return { manager: CONTROLLER_MANAGER, user: userText(user) };
}
