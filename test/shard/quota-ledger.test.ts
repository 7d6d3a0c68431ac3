/** Reservations in quotas, in their shard: decided at once, answered once they are committed. */
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { RESOURCE_QUOTA } from '../../src/resources/core/resource-quota.ts';
import { snapshotVerbs } from '../../src/shard/upkeep/snapshot-verbs.ts';
import { RestoreCells } from '../../src/replicas/restore-cells.ts';
import { RestoreState } from '../../src/shard/state/restore-state.ts';
import { QuotaLedger } from '../../src/shard/upkeep/quota-ledger.ts';
import type { QuotaReserved, StartedRecount } from '../../src/quota/quota-protocol.ts';
import type { TestObject } from '../support/kinds.ts';
import { HeldLog } from '../support/held-log.ts';
import { refusal } from '../support/thrown-status.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

type Amounts = Readonly<Record<string, string>>;

class Quotas {
  readonly log = new HeldLog();
  readonly applied: number[] = [];
  readonly restores = new RestoreCells();
  readonly subject = new ShardUnderTest({
    definition: RESOURCE_QUOTA,
    log: this.log,
    restores: new RestoreState(this.restores, undefined),
    onApplied: (writes) => {
      for (const { rv, isQuiet } of writes) if (isQuiet !== true) this.applied.push(rv);
    },
  });
  readonly ledger = new QuotaLedger(this.subject.shard);
  readonly #uids = new Map<string, string>();

  /** A quota of which nothing is used. */
  async make(name: string, hard: Amounts): Promise<void> {
    const metadata = { name, namespace: 'default' };
    const head = { apiVersion: 'v1', kind: 'ResourceQuota' };
    const { object } = await this.subject.create({ ...head, metadata, spec: { hard } });
    this.#uids.set(name, object.metadata?.uid ?? '');
    const begun = await this.begin(name);
    await this.end(name, begun.id, Object.fromEntries(Object.keys(hard).map((one) => [one, '0'])));
  }

  async reserve(names: string[], amounts: Amounts, dryRun = false): Promise<QuotaReserved> {
    const quotas = names.map((name) => ({ name, uid: this.#uids.get(name) ?? '' }));
    const request = { namespace: 'default', quotas, amounts, dryRun };
    const { reply } = await answered<QuotaReserved>((answer) => {
      this.ledger.reserve(request, answer);
    });
    return reply;
  }

  async begin(name: string): Promise<StartedRecount> {
    const at = { namespace: 'default', name };
    const { reply } = await answered<StartedRecount | null>((answer) =>
      this.ledger.beginRecount(at, answer),
    );
    if (reply === null) throw new Error(`there is no quota ${name}`);
    return reply;
  }

  async end(name: string, id: number, found: Amounts): Promise<boolean> {
    const { reply } = await answered<{ isRough: boolean }>((answer) => {
      this.ledger.endRecount({ namespace: 'default', name, id, found }, answer);
      this.subject.shard.pipeline.kick();
    });
    return reply.isRough;
  }

  async status(name: string): Promise<TestObject['status']> {
    await turn();
    return (await this.subject.get(name)).object['status'];
  }
}

t.test('what is reserved is used, until it is given back', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '2', cpu: '1' });
  const amounts = { pods: '1', cpu: '600m', memory: '1Gi' };
  const first = await quotas.reserve(['q'], amounts);
  t.same(first, { id: 2 });
  t.same(await quotas.status('q'), {
    hard: { cpu: '1', pods: '2' },
    used: { cpu: '600m', pods: '1' },
  });
  t.same(await quotas.reserve(['q'], amounts), {
    refusal: 'exceeded quota: q, requested: cpu=600m, used: cpu=600m, limited: cpu=1',
  });
  quotas.ledger.settle({ id: 2, isMade: false });
  await turn();
  t.same((await quotas.status('q')).used, { cpu: '0', pods: '0' });
  const second = await quotas.reserve(['q'], amounts);
  quotas.ledger.settle({ id: 'id' in second ? second.id : 0, isMade: true });
  t.same((await quotas.status('q')).used, { cpu: '600m', pods: '1' });
});

t.test('a quota that is restored counts the writes that are under way', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '2' });
  const { shard } = quotas.subject;
  const verbs = snapshotVerbs(shard);
  const version = shard.pipeline.appliedRv;
  const ended = await quotas.reserve(['q'], { pods: '1' });
  quotas.ledger.settle({ id: 'id' in ended ? ended.id : 0, isMade: true });
  const underWay = await quotas.reserve(['q'], { pods: '1' });
  t.match(underWay, { id: Number });
  const { id } = await quotas.begin('q');
  quotas.restores.begin();
  t.match(await verbs.restore({ version, dryRun: false }), { updated: 1 });
  quotas.restores.end();
  t.same((await quotas.status('q')).used, { pods: '1' }, 'one of two was before');
  t.equal(await quotas.end('q', id, { pods: '2' }), true, 'what was counted is no more');
  t.same((await quotas.status('q')).used, { pods: '1' });
  t.match(await quotas.reserve(['q'], { pods: '1' }), { id: Number });
  t.match(await quotas.reserve(['q'], { pods: '1' }), { refusal: /exceeded quota: q/ });
  quotas.ledger.settle({ id: 'id' in underWay ? underWay.id : 0, isMade: false });
  await turn();
  t.same((await quotas.status('q')).used, { pods: '1' });
});

