import t from 'tap';
import { TRANSLATION_STEP_RECORDS } from '../../../src/limits.ts';
import { TranslatingLog } from '../../../src/shard/log/translating-log.ts';
import { MemoryStore } from '../../../src/storage/memory-store.ts';
import { encodeRecord, OPERATION, recordDomain, wireBytes } from '../../../src/storage/record.ts';
import type { RecordDomain } from '../../../src/storage/record.ts';
import type { LogEntry, TypeLog } from '../../../src/storage/store.ts';
import { turns } from '../../support/gate.ts';
import { HeldLog } from '../../support/held-log.ts';

const HEADER = { operation: OPERATION.added, timeMs: 0, previousRv: 0, labels: undefined };

function record(wire: string, domain: RecordDomain): Buffer {
  return encodeRecord({ ...HEADER, key: 'a', fields: [], domain }, wire);
}

/** Two languages of one word each; what else is said is the same in both. */
function translate(value: Uint8Array): Uint8Array {
  const wire = textOf(value);
  if (wire === 'yes') return record('ja', 'k8s.io');
  return wire === 'ja' ? record('yes', 'cluster.io') : value;
}

function textOf(value: Uint8Array | undefined): string {
  return value === undefined ? '' : Buffer.from(wireBytes(value)).toString();
}

function texts(log: TypeLog): string[] {
  const seen: string[] = [];
  log.scan(0, (rv, value) => {
    seen.push(`${rv} ${textOf(value)}`);
    return true;
  });
  return seen;
}

async function logOf(...wires: string[]): Promise<TypeLog> {
  const log = new MemoryStore().openLog('words');
  await log.append(wires.map((wire, at) => ({ rv: at + 1, value: record(wire, 'k8s.io') })));
  return log;
}

function newTranslation(log: TypeLog): TranslatingLog {
  return new TranslatingLog(log, 'cluster.io', translate);
}

t.test('readers see one dialect, before a record has had its turn and after', async (t) => {
  const stored = await logOf('ja', '-', 'ja');
  const log = newTranslation(stored);
  await log.append([{ rv: 4, value: record('ja', 'cluster.io') }]);
  const own = ['1 yes', '2 -', '3 yes', '4 ja'];
  t.same(texts(log), own, 'what is in it already is not translated');
  t.equal(textOf(log.read(3)), 'yes');
  t.equal(log.read(5), undefined);
  t.same(texts(stored), ['1 ja', '2 -', '3 ja', '4 ja']);
  t.equal(await log.run(), 2, 'what says the same in both is left as it is');
  t.same(texts(stored), own);
  t.same(texts(log), own);
  const first = stored.read(1);
  t.equal(first && recordDomain(first), 'cluster.io');
  t.equal(await newTranslation(stored).run(), 0, 'nothing is left for another run');
});

t.test('records are rewritten in steps, between which others have their turn', async (t) => {
  const count = 2 * TRANSLATION_STEP_RECORDS + 1;
  const stored = await logOf(...Array.from({ length: count }, () => 'ja'));
  const steps: number[] = [];
  const rewrite = stored.rewrite.bind(stored);
  stored.rewrite = (entries: readonly LogEntry[]) => {
    steps.push(entries.length);
    return rewrite(entries);
  };
  let isDone = false;
  let others = 0;
  const run = newTranslation(stored)
    .run()
    .finally(() => (isDone = true));
  while (!isDone) {
    others++;
    await turns(1);
  }
  t.equal(await run, count);
  t.same(steps, [TRANSLATION_STEP_RECORDS, TRANSLATION_STEP_RECORDS, 1]);
  t.ok(others > steps.length, `${others} turns`);
});

t.test('a version that is being dropped does not come back', async (t) => {
  const stored = await logOf('ja', 'ja', 'ja');
  const held = new HeldLog(stored);
  const log = newTranslation(held);
  held.hold();
  const dropped = log.append([], { rvs: [1, 2], horizon: 3 });
  const run = log.run();
  await turns();
  held.release();
  await dropped;
  t.equal(await run, 1);
  t.same(texts(stored), ['3 yes']);
  t.equal(log.horizon(), 3);
});

t.test('a version that was not dropped after all is translated', async (t) => {
  const stored = await logOf('ja', 'ja', 'ja');
  const held = new HeldLog(stored);
  const log = newTranslation(held);
  held.hold();
  const dropped = log.append([], { rvs: [2], horizon: 3 });
  const run = log.run();
  await turns();
  held.fail('no space left');
  await t.rejects(dropped, { message: 'no space left' });
  await t.rejects(run, { message: 'no space left' }, 'nor was anything rewritten');
  t.same(texts(log), ['1 yes', '2 yes', '3 yes'], 'readers do not see that');
  t.same(texts(stored), ['1 ja', '2 ja', '3 ja']);
  t.equal(await log.run(), 3, 'the next run begins again');
  t.same(texts(stored), ['1 yes', '2 yes', '3 yes']);
});

t.test('a run that is stopped tells of no end, and the next one goes on', async (t) => {
  const count = TRANSLATION_STEP_RECORDS + 1;
  const stored = await logOf(...Array.from({ length: count }, () => 'ja'));
  const log = newTranslation(stored);
  const run = log.run();
  log.stop();
  t.equal(await run, undefined);
  const again = newTranslation(stored);
  t.equal(await again.run(), 1);
  t.equal(
    texts(stored).every((text) => text.endsWith(' yes')),
    true,
  );
});
