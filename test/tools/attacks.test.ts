/** `npm run check:attacks` with little of everything: what holds however slow the machine is. */
import t from 'tap';
import { OptionsError } from '../../tools/flags.ts';
import { outcomeText, runAttacks } from '../../tools/attacks/attacks.ts';
import type { Outcome } from '../../tools/attacks/attacks.ts';
import { readOptions } from '../../tools/attacks/options.ts';

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
    t.same(others, name === 'slow-bodies' ? [0] : [], `${name}: the attackers' answers`);
  }
});

t.test('unknown scenarios are told', (t) => {
  t.throws(() => readOptions(['--only', 'x']), OptionsError);
  t.throws(() => readOptions(['--seed', 'x']), OptionsError);
  t.equal(readOptions(['--help']), undefined);
  t.end();
});
