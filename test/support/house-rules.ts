import { findFolderCircles } from './folder-rules.ts';
import { findCircles } from './import-circles.ts';
import { importsOf, type SourceFile } from './source-imports.ts';
import { readSource } from './source-text.ts';

/** Paths from the root of the project, with `/`, and their text. */
export type SourceFiles = ReadonlyMap<string, string>;

const LINE_LENGTH_MAX = 100;
const FILE_LINES_MAX = 400;
/** Their files are tables of facts or cases, and as long as these. */
const TABLES = ['src/release/data/', 'test/catalogue/'];
const FUNCTION_LINES_MAX = 70;
/** Tables of cases stand inside the test that reads them. */
const TEST_FUNCTION_LINES_MAX = 120;

const EVERYWHERE = ['base', 'release', 'limits.ts'];
/**
 * The imports that each folder of src may have of the others. The files of src itself are the root.
 */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'limits.ts': [],
  base: ['base', 'limits.ts'],
  release: ['base', 'release'],
  codec: EVERYWHERE,
  semantics: [...EVERYWHERE, 'codec'],
  schema: [...EVERYWHERE, 'codec', 'semantics'],
  resources: [...EVERYWHERE, 'codec', 'semantics', 'schema'],
  types: [...EVERYWHERE, 'codec', 'semantics', 'schema', 'resources'],
  conversion: [...EVERYWHERE, 'codec', 'semantics', 'resources'],
  actors: [...EVERYWHERE, 'semantics'],
  etcd: EVERYWHERE,
  storage: [...EVERYWHERE, 'etcd'],
  auth: [
    ...EVERYWHERE,
    'observability',
    'codec',
    'semantics',
    'schema',
    'resources',
    'webhooks',
    'replicas/follow-type.ts',
  ],
  quota: [...EVERYWHERE, 'codec', 'semantics', 'resources'],
  replicas: [...EVERYWHERE, 'semantics', 'resources', 'actors', 'protocol'],
  observability: [...EVERYWHERE, 'codec', 'semantics'],
  audit: [...EVERYWHERE, 'observability', 'codec', 'semantics', 'webhooks'],
  admission: [
    ...EVERYWHERE,
    'observability',
    'codec',
    'semantics',
    'schema',
    'resources',
    'types',
    'actors',
    'auth',
    'replicas',
    'webhooks',
    'quota',
    'protocol',
  ],
  backup: [...EVERYWHERE, 'storage'],
  webhooks: [...EVERYWHERE, 'observability', 'codec', 'semantics', 'resources'],
  aggregation: [...EVERYWHERE, 'semantics', 'resources', 'webhooks', 'auth', 'replicas'],
  protocol: [...EVERYWHERE, 'codec', 'semantics', 'resources', 'types'],
  sequencer: [...EVERYWHERE, 'actors', 'storage', 'protocol'],
  journal: [...EVERYWHERE, 'semantics', 'storage', 'etcd', 'sequencer'],
  proposals: [
    ...EVERYWHERE,
    'codec',
    'semantics',
    'resources',
    'types',
    'storage/record.ts',
    'protocol',
    'auth',
    'admission',
  ],
  shard: [
    ...EVERYWHERE,
    'observability',
    'codec',
    'semantics',
    'schema',
    'resources',
    'types',
    'actors',
    'storage',
    'sequencer',
    'journal',
    'protocol',
    'replicas',
    'auth',
    'admission',
    'quota',
    'proposals',
  ],
  controllers: [
    ...EVERYWHERE,
    'observability',
    'codec',
    'quota',
    'auth',
    'replicas',
    'semantics',
    'resources',
    'types',
    'actors',
    'protocol',
    'aggregation',
  ],
  'flow-control': [...EVERYWHERE, 'semantics', 'resources'],
  laboratory: [...EVERYWHERE, 'codec', 'semantics'],
  snapshots: [
    ...EVERYWHERE,
    'semantics',
    'actors',
    'storage',
    'backup',
    'protocol',
    'laboratory',
    'replicas',
  ],
  front: [
    ...EVERYWHERE,
    'flow-control',
    'laboratory',
    'codec',
    'semantics',
    'resources',
    'types',
    'actors',
    'auth',
    'replicas',
    'admission',
    'observability',
    'audit',
    'protocol',
    'aggregation',
    'proposals',
  ],
  config: [
    ...EVERYWHERE,
    'observability',
    'codec',
    'semantics',
    'resources',
    'auth',
    'webhooks',
    'storage',
    'admission',
    'audit',
    'aggregation/settings.ts',
    'controllers/registry.ts',
  ],
  // Runs in browsers.
  page: ['page'],
  envtest: [...EVERYWHERE, 'semantics', 'resources', 'admission', 'config'],
  cluster: [
    ...EVERYWHERE,
    'flow-control',
    'snapshots',
    'observability',
    'codec',
    'semantics',
    'schema',
    'resources',
    'types',
    'actors',
    'storage',
    'etcd',
    'sequencer',
    'journal',
    'protocol',
    'proposals',
    'shard',
    'controllers',
    'front',
    'aggregation',
    'webhooks',
    'auth',
    'admission',
    'replicas',
    'config',
    'audit',
    'backup',
    'folder-dialect.ts',
    'operation-codecs.ts',
  ],
};
/** Packages that one folder keeps for itself; types of them may go anywhere. */
const ONLY_IMPORTERS: Readonly<Record<string, string>> = {
  'uWebSockets.js': 'front',
  lmdb: 'storage',
  piscina: 'actors',
  '@grpc/grpc-js': 'etcd',
  worker_threads: 'actors',
};
const PURE_FOLDERS = ['codec', 'semantics'];
/** The modules of node that neither read nor keep anything. */
const PURE_MODULES = ['node:path', 'node:util', 'node:buffer'];
const IMPURE =
  /\b(?:Date\.now|Math\.random|performance\.now|process\.|setTimeout|setInterval|fetch\()|\bnew Date\(\)/;
/** Piscina calls the default export of its file. */
const DEFAULT_EXPORTS = ['src/worker.ts', 'test/support/actor-worker.ts'];
const UNFINISHED = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);

