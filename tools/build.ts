/**
 * Makes in `.build/` what the server runs from: its bundles, and what is derived of `proto/`.
 * `tools/set-up.mjs` runs it when one of its inputs has changed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { loadDescriptions } from '../src/codec/model/proto-descriptions.ts';
import { ETCD_MESSAGES_FILE, modelFile } from '../src/base/built-files.ts';
import { releaseModel } from '../src/codec/model/release-model.ts';
import { NEWEST_MINOR, OLDEST_MINOR } from '../src/release/release.ts';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { K8S, NEUTRAL } from '../src/semantics/dialect/dialect.ts';
import { buildOrigin } from './build-origin.ts';
import { BUNDLE_OPTIONS, requiredPackages } from './bundle-options.ts';
import { buildPage } from './build-page.ts';
import { fewerChunks } from './fewer-chunks.ts';
import { messageTypes } from './message-types.ts';
import { readDocumentMessages, readEtcdMessages, readProtoFolder } from './read-proto.ts';

const root = resolve(import.meta.dirname, '..');
const output = join(root, '.build');
const entryPoints = {
  main: join(root, 'src/main.ts'),
  worker: join(root, 'src/worker.ts'),
  envtest: join(root, 'src/envtest.ts'),
  validators: join(output, 'validators.mjs'),
};

mkdirSync(output, { recursive: true });
removeMade(/^(openapi-.*\.pack|schema.*\.json)$/);
writeSchema();
run('build-validators.ts', join(output, 'validators.mjs'));
for (const { domain } of [NEUTRAL, K8S]) run('build-openapi.ts', output, domain);
writeWhole(join(output, 'origin.json'), JSON.stringify(buildOrigin(root, new Date())));
// Node looks for it beside each file that it loads, and does not remember that it is missing.
writeWhole(join(output, 'package.json'), JSON.stringify({ type: 'module' }));
const bundling = bundleOptions();
const bundles = await build({
  ...bundling,
  plugins: [requiredPackages(), await fewerChunks(bundling)],
});
await buildPage(root, output);
refuseWideTexts(Object.keys(bundles.metafile?.outputs ?? {}));
removeOtherBundles(Object.keys(bundles.metafile?.outputs ?? {}));

/** Also what servers have made there since the last build. */
function removeMade(names: RegExp): void {
  for (const name of readdirSync(output)) if (names.test(name)) rmSync(join(output, name));
}

function writeSchema(): void {
  const files = readProtoFolder(join(root, 'proto'));
  const model = loadSchemaModel(files);
  for (let minor = OLDEST_MINOR; minor <= NEWEST_MINOR; minor++) {
    writeWhole(join(output, modelFile(minor)), JSON.stringify(releaseModel(model, minor)));
  }
  // The code imports these as `#messages/core.v1`; only type checks read them.
  const folder = join(output, 'messages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of messageTypes(model, '../..')) writeWhole(join(folder, name), text);
  // Apart, since every thread reads the schema.
  writeWhole(join(output, 'descriptions.json'), JSON.stringify(loadDescriptions(files)));
  const messages = readDocumentMessages(join(root, 'proto'));
  writeWhole(join(output, 'openapi-messages.json'), JSON.stringify(messages));
  const etcdMessages = readEtcdMessages(join(root, 'proto'));
  writeWhole(join(output, ETCD_MESSAGES_FILE), JSON.stringify(etcdMessages));
}

/** In a process of its own, which chooses the names that it gives to things. */
function run(tool: string, ...args: string[]): void {
  const file = join(root, 'tools', tool);
  const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`tools/${tool} failed`);
}

function bundleOptions(): BuildOptions & { absWorkingDir: string } {
  return { ...BUNDLE_OPTIONS, entryPoints, outdir: output, absWorkingDir: root };
}

/** One character beyond Latin-1 makes every thread keep the whole text in twice the memory. */
function refuseWideTexts(outputs: readonly string[]): void {
  for (const file of outputs.filter((name) => name.endsWith('.js'))) {
    const wide = /.{0,30}[^\0-\xff].{0,30}/.exec(readFileSync(join(root, file), 'utf8'));
    if (wide !== null) throw new Error(`${file} has to escape a character: ${wide[0]}`);
  }
}

/** The names of chunks carry a hash of their content: those of earlier builds would pile up. */
function removeOtherBundles(outputs: readonly string[]): void {
  const names = new Set(outputs.map((file) => basename(file)));
  for (const name of readdirSync(output)) {
    if (/\.js(\.map)?$/.test(name) && !names.has(name)) rmSync(join(output, name));
  }
  // The runtime has compiled the old ones (src/actors/compiled-code.ts).
  rmSync(join(output, 'compiled'), { recursive: true, force: true });
}

/** A reader sees the old file or the new one, never a part. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
