import { importsOf, type SourceFile } from './source-imports.ts';

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Files that import themselves by way of others, types included: each circle once. */
export function findCircles(files: readonly SourceFile[]): string[] {
  const graph: Graph = new Map(files.map((file) => [file.path, localTargets(file)]));
  const reported = new Set<string>();
  return [...graph.keys()].flatMap((path) => {
    if (reported.has(path)) return [];
    const circle = findCircle(path, graph);
    for (const one of circle) reported.add(one);
    return circle.length === 0 ? [] : [`imports go in a circle: ${[...circle, path].join(' → ')}`];
  });
}

function localTargets(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ target, isLocal }) => (isLocal ? [target] : []));
}

/** The nodes of a shortest way from `start` back to it; none if there is no such way. */
export function findCircle(start: string, graph: Graph): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const target of graph.get(path) ?? []) {
      if (target === start) return wayTo(path, start, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      queue.push(target);
    }
  }
  return [];
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let at = end; at !== start;) {
    at = cameFrom.get(at) ?? start;
    way.unshift(at);
  }
  return way;
}
