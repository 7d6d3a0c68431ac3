/**
 * Rules of folders: those beside each other import in one direction, and each has a map of its
 * files and not too many of them.
 */
import { findCircle, type Graph } from './import-circles.ts';
import { importsOf, type SourceFile } from './source-imports.ts';

const FOLDER_FILES_MAX = 26;

/** Folders of one folder that import each other in a circle, types included: each circle once. */
export function findFolderCircles(files: readonly SourceFile[]): string[] {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const file of files) {
    if (!file.path.startsWith('src/')) continue;
    for (const { target, isLocal } of importsOf(file)) {
      const pair = isLocal ? siblings(file.path, target) : undefined;
      if (pair === undefined) continue;
      const graph = getOrAdd(graphs, pair.parent, () => new Map<string, Set<string>>());
      getOrAdd(graph, pair.from, () => new Set<string>()).add(pair.to);
    }
  }
  return [...graphs.values()].flatMap((graph) => circlesOf(graph));
}

function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const plain: Graph = new Map(Array.from(graph, ([from, targets]) => [from, [...targets]]));
  const circle = [...plain.keys()]
    .map((from) => findCircle(from, plain))
    .find((one) => one.length > 0);
  if (circle === undefined) return [];
  return [`folders import each other in a circle: ${[...circle, circle[0]].join(' → ')}`];
}

/** The two folders below the deepest one that both files are in; undefined where one has none. */
function siblings(
  from: string,
  to: string,
): { parent: string; from: string; to: string } | undefined {
  const ours = from.split('/').slice(0, -1);
  const theirs = to.split('/').slice(0, -1);
  let depth = 0;
  while (depth < ours.length && ours[depth] === theirs[depth]) depth++;
  if (depth >= ours.length || depth >= theirs.length) return undefined;
  return {
    parent: ours.slice(0, depth).join('/'),
    from: ours.slice(0, depth + 1).join('/'),
    to: theirs.slice(0, depth + 1).join('/'),
  };
}

/** Folders of src with too many files directly in them. */
export function findCrowded(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (!path.startsWith('src/') || !path.endsWith('.ts')) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(([folder, count]) => `${folder}: ${count} files are over ${FOLDER_FILES_MAX}`);
}

/**
 * Finds gaps in the map of a folder: each file that its README does not name in its first table,
 * and each name there that is no file. `documents` are the READMEs by path.
 */
export function findUnmapped(
  paths: readonly string[],
  documents: ReadonlyMap<string, string>,
): string[] {
  const problems: string[] = [];
  for (const folder of new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))) {
    const text = documents.get(`${folder}/README.md`);
    const named = text === undefined ? [] : namesOfFirstTable(text);
    const files = paths
      .filter(
        (path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'),
      )
      .map((path) => path.slice(folder.length + 1));
    for (const file of files) {
      if (!named.includes(file))
        problems.push(`${folder}/README.md: its map does not name ${file}`);
    }
    for (const name of named) {
      if (name.endsWith('.ts') && !files.includes(name)) {
        problems.push(`${folder}/README.md: its map names ${name}, which is not there`);
      }
    }
  }
  return problems;
}

/** The names in the first cell of each row, without their marks. */
function namesOfFirstTable(text: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  if (start < 0) return [];
  const names: string[] = [];
  for (let at = start; lines[at]?.startsWith('|') === true; at++) {
    const cell = lines[at]?.split('|')[1] ?? '';
    for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g)) names.push(name);
  }
  return names;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
