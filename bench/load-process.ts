/** The load generator's process: does the jobs that its parent asks for, and ends with it. */
import { runClosedLoop } from './closed-loop.ts';
import { readLists, readPages } from './list-load.ts';
import type { LoadCalls, LoadMessage, LoadRequest, LoadVerb } from './load-protocol.ts';
import { runPacedWrites } from './paced-writes.ts';
import { readForm, readFormPages } from './representation-load.ts';
import { WatchGroups } from './watch-load.ts';

interface Phase {
  readonly onMeasuring: () => void;
  readonly onMeasured: () => void;
}

type Runners = {
  [V in LoadVerb]: (job: LoadCalls[V]['job'], phase: Phase) => Promise<LoadCalls[V]['result']>;
};

const groups = new WatchGroups();
const RUNNERS: Runners = {
  closedLoop: runClosedLoop,
  pacedWrites: runPacedWrites,
  openWatches: (job) => groups.open(job),
  takeEvents: (job) => groups.takeEvents(job),
  resumeWatches: async ({ group }) => groups.resume(group),
  closeWatches: async ({ group }) => groups.close(group),
  readLists,
  readPages,
  readForm,
  readFormPages,
};

function tell(message: LoadMessage): void {
  process.send?.(message);
}

async function run<V extends LoadVerb>({ id, verb, job }: LoadRequest<V>): Promise<void> {
  const onMeasuring = (): void => tell({ id, kind: 'measuring' });
  const onMeasured = (): void => tell({ id, kind: 'measured' });
  try {
    const result = await RUNNERS[verb](job, { onMeasuring, onMeasured });
    tell({ id, kind: 'result', result });
  } catch (error) {
    tell({ id, kind: 'failed', message: (error as Error).stack ?? String(error) });
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (request: LoadRequest) => void run(request));
