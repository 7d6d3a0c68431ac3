import t from 'tap';
import { DEFAULT_RELEASE, NEWEST_MINOR, releaseOf } from '../../src/release/release.ts';
import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  parseControllers,
  requiredControllers,
} from '../../src/controllers/registry.ts';

/** The controllers that `*` switches on, but for one. */
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
  const required = (on: readonly string[]) => requiredControllers(on, DEFAULT_RELEASE);
  t.same(required(['Node', 'RBAC']), [types, 'bootstrap-policy', always]);
  t.same(required(['AlwaysAllow']), [types, always]);
  t.same(required(['StorageVersionAPI']), [types, always], 'which needs the other feature');
  const both = ['APIServerIdentity', 'StorageVersionAPI'];
  t.same(required(both.slice(0, 1)), [types, always, 'identity-lease']);
  t.same(required(both), [types, always, 'identity-lease', 'storage-versions']);
  const newest = requiredControllers([], releaseOf(NEWEST_MINOR));
  t.same(newest, [types, always, 'api-services']);
  t.same(required(['GenericWorkload']), [types, always, 'podgroup-protection']);
  t.throws(() => parseControllers('*,-bootstrap-policy'), RangeError);
  t.throws(() => parseControllers('*,-definitions'), RangeError);
});

t.test('names that there are not', async (t) => {
  for (const list of ['nonsense', '*,nonsense', '-nonsense', '--namespace', '-*', 'Namespace']) {
    t.throws(() => parseControllers(list), RangeError, list);
  }
});
