import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readBuilt } from './base/built-files.ts';
import type { BuildOrigin } from './front/documents/version.ts';

const buildDir = dirname(fileURLToPath(import.meta.url));

/** The version of this program, as its package says. */
export function programVersion(): string {
  // Commands of an installed package are one folder deeper.
  const files = ['..', '../..'].map((above) => join(buildDir, above, 'package.json'));
  const file = files.find((name) => existsSync(name)) ?? '';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The version, and which sources this is built of and when: a line for people. */
export function versionText(): string {
  const { gitCommit, gitTreeState, buildDate } = readBuilt<BuildOrigin>(buildDir, 'origin.json');
  const sources = gitTreeState === 'archive' ? 'sources' : 'commit';
  const changes = gitTreeState === 'dirty' ? ' with changes' : '';
  return `shardplane ${programVersion()} (${sources} ${gitCommit}${changes}, built ${buildDate})`;
}
