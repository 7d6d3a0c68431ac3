/**
 * Reservations, recounts, deletions, failures and crashes in any order: at no time is there more
 * than a quota allows, nor more than it says; at the end it says exactly what there is.
 */
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { RESOURCE_QUOTA } from '../../src/resources/core/resource-quota.ts';
import { QuotaLedger } from '../../src/shard/upkeep/quota-ledger.ts';
import type { QuotaCalls } from '../../src/quota/quota-protocol.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { HeldLog } from '../support/held-log.ts';
import { Random, seedFrom } from '../support/random.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

const HARD = 6;
const STEPS = 250;
const RUNS = 8;
const AT = { namespace: 'default', name: 'q' };

interface Writing {
  readonly id: number;
  readonly size: number;
}

/** A quota of `pods`, of which each write makes some at once. */
class World {
  readonly #random: Random;
  readonly #store = new MemoryStore().openLog('quotas');
  #subject: ShardUnderTest;
  #ledger: QuotaLedger;
  #log: HeldLog;
  #uid = '';
  /** The committed objects. */
  readonly objects: number[] = [];
  /** Reserved, and not made yet. */
  #writing: Writing[] = [];
  /** Made, while the shard of quotas has not been told yet. */
  #untold: { readonly id: number; readonly isMade: boolean }[] = [];
  #recount: { readonly id: number; found: number | undefined } | undefined;
  /** Lives of the server: a crash ends one. */
  #life = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#log = new HeldLog(this.#store);
    this.#subject = new ShardUnderTest({ definition: RESOURCE_QUOTA, log: this.#log });
    this.#ledger = new QuotaLedger(this.#subject.shard);
  }

  async begin(): Promise<void> {
    const metadata = { ...AT };
    const spec = { hard: { pods: String(HARD) } };
    const { object } = await this.#subject.create({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata,
      spec,
    });
    this.#uid = object.metadata?.uid ?? '';
    await this.recountAll();
  }

  get total(): number {
    return this.objects.reduce((sum, size) => sum + size, 0);
  }

  /** As any reader sees it. */
  async used(): Promise<number> {
    const { object } = await this.#subject.get('q');
    return Number(object['status'].used.pods);
  }

  async step(): Promise<void> {
    const random = this.#random;
    switch (random.below(10)) {
      case 0:
      case 1:
      case 2:
        this.#reserve(1 + random.below(3));
        break;
      case 3:
      case 4:
        this.#finishWrite(random.below(4) > 0);
        break;
      case 5:
        this.#tell();
        break;
      case 6:
        if (random.below(2) === 0) this.objects.splice(random.below(this.objects.length + 1), 1);
        break;
      case 7:
        await this.#recountStep();
        break;
      case 8:
        if (random.below(2) === 0) this.#log.hold();
        else this.#log.release();
        break;
      default:
        if (random.below(4) === 0) this.#log.fail('the disk is gone');
        if (random.below(12) === 0) await this.#crash();
    }
    for (let turns = random.below(4); turns > 0; turns--) await turn();
  }

  /** All that is under way comes to its end. */
  async settle(): Promise<void> {
    this.#log.release();
    await turn();
    await this.#subject.shard.pipeline.idle();
    while (this.#writing.length > 0) this.#finishWrite(true);
    while (this.#untold.length > 0) this.#tell();
    await turn();
    await this.#subject.shard.pipeline.idle();
    this.#recount = undefined;
  }

  async recountAll(): Promise<boolean> {
    const { reply } = await this.#ask('beginRecount', AT);
    const found = { pods: String(this.total) };
    const ended = await this.#ask('endRecount', { ...AT, id: reply?.id ?? 0, found });
    return ended.reply.isRough;
  }

  #ask<V extends 'reserve' | 'beginRecount' | 'endRecount'>(
    verb: V,
    request: QuotaCalls[V]['request'],
  ) {
    const ledger = this.#ledger;
    const { pipeline } = this.#subject.shard;
    return answered<QuotaCalls[V]['reply']>((answer) => {
      const verbs = {
        reserve: ledger.reserve.bind(ledger),
        beginRecount: ledger.beginRecount.bind(ledger),
        endRecount: ledger.endRecount.bind(ledger),
      };
      (verbs[verb] as (request: unknown, answer: unknown) => void)(request, answer);
      pipeline.kick();
    });
  }

  #reserve(size: number): void {
    const life = this.#life;
    const quotas = [{ name: 'q', uid: this.#uid }];
    const request = { namespace: 'default', quotas, amounts: { pods: String(size) } };
    this.#ask('reserve', { ...request, dryRun: false }).then(
      ({ reply }) => {
        // Who has asked has died as well.
        if (life === this.#life && 'id' in reply) this.#writing.push({ id: reply.id, size });
      },
      () => undefined,
    );
  }

  #finishWrite(isMade: boolean): void {
    const [writing] = this.#writing.splice(this.#random.below(this.#writing.length), 1);
    if (writing === undefined) return;
    if (isMade) this.objects.push(writing.size);
    this.#untold.push({ id: writing.id, isMade });
  }

  #tell(): void {
    const told = this.#untold.shift();
    if (told !== undefined) this.#ledger.settle(told);
  }

  /** A recount begins, looks at what there is, and ends: with anything in between. */
  async #recountStep(): Promise<void> {
    const recount = this.#recount;
    if (recount === undefined) {
      const { reply } = await this.#ask('beginRecount', AT);
      this.#recount = reply === null ? undefined : { id: reply.id, found: undefined };
    } else if (recount.found === undefined) {
      recount.found = this.total;
    } else {
      const { id, found } = recount;
      this.#recount = undefined;
      // A failed write is counted again later.
      this.#ask('endRecount', { ...AT, id, found: { pods: String(found) } }).catch(() => undefined);
    }
  }

  /** Committed objects stay; nobody is told of the rest. */
  async #crash(): Promise<void> {
    this.#life++;
    this.#log.fail('the process is gone');
    await turn();
    this.#writing = [];
    this.#untold = [];
    this.#recount = undefined;
    this.#log = new HeldLog(this.#store);
    const { clock } = this.#subject;
    this.#subject = new ShardUnderTest({ definition: RESOURCE_QUOTA, log: this.#log, clock });
    this.#ledger = new QuotaLedger(this.#subject.shard);
  }
}

t.test('whatever happens, a quota holds', async (t) => {
  const first = seedFrom('QUOTA_SEED');
  let most = 0;
  for (let run = 0; run < RUNS; run++) {
    const seed = first + run;
    const world = new World(seed);
    await world.begin();
    for (let step = 0; step < STEPS; step++) {
      await world.step();
      const used = await world.used();
      const { total } = world;
      if (total > used) t.fail(`QUOTA_SEED=${seed}: step ${step}: ${total} exist, used: ${used}`);
      if (total > HARD) t.fail(`QUOTA_SEED=${seed}: step ${step}: ${total} exist of ${HARD}`);
      most = Math.max(most, total);
    }
    await world.settle();
    t.equal(await world.recountAll(), false, `QUOTA_SEED=${seed}: nothing is left under way`);
    t.equal(await world.used(), world.total, `QUOTA_SEED=${seed}: it says what there is`);
  }
  t.ok(most > HARD / 2, 'much of it was used at some time');
});
