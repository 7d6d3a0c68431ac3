// Each release describes itself as it is published: `facts.txt` has the facts of the reference's
// documents of all releases (`npm run check:release` compares a running server).
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import {
  differencesText,
  factDifferences,
  type FactDifference,
} from '../../tools/release/fact-differences.ts';
import { readFacts, writeFacts } from '../../tools/release/facts-text.ts';
import type { Facts } from '../../tools/release/facts.ts';
import { DEFAULT_RELEASE } from '../../src/release/release.ts';
import { ACCEPTED } from './accepted-differences.ts';
import { STILL_MISSING } from './still-missing.ts';

const TEXT = readFileSync(join(import.meta.dirname, 'facts.txt'), 'utf8');
const PUBLISHED = readFacts(TEXT);
const MINORS = [...PUBLISHED.keys()];
const SCRIPT = fileURLToPath(new URL('../support/release-facts.ts', import.meta.url));
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Only newer releases have their discovery published. */
const OF_DISCOVERY = /^(groups$|group |resources |aggregated( |$))/;

/** Those of a process that behaves like the release. */
async function ownFacts(minor: number, published: Facts): Promise<Facts> {
  const [, form = ''] = published.get('aggregated')?.match(/^\S+\/(\S+)/) ?? [];
  const args = [...process.execArgv, SCRIPT, String(minor), form];
  const options = { maxBuffer: OUTPUT_BYTES_MAX };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  const facts = new Map(JSON.parse(stdout) as [string, string][]);
  if (published.has('groups')) return facts;
  return new Map([...facts].filter(([subject]) => !OF_DISCOVERY.test(subject)));
}

async function unexplained(minor: number): Promise<readonly FactDifference[]> {
  const published: Facts = PUBLISHED.get(minor) ?? new Map();
  const own = await ownFacts(minor, published);
  return factDifferences(own, published, ACCEPTED, minor).filter(({ reason }) => !reason);
}

const GROUPS: Readonly<Record<string, string>> = {
  apimachinery: 'meta',
  'apiextensions-apiserver': 'apiextensions',
  internal: 'apiserverinternal',
  'kube-aggregator': 'apiregistration',
};

/** `apps` of `definition apps.v1.Deployment spec`, `operation apis/apps/v1 / get`. */
function groupOf(subject: string): string {
  const words = subject.replace(/^v2 /, '').split(' ');
  const [section = '', second = ''] = words;
  if (section === 'groups' || second === 'groups') return 'groups';
  const path = second.replace(/^\/?(?:apis?\/)?(?=.)/, '');
  const isCore = /^(api\/)?v1$/.test(second);
  const [name = ''] = isCore ? ['core'] : path.split(/[./]/);
  return GROUPS[name] ?? name;
}

t.test('discovery and OpenAPI of each release', async (t) => {
  const waiting = [...MINORS];
  const found = new Map<number, readonly FactDifference[]>();
  const work = async (): Promise<void> => {
    for (let minor = waiting.shift(); minor !== undefined; minor = waiting.shift()) {
      found.set(minor, await unexplained(minor));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const all = MINORS.flatMap((minor) => found.get(minor) ?? []);
  const groups = [...new Set(all.map(({ subject }) => groupOf(subject)))].sort();
  for (const group of new Set([...groups, ...Object.keys(STILL_MISSING)])) {
    const differences = MINORS.map((minor) =>
      (found.get(minor) ?? []).filter(({ subject }) => groupOf(subject) === group),
    );
    const counts = differences.map(({ length }) => length);
    const expected = STILL_MISSING[group] ?? counts.map(() => 0).join(' ');
    t.equal(counts.join(' '), expected, `how much differs of ${group}, from 1.23 on`);
    const most = expected.split(' ').map(Number);
    const worse = counts.findIndex((count, index) => count > (most[index] ?? 0));
    if (worse !== -1) {
      t.comment(`1.${MINORS[worse]}:\n${differencesText(differences[worse] ?? [])}`);
    }
  }
  t.same(found.get(DEFAULT_RELEASE.minor), [], 'nothing differs in the default release');
});

t.test('facts of several releases in one text', async (t) => {
  t.equal(writeFacts(PUBLISHED), TEXT, 'written as it was read');
  const often = ['a b c d', 'a b c e', 'f', 'g'].map((subject) => [subject, 'said of many']);
  const facts = (...pairs: readonly (readonly string[])[]): Facts =>
    new Map(pairs.map(([subject = '', text = '']) => [subject, text]));
  const releases = new Map([
    [23, facts(...often, ['a b', 'one'])],
    [24, facts(...often, ['a b', 'two'], ['h', 'x @ y: z'])],
    [25, facts(['a b', 'one'])],
    [26, facts(['a b', 'one'], ['h', 'x @ y: z'])],
  ]);
  const text = `23-26
$0 = said of many
a
 b: one @23,25- ; two @24
  c
   d: $0 @23-24
   e: $0 @23-24
f: $0 @23-24
g: $0 @23-24
h: x @ y: z @24,26-
`;
  t.equal(writeFacts(releases), text);
  t.same(readFacts(text), releases);
  t.throws(() => readFacts('23\na b'), /no fact/);
});
