/** What threads know of restores without asking, and of which types were written. */
import t from 'tap';
import { RestoreCells, TypeCells } from '../../src/replicas/restore-cells.ts';
import { Restores, type RestoresOptions } from '../../src/snapshots/restores.ts';
import { RestoreState } from '../../src/shard/state/restore-state.ts';
import { configMap } from '../support/kinds.ts';
import { HeldLog } from '../support/held-log.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

t.test('all threads know at once that a restore is under way, and that it has ended', async (t) => {
  const main = new RestoreCells();
  const other = new RestoreState(new RestoreCells(main.shared), undefined);
  t.match(other, { number: 0 });
  t.equal(other.isStale(0), false);
  main.begin();
  t.equal(other.isStale(0), true);
  t.equal(other.number, 0);
  main.end();
  t.equal(other.number, 1);
  t.equal(other.isStale(0), true);
  t.equal(other.isStale(1), false);
});

t.test('a shard says which version it has staged, before that is committed', async (t) => {
  const types = new TypeCells(new RestoreCells());
  const cell = types.take('configmaps');
  t.equal(types.written('configmaps'), Number.MAX_SAFE_INTEGER, 'one that starts is to be asked');
  const log = new HeldLog();
  const restores = new RestoreState(types.cells, cell);
  const subject = new ShardUnderTest({ restores, log });
  t.equal(types.written('configmaps'), 0, 'nothing is there');
  log.hold();
  const created = subject.create(configMap('x'));
  const staged = types.written('configmaps');
  t.equal(staged, subject.clock.last());
  log.release();
  await created;
  types.cells.setWritten(cell ?? 0, 0);
  t.ok(new ShardUnderTest({ restores, log }));
  t.equal(types.cells.written(cell ?? 0), staged, 'it was read again');
});

t.test('a cell is for one type at a time', async (t) => {
  const types = new TypeCells(new RestoreCells());
  const [first, second] = [types.take('a'), types.take('b')];
  t.not(first, second);
  types.giveBack('a');
  types.giveBack('a');
  t.equal(types.take('c'), first);
  t.not(types.take('d'), first);
  t.equal(types.written('a'), Number.MAX_SAFE_INTEGER, 'one without a cell is to be asked');
});

t.test(
  'a type without a cell is asked in each restore, one with a cell when written',
  async (t) => {
    const cells = new TypeCells(new RestoreCells());
    const cell = cells.take('known') ?? 0;
    cells.cells.setWritten(cell, 7);
    const asked: string[] = [];
    const shard = (type: string) => ({
      call: async () => {
        asked.push(type);
        return { created: 0, updated: 0, deleted: 0 };
      },
    });
    const shards = new Map(['known', 'unknown'].map((type) => [type, shard(type)]));
    const restores = new Restores({ shards, types: {}, cells } as unknown as RestoresOptions);
    const askedBy = async (): Promise<string[]> => {
      await restores.restore(5, false);
      return asked.splice(0);
    };
    t.same(await askedBy(), ['known', 'unknown']);
    t.same(await askedBy(), ['unknown']);
    cells.cells.setWritten(cell, 8);
    t.same(await askedBy(), ['known', 'unknown']);
  },
);