const RULES = [
  checkImports,
  checkPackages,
  checkPurity,
  checkSyntax,
  checkFileLength,
  checkLineLengths,
  checkFunctionLengths,
  checkUnfinished,
  checkGrowth,
] as const;

/**
 * Finds violations of the house rules, each as `path: what` or `path:line: what`; none is an empty
 * list.
 */
export function findViolations(files: SourceFiles): string[] {
  const sources = [...files].map(([path, text]) => ({ path, text, ...readSource(text) }));
  return [
    ...sources.flatMap((file) => RULES.flatMap((rule) => rule(file))),
    ...findCircles(sources),
    ...findFolderCircles(sources),
  ];
}

function checkImports(file: SourceFile): string[] {
  const allowed = IMPORTS[unitOf(file.path)];
  if (!file.path.startsWith('src/')) return [];
  if (allowed === undefined) {
    const isRoot = !unitOf(file.path).includes('/') && unitOf(file.path).endsWith('.ts');
    return isRoot ? [] : [`${file.path}: the folder is not in the table of imports`];
  }
  return importsOf(file)
    .filter(({ target, isLocal }) => isLocal && unitOf(target) !== unitOf(file.path))
    .filter(({ target }) => !allowed.includes(unitOf(target)))
    .filter(({ target }) => !allowed.includes(target.replace('src/', '')))
    .map(({ target }) => `${file.path}: may not import ${target}`);
}

function checkPackages(file: SourceFile): string[] {
  if (!file.path.startsWith('src/')) return [];
  return importsOf(file).flatMap(({ target, typeOnly }) => {
    const owner = ONLY_IMPORTERS[target.replace(/^node:/, '')];
    if (owner === undefined || typeOnly || unitOf(file.path) === owner) return [];
    return [`${file.path}: only src/${owner} may import ${target}`];
  });
}

function checkPurity(file: SourceFile): string[] {
  if (!file.path.startsWith('src/') || !PURE_FOLDERS.includes(unitOf(file.path))) return [];
  const impure = importsOf(file)
    .filter(({ target, typeOnly }) => target.startsWith('node:') && !typeOnly)
    .filter(({ target }) => !PURE_MODULES.includes(target))
    .map(({ target }) => `${file.path}: is pure, and imports ${target}`);
  return [...impure, ...matchingLines(file, file.code, IMPURE, 'is pure, and has')];
}

