/**
 * Writes of roles and bindings, which nobody may use to give more than they have
 * (src/auth/rbac/README.md#grants).
 */
import type { Answer } from '../actors/link.ts';
import { GrantUndecided } from '../auth/rbac/grant-check.ts';
import type { ApiObject } from '../resources/kind.ts';
import { later } from './converting.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest } from './shard-protocol.ts';

/**
 * Throws StatusError 400, 403, 404 or 500, and GrantUndecided. `sentName` is what the client gave.
 */
export function checkGrants(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  stored: ApiObject | undefined,
  sentName = object.metadata.name ?? '',
): void {
  if (request.subresource !== '') return;
  const { plural } = shard.kind.definition;
  shard.grants?.check(request, { plural, object, stored, sentName });
}

/** Handles a request again each time that what it needs to know of roles has become known. */
export function granting<Reply>(
  shard: Shard,
  answer: Answer<Reply>,
  handle: (answer: Answer<Reply>) => void,
): void {
  if (shard.grants === undefined) {
    handle(answer);
    return;
  }
  const again = ({ known }: GrantUndecided): void => {
    known.then(
      () => later(shard, told, () => handle(told)),
      (error: unknown) => answer.fail(error),
    );
  };
  const told: Answer<Reply> = {
    reply: (header, ...body) => answer.reply(header, ...body),
    fail: (error) => (error instanceof GrantUndecided ? again(error) : answer.fail(error)),
  };
  try {
    handle(told);
  } catch (error) {
    if (!(error instanceof GrantUndecided)) throw error;
    again(error);
  }
}
