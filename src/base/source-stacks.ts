/**
 * Has the stacks of errors name the sources, not the bundles. The runtime can do it too
 * (`--enable-source-maps`), but then each thread reads every map, and looks at each character of
 * the program, at its start; here a map is read when a stack first needs it.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By the URL of the bundle; undefined where it has no map. */
const maps = new Map<string, SourceMap | undefined>();

/** Called in each thread before it does anything that may fail. */
export function nameSourcesInStacks(): void {
  Error.prepareStackTrace = (error, calls) => {
    const lines = calls.map((call) => `\n    at ${callText(call)}`);
    return Error.prototype.toString.call(error) + lines.join('');
  };
}

function callText(call: NodeJS.CallSite & { toString(): string }): string {
  const text = call.toString();
  const bundle = call.getFileName();
  const line = call.getLineNumber();
  const column = call.getColumnNumber();
  if (bundle?.startsWith('file:') !== true || line === null || column === null) return text;
  const found = mapOf(bundle)?.findEntry(line - 1, column - 1);
  if (found === undefined || !('originalSource' in found)) return text;
  const { originalSource, originalLine, originalColumn } = found;
  const file = fileURLToPath(new URL(originalSource, bundle));
  const source = `${file}:${originalLine + 1}:${originalColumn + 1}`;
  return text.replace(`${bundle}:${line}:${column}`, () => source);
}

function mapOf(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) maps.set(bundle, readMap(bundle));
  return maps.get(bundle);
}

function readMap(bundle: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${bundle}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
