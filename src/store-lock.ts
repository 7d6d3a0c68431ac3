/** One server per data folder: the owner is written into the store under its write lock. */
import { readFileSync } from 'node:fs';
import { StoreError } from './storage/store.ts';
import type { Store } from './storage/store.ts';

const OWNER = 'owner';

interface Owner {
  readonly pid: number;
  /** Tells a process from a later one with the same number; '' where the system does not say. */
  readonly startedAt: string;
}

/** When a process started, in the system's ticks since boot, with the boot it belongs to. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The command, in parentheses, may itself hold blanks; the start time is the 22nd field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // It has ended, but its parent has not asked yet how.
    if (fields[0] === 'Z') return '';
    return `${boot}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}

function isRunning({ pid, startedAt }: Owner): boolean {
  if (pid === process.pid) return startedAt === startOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return startedAt === '' || startOf(pid) === startedAt;
}

/** Throws StoreError while another process that runs has the folder. */
export function claimStore(store: Store, dataDir: string): void {
  store.swapSetting(OWNER, (text) => {
    const owner = text === undefined || text === '' ? undefined : (JSON.parse(text) as Owner);
    if (owner !== undefined && isRunning(owner)) {
      throw new StoreError(
        `the data folder ${dataDir} is in use by process ${owner.pid}: ` +
          'stop that server, or choose another --data-dir',
      );
    }
    return JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) });
  });
}

/** Another server may take the folder from now on. */
export async function releaseStore(store: Store): Promise<void> {
  await store.putSetting(OWNER, '');
}
