/**
 * Runs several test files one after the other in this process, as one test: loading the test
 * library and the sources anew takes longer than most of them. They come in the environment,
 * because the test library names folders after the arguments.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

const files = JSON.parse(process.env['SHARDPLANE_TEST_FILES'] ?? '[]') as string[];

// Until all of them have run: a file that ended the whole would leave out those after it.
process.exitCode = 1;
const end = t.end.bind(t);
t.end = () => undefined as never;

for (const file of files) {
  const before = t.counts.total;
  await import(pathToFileURL(resolve(file)).href);
  // Runs after all the tests of the file.
  await t.test(file, async (test) => test.ok(t.counts.total > before, 'makes assertions'));
}

t.end = end;
process.exitCode = undefined;
