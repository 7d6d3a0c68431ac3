/** Finds the manager that owns what a write changes (src/semantics/fields/README.md#managers). */

const BYTES_MAX = 128;
/** Most agents: what they are called is taken as it is. */
const PLAIN = /^[ -~]{1,128}$/;
const PRINTABLE = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/**
 * The name of the field manager: `asked` of the query, already checked, else what the User-Agent
 * says before its first `/`, as far as that can be shown and is no longer than names may be.
 */
export function fieldManagerOf(asked: string, userAgent: string): string {
  if (asked !== '') return asked;
  const end = userAgent.indexOf('/');
  const agent = end === -1 ? userAgent : userAgent.slice(0, end);
  if (PLAIN.test(agent)) return agent;
  let name = '';
  let bytes = 0;
  for (const character of agent) {
    if (!PRINTABLE.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > BYTES_MAX) break;
    name += character;
  }
  return name === '' ? 'unknown' : name;
}
