import type { ObjectReply } from '../../protocol/shard-protocol.ts';

/** The header of an answer. Without warnings, as nearly always, it has no such member. */
export function objectReply(code: number, warnings: readonly string[] = []): ObjectReply {
  return warnings.length === 0 ? { code } : { code, warnings };
}
