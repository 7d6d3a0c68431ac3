/**
 * What `npm pack` does first: makes in `.build/commands/` what the package has beside the server.
 * Those are the commands of the launcher as JavaScript, since Node runs no TypeScript of installed
 * packages, and the test API with its types.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildOrigin } from '../build-origin.ts';
import { BUNDLE_OPTIONS, requiredPackages } from '../bundle-options.ts';
import { licenceTexts } from './licence-texts.ts';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, '.build/commands');
const API = 'tools/package/start-server.ts';
/** What a program of the package starts as a process of its own. */
const PROCESSES = {
  'load-process': 'bench/load-process.ts',
  'owned-server': 'tools/package/owned-server.ts',
};

interface Launcher {
  readonly COMMANDS: Readonly<
    Record<string, { readonly complete: boolean; readonly program: string }>
  >;
}

// It is no TypeScript: it also runs on a Node that reads none.
const launcher = new URL('../launcher.mjs', import.meta.url);
const { COMMANDS } = (await import(launcher.href)) as Launcher;
const programs = Object.entries(COMMANDS)
  .filter(([name, { complete }]) => !complete && !name.includes(':') && name !== 'start')
  .map(([name, { program }]) => [name, program] as const);

rmSync(output, { recursive: true, force: true });
const { metafile } = await build({
  ...BUNDLE_OPTIONS,
  entryPoints: Object.fromEntries(
    [...programs, ...Object.entries(PROCESSES), ['start-server', API]].map(([name, file]) => [
      name,
      join(root, file ?? ''),
    ]),
  ),
  outdir: output,
  absWorkingDir: root,
  sourcemap: false,
  plugins: [requiredPackages(), asInstalled()],
});
writeFileSync(join(output, 'names.json'), JSON.stringify(programs.map(([name]) => name)));
writeFileSync(join(output, 'package.json'), JSON.stringify({ type: 'module' }));
writeFileSync(
  join(root, '.build/licences.txt'),
  licenceTexts(root, [...Object.keys(metafile.inputs), ...bundledInServer()]),
);
// The build knows the commit of the time when a source last changed.
const origin = join(root, '.build/origin.json');
writeFileSync(`${origin}.new`, JSON.stringify(buildOrigin(root, new Date())));
// Servers that are being started read it.
renameSync(`${origin}.new`, origin);
declareTypes();

/**
 * Programs find files by where their source stands: a bundle stands elsewhere. What they tell to
 * run are the commands of a checkout: here it is the program of the package.
 */
function asInstalled(): Plugin {
  return {
    name: 'as-installed',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const folder = relative(output, dirname(path));
        const contents = readFileSync(path, 'utf8')
          .replaceAll(
            /new URL\('([\w-]+)\.ts', import\.meta\.url\)/g,
            "new URL('$1.js', import.meta.url)",
          )
          .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`)
          .replaceAll(
            /new URL\('(\.\.\/[^']*)', import\.meta\.url\)/g,
            `new URL('${folder}/$1', import.meta.url)`,
          )
          .replaceAll(/npm run (?:--silent |-s )?([a-z-]+) --(?= )/g, 'npx shardplane $1')
          .replaceAll(/npm run (?:--silent |-s )?([a-z-]+)(?![a-z:-])/g, 'npx shardplane $1')
          .replaceAll('npm start --', 'npx shardplane');
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** The files that are in the bundles of the server and its page, as their maps tell. */
function bundledInServer(): string[] {
  const folder = join(root, '.build');
  const names = readdirSync(folder).filter((name) => name.endsWith('.js.map'));
  return [...names, 'page/page.js.map'].flatMap((name) => {
    const file = join(folder, name);
    const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
    return map.sources.map((source) => relative(root, resolve(dirname(file), source)));
  });
}

/** Throws where the API has types that others cannot read. */
function declareTypes(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // What the API imports is in none of its types.
  const declared = join(root, '.build/declared');
  const args = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false'];
  args.push('--outDir', declared, '--rootDir', root);
  const project = { extends: '../tsconfig.json', include: [], files: [`../${API}`] };
  const config = join(root, '.build/types.json');
  writeFileSync(config, JSON.stringify(project));
  const { status } = spawnSync(process.execPath, [tsc, '--project', config, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${API}: its types could not be declared`);
  const types = API.replace(/ts$/, 'd.ts');
  copyFileSync(join(declared, types), join(output, basename(types)));
  rmSync(declared, { recursive: true });
}
