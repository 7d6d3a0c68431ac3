/** Two lists of tolerations as one. */
import t from 'tap';
import type { Toleration } from '#messages/core.v1';
import { mergeTolerations } from '../../src/admission/plugins/pods/toleration-sets.ts';

/** `key=value:effect/seconds`, `key:effect` for one that exists, `*` for all keys. */
function toleration(text: string): Toleration {
  const [, key = '', equals, value = '', effect, seconds] =
    /^([^=:/]*)(=([^:/]*))?(?::([^/]*))?(?:\/(.*))?$/.exec(text) ?? [];
  return {
    ...(key !== '*' && { key }),
    ...(equals === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
    ...(effect !== undefined && { effect }),
    ...(seconds !== undefined && { tolerationSeconds: Number(seconds) }),
  };
}

const ROWS: readonly (readonly [first: string, second: string, merged: string])[] = [
  ['', '', ''],
  ['a', '', 'a'],
  ['a', 'b', 'a b'],
  ['a', 'a', 'a'],
  ['a a', '', 'a'],
  ['*', 'a b=1:NoExecute', '*'],
  ['a b=1:NoExecute', '*', '*'],
  ['a:NoSchedule', 'a', 'a'],
  ['a', 'a:NoSchedule', 'a'],
  ['a:NoSchedule', 'a:NoExecute', 'a:NoSchedule a:NoExecute'],
  ['a=1', 'a', 'a'],
  ['a=1', 'a=2', 'a=1 a=2'],
  ['a=1:NoSchedule', 'a=1', 'a=1'],
  ['a:NoExecute/5', 'a:NoExecute/9', 'a:NoExecute/9'],
  ['a:NoExecute/5', 'a:NoExecute', 'a:NoExecute'],
  ['a:NoExecute', 'a:NoExecute/5', 'a:NoExecute'],
  ['a:NoExecute/9', 'a:NoExecute/5', 'a:NoExecute/9'],
  ['a:NoExecute/5', 'b', 'a:NoExecute/5 b'],
  ['*:NoExecute', 'a', '*:NoExecute a'],
];

for (const [first, second, merged] of ROWS) {
  t.test(`"${first}" and "${second}"`, async (t) => {
    const [a, b, both] = [first, second, merged].map((texts) =>
      texts.split(' ').flatMap((text) => (text === '' ? [] : toleration(text))),
    );
    t.same(mergeTolerations(a ?? [], b ?? []), both);
  });
}

t.test(
  'one without an operator covers the same one with it, but not the other way round',
  async (t) => {
    const short = { key: 'a', value: '1', effect: 'NoSchedule' };
    const long = { ...short, operator: 'Equal' };
    t.same(mergeTolerations([long], [short]), [short]);
    t.same(mergeTolerations([short], [long]), [short]);
    t.same(mergeTolerations([{ ...long, effect: '' }], [short]), [{ ...long, effect: '' }, short]);
  },
);

t.end();
