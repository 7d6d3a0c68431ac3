/** Writes that wait for their commit keep little in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { HeldLog } from '../support/held-log.ts';
import { configMap, type TestObject } from '../support/kinds.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

t.test('writes that wait for the disk keep their bytes, not their objects', async (t) => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  const annotations = { large: 'x'.repeat(100_000) };
  const bytesKeptBy = async (write: (at: number) => Promise<unknown>): Promise<number> => {
    log.hold();
    const before = heapBytes();
    const outcomes = Array.from({ length: 100 }, (_, at) => write(at));
    const kept = heapBytes() - before;
    log.release();
    await Promise.all(outcomes);
    return kept;
  };
  const object = (at: number, a: string): TestObject => configMap(`x${at}`, { a }, { annotations });
  t.ok((await bytesKeptBy((at) => subject.create(object(at, '1')))) < 3_000_000);
  t.ok((await bytesKeptBy((at) => subject.update(object(at, '2')))) < 3_000_000);
  t.ok((await bytesKeptBy((at) => subject.delete(`x${at}`))) < 3_000_000);
});
