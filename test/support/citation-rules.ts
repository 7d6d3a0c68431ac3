/** Texts of the project must refer to things in the project. */
import { posix } from 'node:path';
import type { SourceFiles } from './house-rules.ts';

/**
 * Documents that only those who wrote the code had before them. Written so as not to find itself.
 */
const ABSENT = new RegExp(
  `\\b(?:${['API-' + 'FACTS', 'DES' + 'IGN\\b', 'SP' + 'EC(?:\\.md|$|[ *]+["A-Za-z])'].join('|')})` +
    `|\\biss` +
    `ue #?\\d`,
);
const CITATION = /(?<![\w/.-])((?:[\w-]+\/)*README\.md)(?:#([\w-]+))?/g;
/** A path of the project in a document, from its root. */
const PATH = /(?<![\w/.-])((?:src|test|bench|tools|proto)\/[\w./-]*[\w])/g;
/** A file in the drawing of the README, which leaves out `src/` and what the line before says. */
const FILE = /(?<![\w/.#-])((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|proto))\b/g;
const CODE = /`[^`]*`/g;
const LINK = /\]\(((?!https?:)[^()#\s]*)(?:#([\w-]+))?\)/g;

/** Citations, in comments and documents, of what is not there, each as `path:line: what`. */
export function findMissingCitations(files: SourceFiles): string[] {
  const anchors = new Map([...files].map(([path, text]) => [path, anchorsOf(path, text)]));
  return [...files].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const at = `${path}:${index + 1}`;
      return problemsOf(path, line, files, anchors).map((problem) => `${at}: ${problem}`);
    }),
  );
}

type Anchors = ReadonlyMap<string, ReadonlySet<string>>;

function problemsOf(path: string, line: string, files: SourceFiles, anchors: Anchors): string[] {
  const absent = ABSENT.exec(line)?.[0];
  if (absent !== undefined) return [`cites ${absent.trim()}, which is not in the project`];
  if (path.endsWith('.md')) return documentProblems(path, line, files, anchors);
  return [...line.matchAll(CITATION)].flatMap(([whole, document = '', anchor]) => {
    const target = document === 'README.md' ? nearestReadme(path, files) : document;
    if (!line.includes('README.md#') && !files.has(target)) return [];
    return placeProblems(whole, target, anchor, anchors);
  });
}

function documentProblems(
  path: string,
  line: string,
  files: SourceFiles,
  anchors: Anchors,
): string[] {
  const exists = (name: string): boolean =>
    files.has(name) || [...files.keys()].some((one) => one.startsWith(`${name}/`));
  const links = [...line.replace(CODE, '').matchAll(LINK)].flatMap(([whole, file = '', anchor]) => {
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    if (anchor === undefined && exists(target.replace(/\/$/, ''))) return [];
    return placeProblems(whole.slice(2, -1), target, anchor, anchors);
  });
  const paths = [...line.matchAll(PATH)].map(([, name = '']) => name);
  const named = [...line.matchAll(FILE)].map(([, name = '']) => name);
  const missing = [
    ...paths.filter((name) => !exists(name)),
    ...named.filter((name) => ![...files.keys()].some((one) => `/${one}`.endsWith(`/${name}`))),
  ];
  return [...links, ...missing.map((name) => `names ${name}, which is not there`)];
}

function placeProblems(
  cited: string,
  target: string,
  anchor: string | undefined,
  anchors: Anchors,
): string[] {
  const known = anchors.get(target);
  const isThere = known !== undefined && (anchor === undefined || known.has(anchor));
  return isThere ? [] : [`cites ${cited}, which is not there`];
}

/** The README that a file without a path in its citation means: of its folder, or one above. */
function nearestReadme(path: string, files: SourceFiles): string {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    if (files.has(`${folder}/README.md`)) return `${folder}/README.md`;
  }
  return 'README.md';
}

/** As GitHub makes them of headings. */
function anchorsOf(path: string, text: string): ReadonlySet<string> {
  if (!path.endsWith('.md')) return new Set();
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
