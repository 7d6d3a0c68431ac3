import t from 'tap';
import { CONTROLLER_NAMES, parseControllers } from '../../src/controllers/registry.ts';

const ROWS: readonly [list: string, on: readonly string[]][] = [
  ['*', CONTROLLER_NAMES],
  ['', []],
  ['namespace', ['namespace']],
  ['event-expiry,namespace', ['namespace', 'event-expiry']],
  ['*,-garbage-collector', ['bootstrap', 'namespace', 'event-expiry']],
  ['-garbage-collector,*', ['bootstrap', 'namespace', 'event-expiry']],
  [' * , -namespace ', ['bootstrap', 'garbage-collector', 'event-expiry']],
  ['-namespace', []],
  ['namespace,-namespace', ['namespace']],
  ['-namespace,namespace', []],
  ['*,*', CONTROLLER_NAMES],
];

for (const [list, on] of ROWS) {
  t.test(`"${list}"`, async (t) => t.same([...parseControllers(list)], on));
}

t.test('names that there are not', async (t) => {
  for (const list of ['nonsense', '*,nonsense', '-nonsense', '--namespace', '-*', 'Namespace']) {
    t.throws(() => parseControllers(list), RangeError, list);
  }
});
