/**
 * Headers by which a user asks to act as somebody else (../README.md#impersonation): whom they
 * mean, and which rights that takes.
 */
import { accountGroups, ANONYMOUS, knownUser } from '../../auth/authentication/users.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import type { User } from '../../semantics/user.ts';
import type { HeaderLine } from '../http.ts';
import { UnreadableRequest } from './unreadable-request.ts';

const AUTHENTICATION = ownGroup('authentication.cluster.io');
const USER = 'impersonate-user';
const EXTRA_PREFIX = 'impersonate-extra-';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** The identity that a request asks to act as; each part of it needs a right. */
export interface Impersonated {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
}

export interface Impersonation {
  /** In the order in which they are asked for. */
  readonly asked: readonly Impersonated[];
  readonly user: User;
}

/**
 * Undefined when nobody is meant. Throws UnreadableRequest where no user is, and StatusError 400
 * for a name that is empty unless all `isExact`: it may be what the HTTP library has left of one
 * (../README.md#https).
 */
export function impersonationIn(
  headers: readonly HeaderLine[],
  isExact = false,
): Impersonation | undefined {
  const named = new NamedUser(headers);
  const { userName = '', groups, extra, uid = '' } = named;
  const asked = [
    ...(userName === '' ? [] : [askedUser(userName)]),
    ...groups.map((name) => askedOf('', 'groups', name)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => askedOf(AUTHENTICATION, 'userextras', value, key)),
    ),
    ...(uid === '' ? [] : [askedOf(AUTHENTICATION, 'uids', uid)]),
  ];
  if (asked.length === 0) return checkNobody(named, isExact);
  if (userName === '') throw nobodyMeant(withoutUser(asked));
  const isExtra = Object.keys(extra).length > 0;
  const all = groups.length > 0 ? groups : ownGroups(userName);
  const user = { name: userName, uid, groups: all, ...(isExtra && { extra }) };
  return { asked, user: withAuthentication(user) };
}

/**
 * Throws StatusError 400 for a name that is empty unless all `isExact`: it may be what the HTTP
 * library has left of one.
 */
export function checkNobody(named: NamedUser, isExact: boolean): undefined {
  if (isExact || named.userName === undefined) return undefined;
  throw badRequest('Impersonate-User names nobody, or only with letters that this port drops');
}

/** The values of the headers; of a header that can be there once the first one counts. */
export class NamedUser {
  userName: string | undefined;
  uid: string | undefined;
  readonly groups: string[] = [];
  readonly extra: Record<string, string[]> = Object.create(null) as Record<string, string[]>;

  constructor(headers: readonly HeaderLine[]) {
    for (const { name, value } of headers) {
      if (name === USER) this.userName ??= value;
      else if (name === 'impersonate-uid') this.uid ??= value;
      else if (name === 'impersonate-group') this.groups.push(value);
      else if (name.startsWith(EXTRA_PREFIX)) this.#addExtra(name, value);
    }
  }

  #addExtra(header: string, value: string): void {
    (this.extra[unescaped(header.slice(EXTRA_PREFIX.length))] ??= []).push(value);
  }
}

/** Keys may have characters that names of headers cannot have. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function askedOf(group: string, resource: string, name: string, subresource = ''): Impersonated {
  const version = group === '' ? '' : 'v1';
  return { group, version, resource, subresource, name, namespace: '' };
}

function nobodyMeant(why: string): Error {
  return ownRelease().has('impersonationRefused') ? badRequest(why) : new UnreadableRequest(why);
}

/** The account that a user is; undefined for another one. */
export function accountOf(userName: string): { name: string; namespace: string } | undefined {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(userName) ?? [];
  return namespace === undefined || name === undefined ? undefined : { name, namespace };
}

function askedUser(userName: string): Impersonated {
  const account = accountOf(userName);
  if (account === undefined) return askedOf('', 'users', userName);
  return { ...askedOf('', 'serviceaccounts', ''), version: 'v1', ...account };
}

/** Those that nobody has to ask for: an account has its own. */
function ownGroups(userName: string): readonly string[] {
  const namespace = SERVICE_ACCOUNT.exec(userName)?.[1];
  return namespace === undefined ? [] : accountGroups(namespace);
}

/** Whether somebody is known says a group, which nobody has to ask for either. */
function withAuthentication(user: User): User {
  if (user.name !== ANONYMOUS.name) return knownUser(user);
  const missing = ANONYMOUS.groups.filter((group) => !user.groups.includes(group));
  return { ...user, groups: [...user.groups, ...missing] };
}

const KIND_OF: Readonly<Record<string, string>> = {
  groups: 'Group',
  userextras: 'UserExtra',
  uids: 'UID',
};

/** The references as the reference prints them in its own way. */
function withoutUser(asked: readonly Impersonated[]): string {
  const texts = asked.map(({ group, version, resource, name, subresource }) => {
    const apiVersion = group === '' ? '' : `${group}/${version}`;
    return `{${KIND_OF[resource] ?? ''}  ${name}  ${apiVersion}  ${subresource}}`;
  });
  return `requested [${texts.join(' ')}] without impersonating a user`;
}
