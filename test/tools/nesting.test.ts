/** `npm run check:nesting` with few texts, and that it finds what it looks for. */
import t from 'tap';
import { OptionsError } from '../../tools/flags.ts';
import { drive } from '../../tools/nesting/drive.ts';
import type { Answered } from '../../tools/nesting/drive.ts';
import { fuzz, readFew } from '../../tools/nesting/fuzz.ts';
import type { Finding } from '../../tools/nesting/fuzz.ts';
import { readOptions } from '../../tools/nesting/options.ts';
import { READERS } from '../../tools/nesting/readers.ts';
import { ReadingProcess } from '../../tools/nesting/reading.ts';
import { launchServer } from '../support/server-process.ts';

const EVERY_TEXT = 12;
const EVERY_REQUEST = 97;

t.test('nothing that reads texts of clients comes to the end of a quarter stack', async (t) => {
  const reading = new ReadingProcess();
  t.teardown(() => reading.stop());
  const failures: Finding[] = [];
  const tally = await readFew(reading, READERS, EVERY_TEXT, (finding) => {
    if (finding.failed) failures.push(finding);
  });
  t.same(failures, []);
  t.equal(tally.slowest.size, READERS.length, 'all have read');
});

t.test('a server answers the worst of each format', async (t) => {
  const server = await launchServer({ args: ['--durability', 'relaxed'] });
  t.teardown(() => server.dispose());
  const answers: Answered[] = [];
  await drive(server, { every: EVERY_REQUEST }, (answered) => {
    answers.push(answered);
  });
  t.same(
    answers.filter(({ status }) => status === 0),
    [],
  );
  t.same(
    new Set(answers.map(({ group }) => group)),
    new Set(['bodies', 'yamlBodies', 'definitions', 'heads']),
  );
  t.equal(server.stderr, '', 'nothing was unforeseen');
});

const PLANTED = new URL('planted-readers.ts', import.meta.url);
const MANY_MS = 60_000;

t.test('a reader without a bound is found, also where it ends its process', async (t) => {
  const reading = new ReadingProcess(PLANTED, MANY_MS);
  t.teardown(() => reading.stop());
  const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const reads = (reader: string) => reading.read({ reader, text });
  t.match(await reads('bounded'), { outcome: '400000', failed: false });
  t.match(await reads('unbounded'), { outcome: /call stack/, failed: true });
  t.match(await reads('caught'), { outcome: /^refused: .*call stack/, failed: true });
  t.match(await reads('aborts'), { outcome: /ended by SIGABRT/, failed: true });
  t.match(await reads('bounded'), { failed: false }, 'the next one is in a new process');
});

t.test('a reader that does not end is found', async (t) => {
  const reading = new ReadingProcess(PLANTED, 1);
  t.teardown(() => reading.stop());
  t.match(await reading.read({ reader: 'endless', text: '' }), {
    outcome: 'no end after 1 ms',
    failed: true,
  });
});

t.test('what failed is read first by a run with its seed', async (t) => {
  const reading = new ReadingProcess(PLANTED);
  t.teardown(() => reading.stop());
  const readers = READERS.slice(0, 1).map((one) => ({ ...one, name: 'bounded' }));
  const run = async (seed: number): Promise<Finding[]> => {
    const findings: Finding[] = [];
    await fuzz(reading, readers, { seed, seconds: 0 }, (one) => findings.push(one));
    return findings;
  };
  const [one] = await run(7);
  t.match(one, { reader: 'bounded', seed: 7, failed: false });
  const [again] = await run(7);
  const texts = [one, again].map((finding) => finding?.shown);
  t.equal(texts[0], texts[1]);
});

t.test('wrong options are told', async (t) => {
  for (const args of [['--seconds', 'x'], ['--seed', '-1'], ['--only', 'x'], ['--x'], ['x']]) {
    t.throws(() => readOptions(args), OptionsError, args.join(' '));
  }
  t.equal(readOptions(['--help']), undefined);
  t.same(readOptions(['--seconds', '5', '--only', 'server']), {
    seconds: 5,
    seed: 1,
    parts: ['server'],
  });
});
