/**
 * Acting as somebody else by rights of its own, which say whom and for what: the feature
 * `ConstrainedImpersonation` (../README.md#constrained-impersonation).
 */
import { RecentMap } from '../../base/recent-map.ts';
import { accessForbidden } from '../../auth/access-forbidden.ts';
import type { AccessAttributes, Authorizer, Decision } from '../../auth/authorizer.ts';
import { accountGroups, ANONYMOUS } from '../../auth/authentication/users.ts';
import { PRIVILEGED_GROUP } from '../../auth/fixed-authorizers.ts';
import { NODE_USER_PREFIX, NODES_GROUP } from '../../auth/node/node-user.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { badRequest, StatusError } from '../../semantics/errors/status.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import type { User } from '../../semantics/user.ts';
import { IMPERSONATORS_KEPT } from '../limits.ts';
import { countAttempt, countCheck } from '../metrics/impersonation-metrics.ts';
import { extraProblem } from './impersonated-extra.ts';
import { accountOf, type NamedUser } from './impersonation.ts';

const AUTHENTICATION = ownGroup('authentication.cluster.io');
const NODE_NAME = ownName('authentication.cluster.io/node-name');
const NODE_KEYS = ownName('authentication.cluster.io/associated-node-keys');
/** With so many checks of one sort the right to all is asked for first. */
const MANY = 4;

/** In the order in which they are tried. */
const MODES = [
  'associated-node',
  'arbitrary-node',
  'serviceaccount',
  'user-info',
  'legacy',
] as const;
export type ImpersonationMode = (typeof MODES)[number];

export interface ActedAs {
  readonly user: User;
  /** The verb that let it, for the audit log; '' for the one of old. */
  readonly constraint: string;
}

/** One attempt asks for the rights of one mode. */
interface Attempt {
  readonly mode: ImpersonationMode;
  readonly wanted: User;
  readonly asked: AccessAttributes;
  readonly authorizer: Authorizer;
}

type Part = Pick<AccessAttributes, 'resource'> & Partial<AccessAttributes>;

export class ConstrainedImpersonation {
  /** The mode that let a user act as somebody last is tried first. */
  readonly #lastModes = new RecentMap<string, ImpersonationMode>(IMPERSONATORS_KEPT);

  /** Rejects with StatusError 403: what the first mode lacks. */
  async find(wanted: User, asked: AccessAttributes, authorizer: Authorizer): Promise<ActedAs> {
    const startMs = performance.now();
    const { name } = asked.user;
    const last = this.#lastModes.get(name);
    const others = MODES.filter((mode) => mode !== last);
    let problem: StatusError | undefined;
    for (const mode of last === undefined ? others : [last, ...others]) {
      if (!isMeant(mode, wanted, asked.user)) continue;
      try {
        const user = await attempted({ mode, wanted, asked, authorizer });
        this.#lastModes.set(name, mode);
        countAttempt(mode, 'allowed', performance.now() - startMs);
        return { user, constraint: mode === 'legacy' ? '' : verbOf(mode) };
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        problem ??= error;
      }
    }
    countAttempt('', 'denied', performance.now() - startMs);
    throw problem ?? new Error('all modes of impersonation failed');
  }
}

/** Throws StatusError 400 where others are named but no user is; undefined where nobody is. */
export function wantedUser({
  userName = '',
  uid = '',
  groups,
  extra,
}: NamedUser): User | undefined {
  const keys = Object.keys(extra).toSorted();
  if (userName === '') {
    if (uid === '' && groups.length === 0 && keys.length === 0) return undefined;
    const extras = keys.map((key) => `${quoteText(key)}:${shownList(extra[key] ?? [])}`);
    const shown = keys.length === 0 ? '(nil)' : `{${extras.join(', ')}}`;
    throw badRequest(
      `requested &user.DefaultInfo{Name:"", UID:${quoteText(uid)}, Groups:${shownList(groups)}, ` +
        `Extra:map[string][]string${shown}} without impersonating a user name`,
    );
  }
  return { name: userName, uid, groups, ...(keys.length > 0 && { extra }) };
}

