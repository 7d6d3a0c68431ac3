/** Users that are node agents. */
import type { User } from '../../semantics/user.ts';

export const NODE_USER_PREFIX = 'system:node:';
export const NODES_GROUP = 'system:nodes';

/** The node that the user is; '' for a node without a name, undefined for who is none. */
export function nodeOf({ name, groups }: User): string | undefined {
  if (!name.startsWith(NODE_USER_PREFIX) || !groups.includes(NODES_GROUP)) return undefined;
  return name.slice(NODE_USER_PREFIX.length);
}
