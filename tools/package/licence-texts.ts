/** The licences of packages whose code is in the bundles: their texts go along with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * The names, versions and licences of the packages that have one of these files, paths from `root`.
 * Throws where a package says nothing of its licence.
 */
export function licenceTexts(root: string, files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  // The maps of some packages name files of where they were built.
  const packages = [...folders].filter((one) => existsSync(join(root, one, 'package.json')));
  return packages
    .sort()
    .map((folder) => licenceText(join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** `node_modules/@a/b` of a file of that package; undefined for other files. */
function packageFolder(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function licenceText(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const { name, version, license } = manifest;
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file) && existsSync(join(folder, file)))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (license === undefined && texts.length === 0) throw new Error(`${name} tells no licence`);
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n').concat('\n');
}
