/**
 * Writes the documents of OpenAPI of what the default release serves by default, in the names of a
 * dialect, beside what else the build has made.
 * Usage: node tools/build-openapi.ts <build folder> <domain>
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { documentsFile } from '../src/base/built-files.ts';
import { DEFAULT_RELEASE } from '../src/release/release.ts';
import { K8S, NEUTRAL } from '../src/semantics/dialect/dialect.ts';
import { chooseDialect } from '../src/semantics/dialect/own-names.ts';

const [folder, asked] = process.argv.slice(2);
const domain = [NEUTRAL.domain, K8S.domain].find((known) => known === asked);
if (folder === undefined || domain === undefined) {
  throw new Error('usage: node tools/build-openapi.ts <build folder> <domain>');
}

chooseDialect(domain);
const { DEFAULT_GATES } = await import('../src/release/own-gates.ts');
const { describeApi } = await import('../src/cluster/describe-api.ts');
const buildDir = resolve(folder);
const target = join(buildDir, documentsFile(domain, DEFAULT_RELEASE.minor));
// A reader sees the old file or the new one, never a part.
writeFileSync(
  `${target}.new`,
  describeApi({ buildDir, runtimeConfig: '', featureGates: DEFAULT_GATES }),
);
renameSync(`${target}.new`, target);