function shownList(values: readonly string[]): string {
  return values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quoteText).join(', ')}}`;
}

function isMeant(mode: ImpersonationMode, wanted: User, requestor: User): boolean {
  const { name, uid, groups, extra } = wanted;
  const isNameAlone = uid === '' && groups.length === 0 && extra === undefined;
  const node = nodeNamed(name);
  switch (mode) {
    case 'associated-node':
      return isNameAlone && node !== undefined && nodeOfAccount(requestor) === node;
    case 'arbitrary-node':
      return isNameAlone && node !== undefined;
    case 'serviceaccount':
      return isNameAlone && accountOf(name) !== undefined;
    case 'user-info':
      return node === undefined && accountOf(name) === undefined;
    case 'legacy':
      return true;
  }
}

/** The node on which the pod of an account runs. */
function nodeOfAccount({ name, extra = {} }: User): string | undefined {
  const [node, ...more] = extra[NODE_NAME] ?? [];
  return accountOf(name) === undefined || more.length > 0 ? undefined : node;
}

function nodeNamed(userName: string): string | undefined {
  if (!userName.startsWith(NODE_USER_PREFIX)) return undefined;
  const name = userName.slice(NODE_USER_PREFIX.length);
  return dnsSubdomain(name).length === 0 ? name : undefined;
}

function verbOf(mode: ImpersonationMode): string {
  return mode === 'legacy' ? 'impersonate' : `impersonate:${mode}`;
}

async function attempted(attempt: Attempt): Promise<User> {
  const { mode, wanted, asked } = attempt;
  const isLegacy = mode === 'legacy';
  if (!isLegacy) await check(attempt, { ...asked, verb: `impersonate-on:${mode}:${asked.verb}` });
  const named = partOfName(wanted, isLegacy);
  await check(attempt, part(attempt, named));
  if (wanted.uid !== '')
    await check(attempt, part(attempt, { resource: 'uids', name: wanted.uid }));
  await checkGroups(attempt);
  await checkExtra(attempt);
  return withOwnGroups(wanted, isLegacy);
}

function partOfName({ name }: User, isLegacy: boolean): Part {
  const group = isLegacy ? '' : AUTHENTICATION;
  const account = accountOf(name);
  if (account !== undefined) return { group, resource: 'serviceaccounts', ...account };
  const node = isLegacy ? undefined : nodeNamed(name);
  if (node !== undefined) return { group, resource: 'nodes', name: node };
  return { group, resource: 'users', name };
}

async function checkGroups(attempt: Attempt): Promise<void> {
  const { groups } = attempt.wanted;
  if (groups.length === 0) return;
  const isLegacy = attempt.mode === 'legacy';
  const of = (name: string): AccessAttributes =>
    part(attempt, { ...(isLegacy && { group: '' }), resource: 'groups', name });
  if (!isLegacy) {
    if (groups.includes('')) {
      throw accessForbidden(of(''), 'impersonating the empty string group is not allowed');
    }
    if (groups.includes(PRIVILEGED_GROUP)) {
      const why = `impersonating the ${PRIVILEGED_GROUP} group is not allowed`;
      throw accessForbidden(of(PRIVILEGED_GROUP), why);
    }
    if (groups.length >= MANY && (await isAllowed(attempt, of('*')))) return;
  }
  for (const group of groups) await check(attempt, of(group));
}

async function checkExtra(attempt: Attempt): Promise<void> {
  const { extra } = attempt.wanted;
  if (extra === undefined) return;
  const of = (subresource: string, name: string): AccessAttributes =>
    part(attempt, { resource: 'userextras', subresource, name });
  if (attempt.mode !== 'legacy') {
    const problem = extraProblem(extra);
    if (problem !== '') throw accessForbidden(of('', ''), problem);
    const values = Object.values(extra).flat();
    if (values.length >= MANY && (await isAllowed(attempt, of('*', '*')))) return;
  }
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) await check(attempt, of(key, value));
  }
}

/** A part of whom is asked for. */
function part({ mode, asked }: Attempt, more: Part): AccessAttributes {
  return {
    user: asked.user,
    verb: verbOf(mode),
    isResource: true,
    namespace: '',
    group: AUTHENTICATION,
    version: 'v1',
    subresource: '',
    name: '',
    path: '',
    ...more,
  };
}

/** Rejects with StatusError 403 where it is not allowed. */
async function check(attempt: Attempt, asked: AccessAttributes): Promise<void> {
  const seen = attempt.mode === 'associated-node' ? ofAnyNode(asked) : asked;
  const { verdict, reason, error } = await decided(attempt, seen);
  if (verdict === 'allow') return;
  throw accessForbidden(seen, [error, reason].filter(Boolean).join(': '));
}

async function isAllowed(attempt: Attempt, asked: AccessAttributes): Promise<boolean> {
  return (await decided(attempt, asked)).verdict === 'allow';
}

async function decided({ mode, authorizer }: Attempt, asked: AccessAttributes): Promise<Decision> {
  const startMs = performance.now();
  const decision = await authorizer.authorize(asked);
  const outcome = decision.verdict === 'allow' ? 'allowed' : 'denied';
  countCheck(mode, outcome, performance.now() - startMs);
  return decision;
}

/** The right is to be the node that one is on, whichever it is. */
function ofAnyNode(asked: AccessAttributes): AccessAttributes {
  const { user, verb, name } = asked;
  const extra = { [NODE_KEYS]: Object.keys(user.extra ?? {}).toSorted() };
  const isOfNode = verb === verbOf('associated-node');
  return { ...asked, user: { ...user, extra }, name: isOfNode ? '*' : name };
}

function withOwnGroups(wanted: User, isLegacy: boolean): User {
  const account = accountOf(wanted.name);
  let { groups } = wanted;
  if (!isLegacy && nodeNamed(wanted.name) !== undefined) groups = [NODES_GROUP];
  else if (account !== undefined && groups.length === 0) groups = accountGroups(account.namespace);
  const [nobody = ''] = ANONYMOUS.groups;
  if (wanted.name === ANONYMOUS.name) return { ...wanted, groups: withGroup(groups, nobody) };
  if (groups.includes(nobody)) return { ...wanted, groups };
  return { ...wanted, groups: withGroup(groups, 'system:authenticated') };
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}
