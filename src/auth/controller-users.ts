/** The users as whom controllers write: they have the names of those of the reference. */
import { ownNamespace } from '../semantics/dialect/own-names.ts';
import { userText } from '../semantics/user.ts';
import { accountGroups, accountUserName, knownUser } from './authentication/users.ts';

const NAMESPACE = ownNamespace('cluster-system');

/** The user with the service account of that name, as a text. */
export function controllerUser(account: string): string {
  return textOf(accountUserName(NAMESPACE, account), accountGroups(NAMESPACE));
}

/** The user of controllers that have no account: the program that they are part of. */
export const CONTROLLER_PROGRAM_USER = textOf('system:kube-controller-manager', []);

function textOf(name: string, groups: readonly string[]): string {
  return userText(knownUser({ name, uid: '', groups }));
}
