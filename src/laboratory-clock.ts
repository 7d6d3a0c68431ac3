/** The clock of the laboratory. */
import { waitForParent } from './base/wait-for-parent.ts';
import { chooseClock } from './base/time/server-clock.ts';
import type { Config } from './config/config.ts';

/** Has this thread and those that it starts go by it, unless the machine's counts. */
export async function goByLaboratoryClock({ laboratory, dataDir }: Config): Promise<void> {
  if (!laboratory.movesClock) return;
  const { openClock } = await import('./laboratory/clock-file.ts');
  // The clock of a fork stands in its folder.
  waitForParent();
  chooseClock(openClock(dataDir));
}
