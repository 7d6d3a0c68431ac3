/**
 * Facts of accounts, and of the objects that their tokens are bound to. Each is answered at once
 * where it is known, and is never older than any change that a client was told of, but for pods:
 * their facts may be a second old.
 */
import type { ApiObject } from '../../resources/kind.ts';

export interface ObjectFacts {
  readonly uid: string;
  /** Since when it is being deleted, in milliseconds since 1970. */
  readonly deletedMs?: number;
}

export interface SecretFacts extends ObjectFacts {
  readonly type: string;
  /** Members that tokens need, in base64. */
  readonly data: Readonly<Record<string, string>>;
}

/** Undefined where there is no such object. */
type Found<T> = T | undefined | Promise<T | undefined>;

export interface AccountFacts {
  account(namespace: string, name: string): Found<ObjectFacts>;
  secret(namespace: string, name: string): Found<SecretFacts>;
  pod(namespace: string, name: string): Found<ObjectFacts>;
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
  return { ...objectFacts(secret), type: secret.type ?? '', data };
}
