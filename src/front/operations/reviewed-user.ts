/** A user as reviews show it. */
import type { RawJson } from '../../codec/json/raw-json.ts';
import { keptExtra, type User } from '../../semantics/user.ts';

/** The message `authentication.v1.UserInfo`. */
export interface ReviewedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, RawJson>>;
}

export function reviewedUser({ name, uid, groups, extra }: User): ReviewedUser {
  if (extra === undefined) return { username: name, uid, groups };
  return { username: name, uid, groups, extra: keptExtra(extra) };
}
