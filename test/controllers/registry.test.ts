import t from 'tap';
import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  parseControllers,
  requiredControllers,
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

t.test('what a server needs, or a way to authorize, is in no list', async (t) => {
  const always = 'system-priority-classes';
  const types = 'definitions';
  t.same(requiredControllers(['Node', 'RBAC']), [types, 'bootstrap-policy', always]);
  t.same(requiredControllers(['AlwaysAllow']), [types, always]);
  t.same(
    requiredControllers(['StorageVersionAPI']),
    [types, always],
    'which needs the other feature',
  );
  const both = ['APIServerIdentity', 'StorageVersionAPI'];
  t.same(requiredControllers(both.slice(0, 1)), [types, always, 'identity-lease']);
  t.same(requiredControllers(both), [types, always, 'identity-lease', 'storage-versions']);
  t.throws(() => parseControllers('*,-bootstrap-policy'), RangeError);
  t.throws(() => parseControllers('*,-definitions'), RangeError);
});

t.test('names that there are not', async (t) => {
  for (const list of ['nonsense', '*,nonsense', '-nonsense', '--namespace', '-*', 'Namespace']) {
    t.throws(() => parseControllers(list), RangeError, list);
  }
});
