/** Processor time and memory of a process, from /proc (Linux only). */
import { readFileSync, writeFileSync } from 'node:fs';

/** The kernel reports processor time in ticks of 10 ms. */
export const MILLISECONDS_PER_TICK = 10;

/** Processor time of all threads, ended ones included, user and system, of these together. */
export function cpuMilliseconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMillisecondsOf(pid), 0);
}

function cpuMillisecondsOf(pid: number): number {
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

function statusMegabytes(pid: number): (name: string) => number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (name) => Math.round((kibibytesIn(status, name) * 10) / 1024) / 10;
}

export function memoryOf(pid: number): Memory {
  const megabytes = statusMegabytes(pid);
  return {
    rssMb: megabytes('VmRSS'),
    anonMb: megabytes('RssAnon'),
    fileMb: megabytes('RssFile') + megabytes('RssShmem'),
  };
}

export interface Resident {
  readonly rssMb: number;
  /** Pages that processes share are counted in parts. */
  readonly pssMb: number;
  /** The part of it that the system cannot take back, as it can pages of files. */
  readonly anonMb: number;
}

/** Resident memory of these processes together. */
export function residentOf(pids: readonly number[]): Resident {
  const rollups = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  const megabytes = (name: string): number =>
    rollups.reduce((sum, text) => sum + kibibytesIn(text, name) / 1024, 0);
  return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss'), anonMb: megabytes('Pss_Anon') };
}

function kibibytesIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}

const SAMPLE_MS = 20;

/** Watches the memory of a process from its making until `stop`. */
export class PeakMemory {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #anonMb = 0;
  #fileMb = 0;

  constructor(pid: number) {
    this.#pid = pid;
    // The kernel's own peak of the resident set begins anew.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#sample();
  }

  /** `rssMb` is exact, the parts are from samples and need not be of the same moment. */
  stop(): Memory {
    clearInterval(this.#timer);
    this.#sample();
    const rssMb = statusMegabytes(this.#pid)('VmHWM');
    return { rssMb, anonMb: this.#anonMb, fileMb: this.#fileMb };
  }

  #sample(): void {
    const { anonMb, fileMb } = memoryOf(this.#pid);
    this.#anonMb = Math.max(this.#anonMb, anonMb);
    this.#fileMb = Math.max(this.#fileMb, fileMb);
  }
}

/** Connections of 127.0.0.1 from this port that have more than so many bytes unsent. */
export function blockedSockets(port: number, bytes: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1] === local)
    .filter((fields) => Number.parseInt(fields[4]?.split(':')[0] ?? '0', 16) > bytes).length;
}
