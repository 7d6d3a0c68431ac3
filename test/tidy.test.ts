import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { findMissingCitations } from './support/citation-rules.ts';
import { findUndescribed } from './support/description-rules.ts';
import { findNamedLoopback } from './support/example-rules.ts';
import { findCrowded, findUnmapped } from './support/folder-rules.ts';
import { findViolations } from './support/house-rules.ts';
import { findRestated } from './support/message-rules.ts';

const ROOT = join(import.meta.dirname, '..');

/** The files of the project whose names end so, from its root. */
function projectFiles(endings: RegExp): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of ['src', 'test', 'bench', 'tools', 'proto']) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((name) => endings.test(name))) {
      const path = `${folder}/${name.replaceAll('\\', '/')}`;
      files.set(path, readFileSync(join(ROOT, path), 'utf8'));
    }
  }
  return files;
}

t.test('the project keeps its house rules', async (t) => {
  const files = projectFiles(/\.(ts|mjs)$/);
  t.ok(files.has('src/main.ts'), 'the files are found');
  t.same(findViolations(files), []);
});

t.test('what comments and documents refer to is there', async (t) => {
  const files = projectFiles(/\.(ts|mjs|proto|md|yaml)$/);
  files.set('README.md', readFileSync(join(ROOT, 'README.md'), 'utf8'));
  files.set('test/tidy.test.ts', '// Violations are planted in it.');
  t.same(findMissingCitations(files), []);
});

t.test('no example leads a token to a name that somebody else may answer to', async (t) => {
  const files = projectFiles(/\.(ts|mjs|proto|md|yaml|json)$/);
  for (const name of ['README.md', 'package.json']) {
    files.set(name, readFileSync(join(ROOT, name), 'utf8'));
  }
  t.same(findNamedLoopback(files), []);
  const planted = new Map([
    ['README.md', 'The certificate is for `localhost`.\n$ curl -H "$TOKEN" localhost:8080/api'],
    [
      'src/a/b.ts',
      "const url = 'https://localhost/api';\nconst other = `http://LOCALHOST:${port}`;",
    ],
    ['src/a/c.ts', "const profile = 'localhost/x'; // localhost: a name"],
    ['test/a.test.ts', "fetch('http://localhost:8080')"],
  ]);
  t.same(findNamedLoopback(planted), [
    'README.md:2: say 127.0.0.1 for localhost:8080/api',
    "src/a/b.ts:1: say 127.0.0.1 for //localhost/api';",
    'src/a/b.ts:2: say 127.0.0.1 for //LOCALHOST:${port}`;',
  ]);
});

t.test('every message and member has a description', async (t) => {
  const files = readProtoFolder(join(ROOT, 'proto'));
  t.ok(files['core/v1.proto'], 'the files are found');
  t.same(findUndescribed(files), []);
  const planted = `syntax = "proto2"; package a.v1;
// ${'Long '.repeat(20)}
// line.
message A {
  optional string none = 1;
  // small letters.
  optional string small = 2;
  // No end
  optional string end = 3;
  // Values:
  // - \`x\`: one.
  // - \`y\`: without an end
  optional string values = 4 [
    (enum_values) = "x", (enum_values) = "z", (enum_values) = ""
  ];
  // As in k8s.io.
  optional string names = 5;
  // Or:
  // - (empty): nothing.
  //
  // \`x\` is more.
  optional string kept = 6 [(enum_values) = ""];
}`;
  t.same(findUndescribed({ 'a/v1.proto': planted }), [
    'a.v1.A.none has no description',
    'a.v1.A.small begins with no capital: small letters.',
    'a.v1.A.end has no full stop: No end',
    'a.v1.A.values has no full stop: - `y`: without an end',
    'a.v1.A.values lacks - `z`',
    'a.v1.A.values lacks - (empty)',
    'a.v1.A.names names k8s',
    'a/v1.proto:2: is over 100 columns',
  ]);
});

t.test('no kind declares what a message of its name says', async (t) => {
  const model = loadSchemaModel(readProtoFolder(join(ROOT, 'proto')));
  const files = [...projectFiles(/\.ts$/)].filter(([path]) => path.startsWith('src/resources/'));
  t.same(findRestated(new Map(files), model), []);
  const planted = new Map([
    ['a.ts', 'export interface Pod extends ApiObject {\n  spec?: { hostPID?: boolean };\n}\n'],
    ['b.ts', 'type Taint = {\n  readonly key: string;\n};\ninterface Pod {\n  owner: Pod;\n}\n'],
    ['c.ts', 'interface Progress {\n  reason: string;\n}\ntype Volume = Source | undefined;\n'],
  ]);
  t.same(findRestated(planted, model), [
    'a.ts: declares the message Pod',
    'b.ts: declares the message Taint',
  ]);
});

