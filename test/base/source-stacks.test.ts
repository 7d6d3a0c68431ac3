/** Stacks of the program name the sources of its bundles. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import t from 'tap';

const STACKS = resolve(import.meta.dirname, '../../src/base/source-stacks.ts');

/** Runs a bundle of this program in a process of its own; gives what it prints. */
async function output(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-stacks-'));
  try {
    const source = join(folder, 'own-source.ts');
    const bundle = join(folder, 'bundle.mjs');
    const imports = `import { nameSourcesInStacks } from ${JSON.stringify(STACKS)};\n`;
    writeFileSync(source, imports + program);
    await build({
      entryPoints: [source],
      outfile: bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
      sourcemap: 'linked',
    });
    return execFileSync(process.execPath, [bundle], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

t.test('a stack names the sources of a bundle', async (t) => {
  const text = await output(
    'nameSourcesInStacks();\n' +
      "function broken(): never { throw new RangeError('too far'); }\n" +
      'try { broken(); } catch (error) { console.log((error as Error).stack); }\n',
  );
  const [first, second, third] = text.split('\n');
  t.equal(first, 'RangeError: too far');
  t.match(second ?? '', /^ {4}at broken \(\/.*\/own-source\.ts:3:34\)$/);
  t.match(third ?? '', /^ {4}at (file:\/\/)?\/.*\/own-source\.ts:4:7$/);
});

t.test('a stack keeps the place of a call whose file has no map', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-stacks-'));
  const plain = join(folder, 'plain.mjs');
  writeFileSync(plain, "export const error = new Error('plain');\n");
  try {
    const text = await output(
      'nameSourcesInStacks();\n' +
        `const plain: string = ${JSON.stringify(pathToFileURL(plain).href)};\n` +
        'const { error } = await import(plain);\n' +
        'console.log(error.stack);\n',
    );
    t.match(text, /^Error: plain\n {4}at file:\/\/\/.*\/plain\.mjs:1:22\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
