/** A client that keeps moments and has the server go back to them, over its ends. */
import type { Random } from '../support/random.ts';
import { pause, repeat, type LiveRun } from './live-run.ts';

const SNAPSHOTS = '/shardplane/lab/v1/snapshots';
const RESTORES_MAX = 6;

/** One snapshot after the other: what was restored to one does not come back after the next. */
export async function restorer(run: LiveRun, random: Random): Promise<void> {
  let taken = 0;
  await repeat(run, async () => {
    taken++;
    const name = `s${taken}`;
    const version = await keep(run, name);
    for (let left = 1 + random.below(RESTORES_MAX); left > 0 && version > 0; left--) {
      await pause(run, 50 + random.below(400));
      await run.whenUp();
      if (run.isFinishing) return;
      await restore(run, name, version);
    }
    await give(run, name);
  });
}

/** The version of a snapshot, which outlives an end of the server; 0 where the run is over. */
async function keep(run: LiveRun, name: string): Promise<number> {
  while (!run.isFinishing) {
    await run.whenUp();
    const made = await run.ask('POST', SNAPSHOTS, { name });
    if (made?.status === 201) return Number(made.json.version);
    // The answer was cut off: it may be there.
    if (made !== undefined && made.status !== 409) throw refused('a snapshot', made.text);
    const found = made && (await run.ask('GET', `${SNAPSHOTS}/${name}`));
    if (found?.status === 200) return Number(found.json.version);
  }
  return 0;
}

async function restore(run: LiveRun, name: string, version: number): Promise<void> {
  const start = run.now();
  const answer = await run.ask('POST', `${SNAPSHOTS}/${name}/restore`, {});
  const outcome = answer?.status === 200 ? 'acknowledged' : 'unknown';
  run.record({ record: 'restore', version, start, end: run.now(), outcome });
  // A server that is about to end is busy.
  if (answer === undefined || answer.status === 200 || answer.status === 503) return;
  throw refused('a restore', answer.text);
}

async function give(run: LiveRun, name: string): Promise<void> {
  await run.whenUp();
  const answer = await run.ask('DELETE', `${SNAPSHOTS}/${name}`);
  if (answer === undefined || [200, 404, 503].includes(answer.status)) return;
  throw refused('the end of a snapshot', answer.text);
}

function refused(what: string, text: string): Error {
  return new Error(`${what} was answered ${text}`);
}
