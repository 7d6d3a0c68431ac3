/** What a strategic patch brings that is new, in the newest release. */
import '../../support/newest-release.ts';
import t from 'tap';
import { demoPlan, expectedOutcome, outcome, read, type Scenario } from './strategic-notation.ts';

const SCENARIOS: readonly Scenario[] = [
  ['nulls of what is new', '{}', '{inner: {name: null, value: b}}', '{inner: {value: b}}'],
  ['deeper ones', '{}', '{raw: {a: [{b: null}], c: [null]}}', '{raw: {a: [{}], c: [null]}}'],
  ['an object that is a directive', '{name: a}', '{inner: {$patch: delete}}', '{name: a}'],
  ['whatever it says', '{}', '{inner: {inner: {$patch: x}, name: a}}', '{inner: {name: a}}'],
  ['items that have one', '{}', '{raw: {a: [{$patch: merge, b: c}, 1]}}', '{raw: {a: [1]}}'],
  ['one in the place of a scalar', '{inner: b}', '{inner: {$patch: replace}}', '{}'],
  ['nulls in the place of a list', '{inner: [1]}', '{inner: {name: null}}', '{inner: {}}'],
  ['what is there is merged', '{inner: {name: a}}', '{inner: {name: null}}', '{inner: {}}'],
];

t.test('nulls and directives of it are left out', async (t) => {
  for (const [what, document, patch, result] of SCENARIOS) {
    t.strictSame(outcome(demoPlan, read(document), read(patch)), expectedOutcome(result), what);
  }
});

t.test('the patch stays as it is', async (t) => {
  const patch = read('{inner: {name: null, inner: {$patch: delete}}}');
  outcome(demoPlan, read('{}'), patch);
  t.same(patch, read('{inner: {name: null, inner: {$patch: delete}}}'));
});
