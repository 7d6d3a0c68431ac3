/** `npm run check:attacks` with little of everything: what holds however slow the machine is. */
import t from 'tap';
import { OptionsError } from '../../tools/flags.ts';
import { outcomeText, runAttacks } from '../../tools/attacks/attacks.ts';
import type { Outcome } from '../../tools/attacks/attacks.ts';
import { longestTurns } from '../../tools/attacks/longest-turns.ts';
import { readOptions } from '../../tools/attacks/options.ts';

/** The answers to attackers who are not simply served. */
const REFUSALS: Readonly<Record<string, readonly number[]>> = {
  'slow-bodies': [0],
  'reviews-json': [422],
  'reviews-nested': [400],
};

t.test('nobody else is refused, and no health check fails', async (t) => {
  const options = readOptions(['--small']);
  if (options === undefined) throw new Error('no options');
  const outcomes: Outcome[] = [];
  await runAttacks(options, (outcome) => outcomes.push(outcome));
  t.same(
    outcomes.map(({ name }) => name),
    options.names,
  );
  for (const outcome of outcomes) {
    const { name, answers, seen, healthChecks, failedHealthChecks } = outcome;
    t.ok(healthChecks > 0, `${name}: the server is looked at`);
    t.equal(failedHealthChecks, 0, outcomeText(outcome));
    for (const one of Object.values(seen)) {
      t.match(one, { refused: 0, failed: 0 }, name);
      t.ok(one.gets > 0, `${name}: objects are got`);
    }
    const others = [...answers.keys()].filter((status) => status !== 200 && status !== 201);
    t.same(others, REFUSALS[name] ?? [], `${name}: the attackers' answers`);
  }
});

t.test('unknown scenarios are told', (t) => {
  t.throws(() => readOptions(['--only', 'x']), OptionsError);
  t.throws(() => readOptions(['--seed', 'x']), OptionsError);
  t.equal(readOptions(['--help']), undefined);
  t.end();
});

t.test('the longest turn of each thread is one of those during the attack', (t) => {
  const counts = (...of: [bound: number, count: number][]) => new Map(of);
  const before = new Map([['front-0', counts([0.001, 5], [0.002, 6], [0.004, 8])]]);
  const after = new Map([
    ['front-0', counts([0.001, 6], [0.002, 9], [0.004, 11])],
    ['worker-0', counts([0.001, 0], [0.002, 0])],
  ]);
  t.same(longestTurns(before, after), new Map([['front-0', 2]]));
  t.end();
});
