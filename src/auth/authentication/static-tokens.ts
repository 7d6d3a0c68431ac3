/** Static bearer tokens (../README.md#static-tokens): the admin's, and those of a file. */
import { readOption } from '../../base/options/read-option.ts';
import type { User } from '../../semantics/user.ts';
import type { Authenticated } from '../authenticator.ts';
import { authenticator } from './authenticator-entry.ts';
import { tokenDigest } from './token-way.ts';
import type { ShownToken, TokenWay } from './token-way.ts';
import { forThisApi, knownUser } from './users.ts';

/** A token file that cannot be used; `message` says which line and what to do. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

/** Users by the digests of their tokens, the last of several: tokens themselves are not kept. */
export type StaticUsers = readonly (readonly [digest: string, user: User])[];

/** Who may everything, and whose token the first start makes. */
const ADMIN: User = { name: 'admin', uid: 'admin', groups: ['system:masters'] };

export const staticTokens = authenticator({
  flags: {
    'token-auth-file': {
      value: 'FILE',
      preset: '',
      help: 'more bearer tokens: lines of token,user,uid[,"group1,group2"]',
    },
  },
  read: ({ 'token-auth-file': file }) => ({ file }),
  load: ({ file }, { adminToken }): StaticUsers => {
    const users = file === '' ? [] : parseTokenFile(readOption(file, 'the token file'));
    return [...users, [tokenDigest(adminToken), ADMIN]];
  },
  make: (users, { tokens }) => ({ ofToken: new StaticTokens(users, tokens.apiAudiences) }),
});

export class StaticTokens implements TokenWay {
  readonly #apiAudiences: readonly string[];
  readonly #users: ReadonlyMap<string, Authenticated>;

  constructor(users: StaticUsers, apiAudiences: readonly string[]) {
    this.#apiAudiences = apiAudiences;
    const known = users.map(
      ([digest, user]) => [digest, { user: knownUser(user), audiences: apiAudiences }] as const,
    );
    this.#users = new Map(known);
  }

  authenticate({ digest }: ShownToken, audiences: readonly string[]): Authenticated | undefined {
    const known = this.#users.get(digest);
    if (known === undefined || audiences === this.#apiAudiences) return known;
    return forThisApi(known.user, this.#apiAudiences, audiences);
  }
}

/**
 * Reads `token,user,uid[,"group1,group2"]` lines; throws `TokenFileError` for a line with fewer
 * than three columns. Later duplicates win; lines with an empty token are skipped.
 */
export function parseTokenFile(text: string): StaticUsers {
  const users: (readonly [string, User])[] = [];
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
    users.push([tokenDigest(token), { name, uid, groups: groupList }]);
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
