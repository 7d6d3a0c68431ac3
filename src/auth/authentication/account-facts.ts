/**
 * Facts of accounts, and of the objects that their tokens are bound to. Each is answered at once
 * where it is known, and is never older than any change that a client was told of, but for pods
 * and nodes: their facts may be a second old.
 */
import type { ApiObject } from '../../resources/kind.ts';
import { INVALID_SINCE, LAST_USED } from '../../resources/core/secret.ts';

export interface ObjectFacts {
  readonly uid: string;
  /** Since when it is being deleted, in milliseconds since 1970. */
  readonly deletedMs?: number;
}

export interface SecretFacts extends ObjectFacts {
  readonly type: string;
  /** Since which day its token does not count any more, and when it was used last: `2024-01-31`. */
  readonly invalidSince?: string;
  readonly lastUsed?: string;
  /** Members that tokens need, in base64. */
  readonly data: Readonly<Record<string, string>>;
}

export interface OwnerFacts extends ObjectFacts {
  /** The names of the Secrets that it refers to. */
  readonly secrets?: readonly string[];
}

/** Undefined where there is no such object. */
type Found<T> = T | undefined | Promise<T | undefined>;

export interface AccountFacts {
  account(namespace: string, name: string): Found<OwnerFacts>;
  secret(namespace: string, name: string): Found<SecretFacts>;
  pod(namespace: string, name: string): Found<ObjectFacts>;
  node(name: string): Found<ObjectFacts>;
  /** Writes down at a Secret on which day its token was used. */
  noteUsed(namespace: string, name: string, day: string): Promise<void>;
}

/** The facts of an object. */
export function objectFacts({ metadata }: Pick<ApiObject, 'metadata'>): ObjectFacts {
  const { uid = '', deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) return { uid };
  return { uid, deletedMs: Date.parse(deletionTimestamp) };
}

/** Members of Secrets that say of tokens whether they count; no others are kept. */
const TOKEN_MEMBERS: readonly string[] = [
  'token',
  'token-id',
  'token-secret',
  'expiration',
  'usage-bootstrap-authentication',
  'auth-extra-groups',
];

/** The facts of a Secret. */
export function secretFacts(
  secret: Pick<ApiObject, 'metadata'> & {
    readonly type?: string;
    readonly data?: SecretFacts['data'] | null;
  },
): SecretFacts {
  const members = Object.entries(secret.data ?? {});
  const data = Object.fromEntries(members.filter(([name]) => TOKEN_MEMBERS.includes(name)));
  const { [INVALID_SINCE]: invalidSince, [LAST_USED]: lastUsed } = secret.metadata.labels ?? {};
  return {
    ...objectFacts(secret),
    type: secret.type ?? '',
    ...(invalidSince !== undefined && { invalidSince }),
    ...(lastUsed !== undefined && { lastUsed }),
    data,
  };
}
