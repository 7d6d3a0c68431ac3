/** The job of a thread that makes a backup of the store of a running server. */
import { constants, cpus, setPriority } from 'node:os';
import { joinStore } from '../storage/open-store.ts';
import type { StorePlace } from '../storage/open-store.ts';
import { backupFrames } from './write-backup.ts';
import type { BackupFacts } from './write-backup.ts';

/** A machine of which less is idle is busy: then a frame is followed by a rest. */
const IDLE_PART_MIN = 0.3;
/** A frame takes some 20 ms of a core, with what its client does. */
const REST_MS = 250;

/** Cells of the gate: how many frames may be sent, and whether nobody wants more. */
export const GATE = { wanted: 0, ended: 1 } as const;

export interface BackupJob {
  readonly place: StorePlace;
  readonly version: number;
  readonly facts: BackupFacts;
  /** Takes the frames. */
  readonly port: FramesPort;
  /** Int32Array: the job sends as many frames as its first cell says, and waits. */
  readonly gate: SharedArrayBuffer;
}

/** The end of a channel. */
interface FramesPort {
  postMessage(frame: Uint8Array, transfer: readonly ArrayBuffer[]): void;
  close(): void;
}

/**
 * Sends a backup frame by frame, and resolves when all has been sent. It runs in one turn, so that
 * all that it reads is of one moment. Rejects with BackupError and StoreError.
 */
export async function makeBackup({ place, version, facts, port, gate }: BackupJob): Promise<void> {
  const cells = new Int32Array(gate);
  const isEnded = (): boolean => Atomics.load(cells, GATE.ended) === 1;
  // Who ends it waits for this thread, which takes long once others go before.
  if (isEnded()) return port.close();
  yieldToOthers();
  const store = joinStore(place);
  try {
    let sent = 0;
    const load = new MachineLoad();
    for (const frame of backupFrames(store.moment(), version, facts, isEnded)) {
      const bytes = Uint8Array.from(frame);
      port.postMessage(bytes, [bytes.buffer]);
      sent++;
      while (Atomics.load(cells, GATE.wanted) <= sent && !isEnded()) {
        Atomics.wait(cells, GATE.wanted, sent);
      }
      if (load.idlePart() < IDLE_PART_MIN) Atomics.wait(cells, GATE.ended, 0, REST_MS);
    }
  } finally {
    await store.close();
    port.close();
  }
}

/** How busy the processors of the machine are, with all that runs on it. */
class MachineLoad {
  #before = processorTimes();

  /** The part of their time in which they had nothing to do, since this was asked last. */
  idlePart(): number {
    const now = processorTimes();
    const [all, idle] = [now.all - this.#before.all, now.idle - this.#before.idle];
    this.#before = now;
    return all === 0 ? 1 : idle / all;
  }
}

/** In ms, since the machine was started. */
function processorTimes(): { readonly all: number; readonly idle: number } {
  let [all, idle] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.idle + times.user + times.nice + times.sys + times.irq;
  }
  return { all, idle };
}

/**
 * On Linux a priority is of a thread: this one gets a tenth of what others do who want to run. With
 * the lowest it would get a hundredth, and a server on a busy machine could not end in time.
 */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}
