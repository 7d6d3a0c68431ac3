/**
 * Static bearer tokens (README.md#static-tokens): the admin's, and those of `--token-auth-file`.
 */
import { createHash } from 'node:crypto';
import type { User } from '../semantics/user.ts';

/** A token file that cannot be used; `message` says which line and what to do. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

const BEARER = /^bearer +(\S+)$/i;

export class TokenAuthenticator {
  readonly #users = new Map<string, User>();
  /** The last header seen and its user: clients repeat theirs. */
  #lastHeader = '';
  #lastUser: User | undefined;

  add(token: string, { name, uid, groups }: User): void {
    // Whoever is known is of this group too (README.md#static-tokens).
    const all = [...new Set([...groups, 'system:authenticated'])];
    this.#users.set(digest(token), { name, uid, groups: all });
  }

  /** The user of an `Authorization` header, or undefined. */
  authenticate(header: string): User | undefined {
    if (header === this.#lastHeader) return this.#lastUser;
    const token = BEARER.exec(header)?.[1];
    const user = token === undefined ? undefined : this.#users.get(digest(token));
    this.#lastHeader = header;
    this.#lastUser = user;
    return user;
  }
}

/** Looked up by digest, so that the time a look-up takes tells nothing about the tokens. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/**
 * Reads `token,user,uid[,"group1,group2"]` lines; throws `TokenFileError` for a line with fewer
 * than three columns. Later duplicates win; lines with an empty token are skipped.
 */
export function parseTokenFile(text: string): ReadonlyMap<string, User> {
  const users = new Map<string, User>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const columns = splitCsv(line);
    const [token = '', name = '', uid = '', groups = ''] = columns;
    if (columns.length < 3) {
      throw new TokenFileError(
        `line ${index + 1} of the token file has ${columns.length} columns: ` +
          'each needs token,user,uid and may have "group1,group2"',
      );
    }
    if (token === '') return;
    const groupList = groups.split(',').filter((group) => group !== '');
    users.set(token, { name, uid, groups: groupList });
  });
  return users;
}

function splitCsv(line: string): string[] {
  const columns: string[] = [];
  for (const [, quoted, plain = ''] of line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)) {
    columns.push((quoted?.replaceAll('""', '"') ?? plain).trim());
  }
  // The pattern also matches the empty end of the line.
  if (columns.length > 1 && !line.endsWith(',')) columns.pop();
  return columns;
}