t.test('a dry run is judged, and reserves nothing', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '1' });
  t.same(await quotas.reserve(['q'], { pods: '1' }, true), { id: 0 });
  t.match(await quotas.reserve(['q'], { pods: '2' }, true), { refusal: /exceeded quota: q/ });
  t.same((await quotas.status('q')).used, { pods: '0' });
});

t.test('it is reserved in all quotas or in none', async (t) => {
  const quotas = new Quotas();
  await quotas.make('a', { pods: '5' });
  await quotas.make('b', { pods: '1' });
  t.match(await quotas.reserve(['a', 'b'], { pods: '2' }), { refusal: /exceeded quota: b/ });
  t.same((await quotas.status('a')).used, { pods: '0' });
  t.match(await quotas.reserve(['a', 'b'], { pods: '1' }), { id: 3 });
  t.same((await quotas.status('a')).used, { pods: '1' });
  t.same((await quotas.status('b')).used, { pods: '1' });
});

t.test('reservations that come together are written together', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '100' });
  const before = quotas.log.appends.flat().length;
  quotas.log.hold();
  const reserved: Promise<QuotaReserved>[] = [];
  for (let turns = 0; turns < 10; turns++) {
    for (let count = 0; count < 5; count++) reserved.push(quotas.reserve(['q'], { pods: '1' }));
    await turn();
  }
  quotas.log.release();
  await Promise.all(reserved);
  t.equal(quotas.log.appends.flat().length - before, 2, 'one, and one behind it');
  t.same((await quotas.status('q')).used, { pods: '50' });
});

t.test('a replica need not know of them to be current', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '100' });
  const known = quotas.applied.length;
  await quotas.reserve(['q'], { pods: '1' });
  t.equal(quotas.applied.length, known);
  const { id } = await quotas.begin('q');
  await quotas.end('q', id, { pods: '3' });
  t.equal(quotas.applied.length, known + 1, 'but of a count');
});

t.test('what cannot be written is not reserved', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '1' });
  quotas.log.hold();
  const first = quotas.reserve(['q'], { pods: '1' });
  await turn();
  const refused = quotas.reserve(['q'], { pods: '1' });
  const failing = Promise.all([refusal(first), refusal(refused)]);
  quotas.log.fail('the disk is gone');
  for (const { code, message } of await failing) {
    t.match({ code, message }, { code: 500, message: /could not commit/ });
  }
  t.same(await quotas.reserve(['q'], { pods: '1' }), { id: 3 }, 'and can be reserved again');
});

t.test('a quota that is gone, or was made anew, limits nothing', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '0' });
  await quotas.subject.delete('q');
  t.same(await quotas.reserve(['q'], { pods: '1' }), { id: 0 });
  const reserved = quotas.reserve(['q'], { pods: '1' });
  await quotas.make('q', { pods: '0' });
  t.same(await reserved, { id: 0 });
});

t.test('a recount adds what it may have missed', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '9' });
  await quotas.reserve(['q'], { pods: '1' });
  const { id } = await quotas.begin('q');
  await quotas.reserve(['q'], { pods: '2' });
  quotas.ledger.settle({ id: 2, isMade: true });
  t.equal(await quotas.end('q', id, { pods: '4' }), true, 'another one may find less');
  t.same((await quotas.status('q')).used, { pods: '7' });
  t.equal(await quotas.end('q', id, { pods: '0' }), true, 'it is over');
  t.same((await quotas.status('q')).used, { pods: '7' });
});

t.test('a recount of what a quota was about before does not count', async (t) => {
  const quotas = new Quotas();
  await quotas.make('q', { pods: '9' });
  const { id } = await quotas.begin('q');
  const { object } = await quotas.subject.get('q');
  await quotas.subject.update({ ...object, spec: { hard: { secrets: '1' } } });
  t.equal(await quotas.end('q', id, { pods: '4' }), true);
  t.same((await quotas.status('q')).used, { pods: '0' });
  const { id: next, spec } = await quotas.begin('q');
  t.same(spec, { hard: { secrets: '1' } });
  t.equal(await quotas.end('q', next, { secrets: '4' }), false);
  t.same(await quotas.status('q'), { hard: { secrets: '1' }, used: { secrets: '4' } });
});
