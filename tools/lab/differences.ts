/** Compares an answer of a recording with that of a replay, but for what is new in each run. */
import { isDeepStrictEqual } from 'node:util';
import { isDocument } from './renamed.ts';

/** Members that say when something was, or in which order. */
const NEW_EACH_TIME: ReadonlySet<string> = new Set([
  'resourceVersion',
  'remainingItemCount',
  'uid',
  'continue',
]);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** What differs, the path and both values in a line each; none where they are the same. */
export function differences(recorded: unknown, got: unknown, path = ''): readonly string[] {
  const [left, right] = [settled(recorded), settled(got)];
  if (isDeepStrictEqual(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) return ofLists(left, right, path);
  if (!isDocument(left) || !isDocument(right)) return [told(path, left, right)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return names.flatMap((name) => {
    if (NEW_EACH_TIME.has(name)) return [];
    return differences(left[name], right[name], path === '' ? name : `${path}.${name}`);
  });
}

/** Objects are found by their names. */
function ofLists(left: unknown[], right: unknown[], path: string): readonly string[] {
  const named = (list: unknown[]): Map<string, unknown> =>
    new Map(list.map((item, at) => [nameIn(item) ?? String(at), item]));
  const [before, after] = [named(left), named(right)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) =>
    differences(before.get(name), after.get(name), `${path}[${name}]`),
  );
}

function nameIn(item: unknown): string | undefined {
  if (!isDocument(item) || !isDocument(item['metadata'])) return undefined;
  const { namespace = '', name } = item['metadata'];
  if (typeof name !== 'string') return undefined;
  return typeof namespace === 'string' ? `${namespace}/${name}` : name;
}

function settled(value: unknown): unknown {
  return typeof value === 'string' && TIME.test(value) ? 'a time' : value;
}

function told(path: string, left: unknown, right: unknown): string {
  return `${path || 'the answer'}: ${shown(left)}, now ${shown(right)}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200);
}
