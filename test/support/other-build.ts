/** Builds of the server as they may be one day: of another version, with another format in etcd. */
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const OWN = join(ROOT, '.build');
/** As it stands in what is built of `src/join-cluster.ts`. */
const FORMAT = /\bformat:\s*CLUSTER_FORMAT\b/;

/** Gives the main file of a build that is the present one but for these; it goes with the test. */
export function otherBuild(version: string, format: number): string {
  const root = temporaryFolder();
  const folder = join(root, '.build');
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version, type: 'module' }));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(folder);
  let changed = 0;
  for (const entry of readdirSync(OWN, { withFileTypes: true })) {
    const [from, to] = [join(OWN, entry.name), join(folder, entry.name)];
    const text = entry.name.endsWith('.js') ? readFileSync(from, 'utf8') : '';
    if (FORMAT.test(text)) {
      writeFileSync(to, text.replace(FORMAT, `format:${format}`));
      changed += 1;
    } else if (entry.isDirectory()) cpSync(from, to, { recursive: true });
    else linkOrCopy(from, to);
  }
  if (changed !== 1) throw new Error(`the format stands in ${changed} built files`);
  return join(folder, 'main.js');
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another file system.
    rmSync(to, { force: true });
    cpSync(from, to);
  }
}