const lines = (count: number, line = '  call();') => `${line}\n`.repeat(count);

const PLANTED: readonly [violation: string, path: string, text: string, found: string][] = [
  [
    'an import against the direction',
    'src/base/a.ts',
    "import { b } from '../codec/b.ts';",
    'src/base/a.ts: may not import src/codec/b.ts',
  ],
  [
    'a late import against the direction',
    'src/codec/a.ts',
    "const b = await import('../shard/b.ts');",
    'src/codec/a.ts: may not import src/shard/b.ts',
  ],
  [
    'an import over several lines against the direction',
    'src/storage/a.ts',
    "import {\n  b,\n  c,\n} from '../shard/b.ts';",
    'src/storage/a.ts: may not import src/shard/b.ts',
  ],
  [
    'a front that imports more of the shard than its protocol',
    'src/front/a.ts',
    "import type { Get } from '../protocol/shard-protocol.ts';\nimport { b } from '../shard/read/get.ts';",
    'src/front/a.ts: may not import src/shard/read/get.ts',
  ],
  [
    'a folder that imports the composition root',
    'src/shard/a.ts',
    "import { config } from '../config/config.ts';",
    'src/shard/a.ts: may not import src/config/config.ts',
  ],
  [
    'a folder without a place in the table',
    'src/utilities/a.ts',
    'export const a = 1;',
    'src/utilities/a.ts: the folder is not in the table of imports',
  ],
  [
    'lmdb outside of storage',
    'src/shard/a.ts',
    "import { open } from 'lmdb';",
    'src/shard/a.ts: only src/storage may import lmdb',
  ],
  [
    'uWebSockets.js outside of the front',
    'src/auth/a.ts',
    "import uws from 'uWebSockets.js';",
    'src/auth/a.ts: only src/front may import uWebSockets.js',
  ],
  [
    'worker_threads outside of actors',
    'src/main.ts',
    "import type { MessagePort } from 'node:worker_threads';\nimport 'node:worker_threads';",
    'src/main.ts: only src/actors may import node:worker_threads',
  ],
  [
    'a pure folder that reads files',
    'src/codec/a.ts',
    "import { readFileSync } from 'node:fs';",
    'src/codec/a.ts: is pure, and imports node:fs',
  ],
  [
    'a pure folder with a clock',
    'src/semantics/a.ts',
    '// Date.now() in a comment\nconst now = Date.now();',
    'src/semantics/a.ts:2: is pure, and has Date.now',
  ],
  [
    'a list as arguments',
    'src/base/a.ts',
    'list.push(...items);',
    'src/base/a.ts:1: spreads onto the stack (appendAll): .push(...',
  ],
  [
    'an expression that looks for an end from everywhere',
    'src/base/a.ts',
    "text.replace(/[0]+$/, '');",
    'src/base/a.ts:1: begins anew everywhere (trimEndOf): /[0]+$/',
  ],
  [
    'an expression that begins with blanks',
    'src/base/a.ts',
    'text.split(/\\s*,\\s*/);',
    'src/base/a.ts:1: begins anew at each blank (trim): /\\s*,',
  ],
  [
    'a barrel',
    'src/base/index.ts',
    "export * from './assert.ts';",
    'src/base/index.ts: exports again what src/base/assert.ts exports',
  ],
  ['an enum', 'src/base/a.ts', 'const enum A { B }', 'src/base/a.ts:1: has an enum: enum A {'],
  [
    'a default export',
    'src/base/a.ts',
    'export default 1;',
    'src/base/a.ts:1: has an export default',
  ],
  ['a long file', 'src/base/a.ts', lines(401), 'src/base/a.ts: 401 lines are over 400'],
  [
    'a long line',
    'src/base/a.ts',
    `// ${'word '.repeat(20)}`,
    'src/base/a.ts:1: is over 100 columns',
  ],
  [
    'a long function',
    'src/base/a.ts',
    `const text = '{';\nfunction a({ b }: C): D<E> {\n${lines(69)}}\n`,
    'src/base/a.ts:2: a function of 71 lines',
  ],
  [
    'a long method',
    'src/base/a.ts',
    `class A {\n  async #a(): Promise<void> {\n${lines(69)}  }\n}\n`,
    'src/base/a.ts:2: a function of 71 lines',
  ],
  [
    'a long arrow function',
    'src/base/a.ts',
    `const a = /[/{]/.test(b);\nrun((b) => {\n${lines(69)}});\n`,
    'src/base/a.ts:2: a function of 71 lines',
  ],
  [
    'unfinished work',
    'src/base/a.ts',
    `// ${'TO' + 'DO'}: later`,
    `src/base/a.ts:1: leaves work undone: ${'TO' + 'DO'}`,
  ],
];

