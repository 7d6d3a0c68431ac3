/**
 * The text that is stored of an object, and how long it may be
 * (src/shard/README.md#stored-text).
 */
import { STORED_TEXT_LENGTH_MAX } from '../limits.ts';
import type { ApiObject } from '../resources/kind.ts';
import { serverFailure } from '../semantics/errors/status.ts';
import type { ProposalContext } from './proposal-context.ts';

/**
 * Encodes an object that is to be written. Text that is too long is tried again without
 * managedFields. Throws StatusError 500 when that is too long as well.
 */
export function storedText({ kind }: Pick<ProposalContext, 'kind'>, object: ApiObject): string {
  const { codec } = kind.stored;
  const text = codec.encode(object);
  if (text.length <= STORED_TEXT_LENGTH_MAX) return text;
  object.metadata.managedFields = undefined;
  const bare = codec.encode(object);
  if (bare.length <= STORED_TEXT_LENGTH_MAX) return bare;
  throw serverFailure('etcdserver: request is too large');
}
