import t from 'tap';
import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  controllersWith,
  parseControllers,
} from '../../src/controllers/registry.ts';

/** What `*` switches on, but for one. */
const allBut = (name: string): readonly string[] =>
  CONTROLLER_NAMES.filter((one) => one !== name && !CONTROLLERS[one].isOffByDefault);

const ROWS: readonly [list: string, on: readonly string[]][] = [
  ['*', allBut('')],
  ['', []],
  ['namespace', ['namespace']],
  ['event-expiry,namespace', ['namespace', 'event-expiry']],
  ['*,-garbage-collector', allBut('garbage-collector')],
  ['-garbage-collector,*', allBut('garbage-collector')],
  [' * , -namespace ', allBut('namespace')],
  ['-namespace', []],
  ['namespace,-namespace', ['namespace']],
  ['-namespace,namespace', []],
  ['*,*', allBut('')],
  ['*,tokencleaner', [...allBut(''), 'tokencleaner']],
];

for (const [list, on] of ROWS) {
  t.test(`"${list}"`, async (t) => t.same(parseControllers(list), new Set(on)));
}

t.test('what is made for a way to authorize is in no list', async (t) => {
  t.same(controllersWith(['Node', 'RBAC']), ['bootstrap-policy']);
  t.same(controllersWith(['AlwaysAllow']), []);
  t.throws(() => parseControllers('*,-bootstrap-policy'), RangeError);
});

t.test('names that there are not', async (t) => {
  for (const list of ['nonsense', '*,nonsense', '-nonsense', '--namespace', '-*', 'Namespace']) {
    t.throws(() => parseControllers(list), RangeError, list);
  }
});
