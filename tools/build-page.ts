/** Bundles the page at `/` (src/page/README.md): one script and one style. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Writes `page.js` and `page.css` into the folder `page` of `output`. */
export async function buildPage(root: string, output: string): Promise<void> {
  const folder = join(output, 'page');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, 'src/page/main.ts')],
    outfile: join(folder, 'page.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  const styles = [
    join(root, 'node_modules/uplot/dist/uPlot.min.css'),
    join(root, 'src/page/page.css'),
  ];
  writeFileSync(
    join(folder, 'page.css'),
    styles.map((file) => readFileSync(file, 'utf8')).join('\n'),
  );
}
