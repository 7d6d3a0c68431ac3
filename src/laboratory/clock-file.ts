/** Where the laboratory's clock is kept, so that it goes on over a restart. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../base/durable-file.ts';
import { MovedClock, type ClockSetting } from '../base/time/moved-clock.ts';

const FILE = 'laboratory-clock.json';

/** The clock of a data folder; a new one shows the time of the machine. */
export function openClock(dataDir: string): MovedClock {
  const clock = new MovedClock();
  const file = join(dataDir, FILE);
  const nowMs = Date.now();
  clock.set(
    existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as ClockSetting)
      : { serverMs: nowMs, machineMs: nowMs, factor: 1 },
  );
  return clock;
}

/** Sets the clock once that is on the disk. */
export function setClock(dataDir: string, clock: MovedClock, setting: ClockSetting): void {
  writeDurably(join(dataDir, FILE), `${JSON.stringify(setting)}\n`, 0o600);
  clock.set(setting);
}
