import { utcSeconds } from '../base/time/utc-time.ts';
import type { ChangeRequest } from '../protocol/shard-protocol.ts';
import type { Writer } from '../semantics/fields/track-update.ts';
import type { ProposalContext } from './proposal-context.ts';

/** Whom a request makes the owner of the fields that it changes. */
export function writerOf(
  { kind, nowMs }: Pick<ProposalContext, 'kind' | 'nowMs'>,
  { manager, version, subresource }: Pick<ChangeRequest, 'manager' | 'version' | 'subresource'>,
): Writer {
  return {
    manager,
    apiVersion: kind.version(version).groupVersion,
    subresource,
    time: utcSeconds(nowMs()),
  };
}
