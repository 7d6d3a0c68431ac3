/** How long a namespace with many objects takes to go, while another one is written to. */
import { inParallel, manyObject, manyPath, TWELVE_KINDS } from '../test/support/many-kinds.ts';
import { withServer } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import type { ResultRow } from './report.ts';

const OBJECTS = 10_000;
const FILL_IN_FLIGHT = 64;
const POLL_MS = 5;

export async function namespaceEnd(options: BenchOptions): Promise<ResultRow[]> {
  const objects = Math.min(OBJECTS, options.listObjects);
  const measure = async (bench: Bench): Promise<ResultRow[]> => {
    for (const name of ['doomed', 'spared']) await bench.createNamespace(name);
    await inParallel(objects, FILL_IN_FLIGHT, async (number) => {
      const { kind, object } = manyObject(number);
      await createObject(bench, manyPath(kind, 'doomed'), object);
    });
    const startedAt = performance.now();
    await bench.expectStatus(200, '/api/v1/namespaces/doomed', { method: 'DELETE' });
    let gone = false;
    let writes = 0;
    const write = async (): Promise<void> => {
      while (!gone) {
        const { kind, object } = manyObject(writes++);
        await createObject(bench, manyPath(kind, 'spared'), object);
      }
    };
    const writing = write();
    while ((await bench.fetch('/api/v1/namespaces/doomed')).status !== 404) await sleep(POLL_MS);
    const milliseconds = performance.now() - startedAt;
    gone = true;
    await writing;
    let left = 0;
    for (const kind of TWELVE_KINDS) {
      const answer = await bench.fetch(manyPath(kind, 'doomed'));
      left += ((await answer.json()) as { items: unknown[] }).items.length;
    }
    if (left > 0) throw new Error(`${left} objects of the namespace are left`);
    return [
      {
        scenario: `end of a namespace, ${objects} objects of ${TWELVE_KINDS.length} kinds`,
        'gone ms': Math.round(milliseconds),
        'writes/s beside': Math.round((writes * 1_000) / milliseconds),
      },
    ];
  };
  // Its twelve kinds are of groups that only the neutral dialect calls so.
  return withServer(options, measure, { domain: 'cluster.io' });
}

async function createObject(bench: Bench, path: string, object: unknown): Promise<void> {
  await bench.expectStatus(201, path, { method: 'POST', body: JSON.stringify(object) });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
