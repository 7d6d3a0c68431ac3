/** The keys and tokens of a data folder, as far as they are what they should be. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isToken } from '../../src/auth/credentials.ts';
import { privateKeyOf } from '../../src/auth/private-key.ts';
import { isThere } from '../../src/auth/own-files.ts';
import { SHARED_FILES } from '../../src/data-folder.ts';

export interface FolderFiles {
  /** Those that can be used, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** A line for each of the others. */
  readonly damage: readonly string[];
}

const AUTHORITY = ['ca.crt', 'ca.key'];

const CHECKS: Readonly<Record<string, (text: string) => unknown>> = {
  'admin.token': (text) => {
    if (!isToken(text.trim())) throw new Error('it is no token');
  },
  'service-account.key': privateKeyOf,
  'ca.crt': (text) => new X509Certificate(text),
  'ca.key': privateKeyOf,
};

const CONSEQUENCES: Readonly<Record<string, string>> = {
  'admin.token': 'the administrator gets a new token',
  'service-account.key': 'tokens of service accounts that were given are valid no more',
  'ca.crt': 'clients must be given a new authority',
  'ca.key': 'clients must be given a new authority',
};

export function folderFiles(folder: string): FolderFiles {
  const files: Record<string, string> = {};
  const damage: string[] = [];
  for (const name of SHARED_FILES) {
    const file = join(folder, name);
    if (!isThere(file)) continue;
    try {
      const text = readFileSync(file, 'utf8');
      CHECKS[name]?.(text);
      files[name] = text;
    } catch (error) {
      damage.push(`${name}: ${(error as Error).message}; ${CONSEQUENCES[name]}`);
    }
  }
  if (damage.length === 0) checkPair(files, damage);
  // One is of no use without the other.
  if (AUTHORITY.some((name) => !(name in files))) for (const name of AUTHORITY) delete files[name];
  return { files, damage };
}

function checkPair(files: Readonly<Record<string, string>>, damage: string[]): void {
  const [certificate, key] = AUTHORITY.map((name) => files[name]);
  if (certificate === undefined || key === undefined) return;
  if (!new X509Certificate(certificate).checkPrivateKey(privateKeyOf(key))) {
    damage.push(`ca.key is not that of ca.crt; ${CONSEQUENCES['ca.key']}`);
  }
}
