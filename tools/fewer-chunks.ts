/**
 * Lets what a start loads lie in few files. The bundler puts modules into one chunk that the same
 * entries reach, and each module that is imported late is an entry: what all threads load at their
 * start would be spread over ninety files, each of which costs a thread half a millisecond.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions, Metafile, OnLoadResult, Plugin } from 'esbuild';

/** A thread loads these at its start, each after the one that is named beside it. */
const STAGES: Readonly<Record<string, string | undefined>> = {
  'src/run.ts': undefined,
  'src/server.ts': 'src/run.ts',
  'src/worker.ts': undefined,
  'src/cluster/run-actor.ts': 'src/worker.ts',
  'src/cluster/run-front.ts': 'src/worker.ts',
};

/** Where modules that are imported late are mostly wanted; in the main thread only now and then. */
const WORKERS = ['src/cluster/run-actor.ts', 'src/cluster/run-front.ts'];

/** These may import something late before the dialect is known. */
const ENTRIES = ['src/main.ts', 'src/envtest.ts', 'src/run.ts', 'src/worker.ts'];

const NAMESPACE = 'late';

type Inputs = Metafile['inputs'];

/**
 * A plugin for a build with these options: a module that is imported late also imports all that is
 * loaded by then anyway, so that this is reached from all of its entries, and lies in one chunk.
 */
export async function fewerChunks(
  options: BuildOptions & { absWorkingDir: string },
): Promise<Plugin> {
  const root = options.absWorkingDir;
  const graph = { ...options, packages: 'external', sourcemap: false, write: false } as const;
  const { inputs } = (await build({ ...graph, metafile: true })).metafile;
  const before = loadedBefore(inputs);
  return {
    name: 'fewer-chunks',
    setup: ({ onEnd, onLoad, onResolve }) => {
      onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: resolve(resolveDir, path), namespace: NAMESPACE }
          : undefined,
      );
      onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }): OnLoadResult => {
        const loaded = before(relative(root, path));
        const imports = loaded.map((file) => `import ${JSON.stringify(resolve(root, file))};`);
        const itself = `export * from ${JSON.stringify(path)};`;
        return { contents: [...imports, itself].join('\n'), resolveDir: root };
      });
      onEnd(({ metafile }) => {
        for (const [file, { entryPoint }] of Object.entries(metafile?.outputs ?? {})) {
          if (entryPoint?.startsWith(`${NAMESPACE}:`) === true) onlyNamed(resolve(root, file));
        }
      });
    },
  };
}

/** Takes out the imports that were added, of which it uses nothing: each would be looked up. */
function onlyNamed(file: string): void {
  // The rest stays where the source map has it.
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replaceAll(/(?<=^|;)import"[^"]+";/gm, (found) => ' '.repeat(found.length)),
  );
}

/** Finds the modules that have always been loaded when another one is imported late. */
function loadedBefore(inputs: Inputs): (late: string) => readonly string[] {
  const isStage = (file: string): boolean => Object.hasOwn(STAGES, file);
  const loaded = new Map<string, ReadonlySet<string>>();
  const reached = new Map<string, ReadonlySet<string>>();
  for (const [stage, earlier] of Object.entries(STAGES)) {
    if (inputs[stage] === undefined) throw new Error(`the build has no ${stage}`);
    const own = closure(inputs, stage, ({ kind }) => kind !== 'dynamic-import');
    loaded.set(stage, new Set([...own, ...((earlier && loaded.get(earlier)) || [])]));
    reached.set(
      stage,
      closure(inputs, stage, ({ path }) => !isStage(path)),
    );
  }
  const early = new Set(
    ENTRIES.flatMap((file) => (inputs[file]?.imports ?? []).map(({ path }) => path)),
  );
  return (late) => {
    if (isStage(late)) return [...(loaded.get(STAGES[late] ?? '') ?? [])].toSorted();
    const all = Object.keys(STAGES).filter((stage) => reached.get(stage)?.has(late));
    const workers = all.filter((stage) => WORKERS.includes(stage));
    const from = early.has(late) || workers.length === 0 ? all : workers;
    const [first, ...others] = from.map((stage) => loaded.get(stage) ?? new Set<string>());
    return [...(first ?? [])].filter((file) => others.every((set) => set.has(file))).toSorted();
  };
}

type Import = Inputs[string]['imports'][number];

/** All modules that one imports, and itself. */
function closure(inputs: Inputs, start: string, follows: (it: Import) => boolean): Set<string> {
  const found = new Set([start]);
  for (const file of found) {
    for (const one of inputs[file]?.imports ?? []) {
      if (one.external !== true && follows(one)) found.add(one.path);
    }
  }
  return found;
}