t.test('each rule finds a violation that is planted', async (t) => {
  for (const [violation, path, text, found] of PLANTED) {
    t.same(findViolations(new Map([[path, text]])), [found], violation);
  }
});

t.test('a circle of imports is found once, types and all', async (t) => {
  const files = new Map([
    ['src/base/a.ts', "import type { B } from './b.ts';"],
    ['src/base/b.ts', "import { c } from './c.ts';"],
    ['src/base/c.ts', "import { a } from './a.ts';\nimport { d } from './d.ts';"],
    ['src/base/d.ts', 'export const d = 1;'],
  ]);
  t.same(findViolations(files), [
    'imports go in a circle: src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts',
  ]);
});

t.test('a circle of folders is found, though no files are in one', async (t) => {
  const files = new Map([
    ['src/shard/a/one.ts', "import { b } from '../b/two.ts';"],
    ['src/shard/b/two.ts', 'export const b = 1;'],
    ['src/shard/b/deep/three.ts', "import type { D } from '../../a/four.ts';"],
    ['src/shard/a/four.ts', "import { e } from '../five.ts';"],
  ]);
  t.same(findViolations(files), [
    'folders import each other in a circle: src/shard/a → src/shard/b → src/shard/a',
  ]);
});

t.test('every folder of src has a map of its files', async (t) => {
  const readmes = projectFiles(/README\.md$/);
  const mapped = [...projectFiles(/\.ts$/).keys()].filter((path) => path.startsWith('src/'));
  t.ok(mapped.includes('src/resources/core/pods/pod.ts'), 'the files are found');
  t.same(findUnmapped(mapped, readmes), []);
  const text = `# A

| file | what it does with f.ts |
|---|---|
| \`g.ts\`, \`b.ts\` | x of \`d.ts\` |
| [\`c/\`](c) | y |

| \`d.ts\` | z |
`;
  const paths = ['src/a/d.ts', 'src/a/g.ts', 'src/a/c/e.ts'];
  t.same(findUnmapped(paths, new Map([['src/a/README.md', text]])), [
    'src/a/README.md: its map does not name d.ts',
    'src/a/README.md: its map names b.ts, which is not there',
    'src/a/c/README.md: its map does not name e.ts',
  ]);
});

t.test('no folder of src holds more files than a reader can take in', async (t) => {
  t.same(findCrowded([...projectFiles(/\.ts$/).keys()]), []);
  const folderOf = (path: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${path}/${at}.ts`);
  const planted = [
    ...folderOf('src/a', 27),
    ...folderOf('src/a/full', 26),
    'src/a/full/README.md',
    ...folderOf('test/a', 99),
  ];
  t.same(findCrowded(planted), ['src/a: 27 files are over 26']);
});

t.test('a citation of what is not there is found', async (t) => {
  const files = new Map([
    ['src/a/README.md', '## Two words\n[here](#two-words), [there](../b.ts), [nowhere](#three)\n'],
    [
      'src/a/c.ts',
      `// As README.md#two-words has it, and README.md#four.\n// ${'SP' + 'EC'} "Five"`,
    ],
    ['src/b.ts', '// See src/a/README.md#two-words and src/c/README.md#six.\n'],
    ['README.md', 'The code is in src/a/c.ts, a/c.ts, c.ts, src/d/ and e.ts.\n'],
  ]);
  t.same(findMissingCitations(files), [
    'src/a/README.md:2: cites #three, which is not there',
    'src/a/c.ts:1: cites README.md#four, which is not there',
    `src/a/c.ts:2: cites ${'SP' + 'EC'} ", which is not in the project`,
    'src/b.ts:1: cites src/c/README.md#six, which is not there',
    'README.md:1: names src/d, which is not there',
    'README.md:1: names e.ts, which is not there',
  ]);
});

const KEPT: readonly [what: string, path: string, text: string][] = [
  ['braces and words in literals', 'src/codec/a.ts', "const a = ['enum A {', `{${'}'}`, /[{/]/];"],
  ['imports of lower folders', 'src/shard/a.ts', "import { b } from '../codec/b.ts';"],
  ['imports that a string speaks of', 'src/base/a.ts', 'const a = "import x from \'lmdb\'";'],
  ['long blocks that are no functions', 'src/base/a.ts', `const a = {\n${lines(99, '  a,')}};\n`],
  ['functions of 70 lines', 'src/base/a.ts', `function a() {\n${lines(68)}}\n`],
  ['the composition root', 'src/main.ts', "import { b } from './front/b.ts';"],
  ['the default export for Piscina', 'src/worker.ts', 'export default function run() {}'],
];

t.test('what keeps the rules is not reported', async (t) => {
  for (const [what, path, text] of KEPT) {
    t.same(findViolations(new Map([[path, text]])), [], what);
  }
});
