/**
 * Preloaded by every process that the test runner starts: types are stripped from a source, and the
 * rest is compiled, once for all of them. A process of a unit test spends half of its time on that.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../.build/stripped', import.meta.url));

mkdirSync(FOLDER, { recursive: true });
// In the environment it is for the threads too that tests start.
process.env['NODE_COMPILE_CACHE'] = join(FOLDER, 'compiled');
enableCompileCache();
registerHooks({
  load(url, context, next) {
    const isOurs =
      url.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');
    if (!isOurs) return next(url, context);
    return { format: 'module', source: stripped(fileURLToPath(url)), shortCircuit: true };
  },
});

function stripped(file) {
  const text = readFileSync(file, 'utf8');
  const kept = join(FOLDER, `${createHash('sha256').update(text).digest('hex')}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const source = withoutWarning(() => stripTypeScriptTypes(text));
    const made = `${kept}.${randomUUID()}`;
    writeFileSync(made, source);
    // Others may be making the same.
    renameSync(made, kept);
    return source;
  }
}

/** Node calls its own way to run these sources experimental. */
function withoutWarning(work) {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
