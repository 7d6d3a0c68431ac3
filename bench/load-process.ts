/** The load generator's process: takes jobs from its parent, one at a time, and ends with it. */
import { runClosedLoop } from './closed-loop.ts';
import type { ClosedLoopJob, LoadMessage, WatchJob } from './load-protocol.ts';
import { runWatchLoad } from './watch-load.ts';

function tell(message: LoadMessage): void {
  process.send?.(message);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (job: ClosedLoopJob | WatchJob) => {
  const onMeasuring = (): void => tell({ kind: 'measuring' });
  const onMeasured = (): void => tell({ kind: 'measured' });
  const run =
    job.job === 'watch'
      ? runWatchLoad(job, onMeasuring, onMeasured)
      : runClosedLoop(job, { onMeasuring, onMeasured });
  run.then(
    (result) => tell({ kind: 'result', result }),
    (error: Error) => tell({ kind: 'failed', message: error.stack ?? error.message }),
  );
});
