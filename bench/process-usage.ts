/** Processor time and memory of a process, from /proc (Linux only). */
import { readFileSync } from 'node:fs';

/** The kernel reports processor time in ticks of 10 ms. */
const MILLISECONDS_PER_TICK = 10;

/** Processor time of all threads, ended ones included, user and system. */
export function cpuMilliseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses that may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK;
}

export interface Memory {
  readonly rssMb: number;
  readonly anonMb: number;
  /** Mapped files: binaries, and the pages of the store. */
  readonly fileMb: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return {
    rssMb: megabytes('VmRSS'),
    anonMb: megabytes('RssAnon'),
    fileMb: megabytes('RssFile') + megabytes('RssShmem'),
  };
}
