import t from 'tap';
import { SupersededVersions } from '../../src/shard/log/superseded-versions.ts';

/** Entry n: version 10n, replaced by 10n + 5 at 1000 + n. */
function filled(count: number): SupersededVersions {
  const versions = new SupersededVersions();
  for (let n = 0; n < count; n++) versions.push(10 * n, 10 * n + 5, 1000 + n);
  return versions;
}

t.test('entries are found by their number, over many segments', async (t) => {
  const versions = filled(10_000);
  t.equal(versions.firstSeq, 0);
  t.equal(versions.nextSeq, 10_000);
  for (const seq of [0, 4_095, 4_096, 8_192, 9_999]) {
    t.equal(versions.rvAt(seq), 10 * seq);
    t.equal(versions.successorAt(seq), 10 * seq + 5);
    t.equal(versions.timeMsAt(seq), 1000 + seq);
  }
  t.throws(() => versions.rvAt(10_000), /entry 10000 is not in 0 to 10000/);
});

t.test('what was dropped is gone, and the rest keeps its numbers', async (t) => {
  const versions = filled(10_000);
  for (const seq of [1, 4_095, 4_097, 4_097, 9_000]) {
    versions.dropBefore(seq);
    t.equal(versions.firstSeq, seq);
    t.equal(versions.rvAt(seq), 10 * seq);
    t.throws(() => versions.rvAt(seq - 1));
  }
  versions.dropBefore(5);
  t.equal(versions.firstSeq, 9_000, 'never back');
  versions.dropBefore(10_000);
  t.equal(versions.firstSeq, versions.nextSeq);
  versions.push(7, 8, 9);
  t.same([versions.firstSeq, versions.rvAt(10_000)], [10_000, 7]);
  t.throws(() => versions.dropBefore(10_002), /dropped before/);
});

t.test('the first entry whose successor is above a version', async (t) => {
  const versions = filled(10_000);
  versions.push(1, 99_995, 0);
  t.equal(versions.firstAfter(-1), 0);
  t.equal(versions.firstAfter(5), 1);
  t.equal(versions.firstAfter(44_444), 4_444);
  t.equal(versions.firstAfter(44_445), 4_445);
  t.equal(versions.firstAfter(99_994), 9_999, 'the first of equal ones');
  t.equal(versions.firstAfter(99_995), 10_001, 'none');
  versions.dropBefore(6_000);
  t.equal(versions.firstAfter(5), 6_000);
  t.equal(new SupersededVersions().firstAfter(3), 0);
});
