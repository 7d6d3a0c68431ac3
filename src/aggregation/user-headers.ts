/** Headers that tell another server of the API who asks. */
import type { User } from '../semantics/user.ts';

type Header = readonly [name: string, value: string];

/** The characters of names of headers, but for the `%` that escapes all others. */
const NAME_CHARACTER = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;

/** `tellsUid` where the release tells uids. Values are text. */
export function userHeaders({ name, uid, groups, extra }: User, tellsUid: boolean): Header[] {
  const headers: Header[] = [['X-Remote-User', name]];
  if (tellsUid && uid !== '') headers.push(['X-Remote-Uid', uid]);
  for (const group of groups) headers.push(['X-Remote-Group', group]);
  for (const [key, values] of Object.entries(extra ?? {})) {
    for (const value of values) headers.push([`X-Remote-Extra-${escapedKey(key)}`, value]);
  }
  return headers;
}

/** Each byte that no name of a header can have, as `%2F`. */
function escapedKey(key: string): string {
  return Array.from(Buffer.from(key), (byte) => {
    const character = String.fromCharCode(byte);
    if (NAME_CHARACTER.test(character)) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
