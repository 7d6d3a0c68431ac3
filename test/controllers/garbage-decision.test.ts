/** Every decision of the garbage collector, as a table. */
import t from 'tap';
import { decide } from '../../src/controllers/garbage/garbage-decision.ts';
import type { Looked, OwnerStanding } from '../../src/controllers/garbage/garbage-decision.ts';
import type { DependentCounts } from '../../src/protocol/upkeep-protocol.ts';

const NONE: DependentCounts = { count: 0, blocking: 0, someWait: false };
const SOME: DependentCounts = { count: 2, blocking: 0, someWait: false };
const RING: DependentCounts = { count: 2, blocking: 2, someWait: true };

/** An object with an owner `u0`, `u1`, … for each standing. */
function looked(standings: readonly OwnerStanding[], members: Partial<Looked> = {}): Looked {
  return {
    uid: 'own',
    references: standings.map((_standing, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `owner-${index}`,
      uid: `u${index}`,
    })),
    terminating: false,
    hasOrphan: false,
    hasForeground: false,
    restores: 0,
    ...members,
  };
}

const keep = { action: 'keep' };
const removes = (...owners: string[]) => ({ action: 'removeReferences', owners });
const deletes = (policy: string, unblock = false) => ({ action: 'delete', policy, unblock });

type Row = [
  name: string,
  standings: OwnerStanding[],
  expected: object,
  members?: Partial<Looked>,
  dependents?: DependentCounts,
];

const ROWS: readonly Row[] = [
  ['no owner any more', [], keep],
  ['an owner that is there', ['solid'], keep],
  ['two that are', ['solid', 'solid'], keep],
  ['an owner that is not', ['absent'], deletes('Background')],
  ['two that are not', ['absent', 'absent'], deletes('Background')],
  ['one of each', ['absent', 'solid'], removes('u0')],
  ['one that waits beside one that is there', ['solid', 'waiting'], removes('u1')],
  ['all sorts', ['waiting', 'solid', 'absent', 'solid'], removes('u0', 'u2')],
  ['one that nobody can judge', ['unknown'], keep],
  ['beside an absent one', ['absent', 'unknown'], keep],
  ['beside one that is there and one that is not', ['solid', 'absent', 'unknown'], keep],
  ['an owner that waits', ['waiting'], { action: 'askDependents' }],
  ['one that waits, one that is gone', ['absent', 'waiting'], { action: 'askDependents' }],
  ['the same, without dependents', ['waiting'], deletes('Background'), {}, NONE],
  ['with dependents', ['waiting', 'absent'], deletes('Foreground'), {}, SOME],
  ['with one that waits itself', ['waiting'], deletes('Foreground', true), {}, RING],
  ['dependents do not matter to who has no owner', ['absent'], deletes('Background'), {}, RING],
  ['finalizer orphan', ['absent'], deletes('Orphan'), { hasOrphan: true }],
  ['finalizer foregroundDeletion', ['absent'], deletes('Foreground'), { hasForeground: true }],
  ['both', ['absent'], deletes('Orphan'), { hasOrphan: true, hasForeground: true }],
  ['orphan, and its owner waits', ['waiting'], deletes('Orphan'), { hasOrphan: true }, NONE],
  ['terminating already', ['absent'], keep, { terminating: true }],
  ['terminating and waiting', ['absent'], keep, { terminating: true, hasForeground: true }],
  ['terminating, shared', ['absent', 'solid'], keep, { terminating: true }],
];

for (const [name, standings, expected, members, dependents] of ROWS) {
  t.test(name, async (t) => {
    t.same(decide(looked(standings, members), standings, dependents), expected);
  });
}