function checkSyntax(file: SourceFile): string[] {
  const barrels = importsOf(file).filter(({ isExport }) => isExport);
  return [
    ...barrels.map(({ target }) => `${file.path}: exports again what ${target} exports`),
    ...matchingLines(file, file.code, /\benum\s+\w+\s*\{/, 'has an enum:'),
    ...(DEFAULT_EXPORTS.includes(file.path)
      ? []
      : matchingLines(file, file.code, /\bexport default\b|\bas default\b/, 'has an')),
  ];
}

function checkFileLength({ path, text }: SourceFile): string[] {
  const lines = text.split('\n').length - 1;
  return lines > FILE_LINES_MAX && !TABLES.some((folder) => path.startsWith(folder))
    ? [`${path}: ${lines} lines are over ${FILE_LINES_MAX}`]
    : [];
}

/** A word cannot be broken; neither, in a test, can the literals that it compares with. */
function checkLineLengths({ path, text, code }: SourceFile): string[] {
  const codeLines = code.split('\n');
  return text.split('\n').flatMap((line, index) => {
    const measured = path.startsWith('test/') ? (codeLines[index] ?? '') : line;
    const isLong = measured.length > LINE_LENGTH_MAX && /\s/.test(line.trim());
    return isLong ? [`${path}:${index + 1}: is over ${LINE_LENGTH_MAX} columns`] : [];
  });
}

function checkFunctionLengths({ path, code }: SourceFile): string[] {
  const linesMax = path.startsWith('test/') ? TEST_FUNCTION_LINES_MAX : FUNCTION_LINES_MAX;
  const violations: string[] = [];
  const open: { line: number; isFunction: boolean }[] = [];
  let line = 1;
  let header = '';
  for (const char of code) {
    if (char === '\n') line += 1;
    if (char === '{') {
      open.push({ line, isFunction: opensFunction(header.trim()) });
    } else if (char === '}') {
      const block = open.pop();
      const lines = line - (block?.line ?? line) + 1;
      if (block?.isFunction && lines > linesMax) {
        violations.push(`${path}:${block.line}: a function of ${lines} lines`);
      }
    }
    header = /[{};]/.test(char) ? '' : header + char;
  }
  return violations;
}

function opensFunction(header: string): boolean {
  if (header.endsWith('=>')) return true;
  return (
    /\)\s*(?::[^=]*)?$/.test(header) && !/^(?:else\s+)?(?:if|for|while|switch|catch)\b/.test(header)
  );
}

function checkUnfinished(file: SourceFile): string[] {
  return matchingLines(file, file.text, UNFINISHED, 'leaves work undone:');
}

/** Clients can make these long: arguments lie on the stack, and some expressions are quadratic. */
function checkGrowth(file: SourceFile): string[] {
  if (!file.path.startsWith('src/')) return [];
  return [
    ...matchingLines(file, file.code, /\.push\(\.\.\./, 'spreads onto the stack (appendAll):'),
    ...matchingLines(file, file.text, UNANCHORED_END, 'begins anew everywhere (trimEndOf):'),
    ...matchingLines(file, file.text, BLANKS_FIRST, 'begins anew at each blank (trim):'),
  ];
}

/** Such as `/x+$/`. */
const UNANCHORED_END = /(?<=[(,=:!\s])\/(?:\\.|\[[^\]]+\]|[^\s\\[/^*])[+*]\$\/(?=\w*[).,;])/;

/** Such as `/\s*,/`. */
const BLANKS_FIRST = /(?<=[(,=:!\s])\/(?:\\s|\[ \\t\])[*+][^/]/;

function matchingLines(
  { path }: SourceFile,
  text: string,
  pattern: RegExp,
  message: string,
): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)?.[0];
    return found === undefined ? [] : [`${path}:${index + 1}: ${message} ${found}`];
  });
}

/** The folder below src that a path is in, or the file's name where it is in src itself. */
function unitOf(path: string): string {
  const [top = '', unit = ''] = path.split('/');
  return top === 'src' ? unit : top;
}
