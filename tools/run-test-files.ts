/**
 * Runs several test files one after the other in this process, as one test: loading the test
 * library and the sources anew takes longer than most of them. They come in the environment,
 * because the test library names folders after the arguments.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

const files = JSON.parse(process.env['SHARDPLANE_TEST_FILES'] ?? '[]') as string[];
/** Each file has as long as it would have alone. */
const fileMs = Number(process.env['TAP_TIMEOUT']) * 1_000;

// Until all of them have run: a file that ended the whole would leave out those after it.
process.exitCode = 1;
const end = t.end.bind(t);
t.end = () => undefined as never;

// What a file tears down, such as its server, is gone before the next file begins.
let teardowns: (() => unknown)[] = [];
t.teardown = (work: () => unknown) => void teardowns.push(work);

for (const file of files) {
  const before = t.count;
  t.setTimeout(fileMs);
  t.testdirName = join('.tap/fixtures', file.replaceAll('/', '-'));
  await import(pathToFileURL(resolve(file)).href);
  // Runs after all the tests of the file.
  await t.test(file, async (test) => {
    test.ok(t.count > before, 'made assertions');
    for (const work of teardowns.reverse()) await work();
    teardowns = [];
  });
}

t.end = end;
process.exitCode = undefined;
