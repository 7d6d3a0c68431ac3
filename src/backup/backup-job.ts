/** The job of a thread that makes a backup of the store of a running server. */
import { constants, setPriority } from 'node:os';
import { joinStore } from '../storage/open-store.ts';
import type { StorePlace } from '../storage/open-store.ts';
import { backupFrames } from './write-backup.ts';
import type { BackupFacts } from './write-backup.ts';

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
  yieldToOthers();
  const cells = new Int32Array(gate);
  const store = joinStore(place);
  try {
    let sent = 0;
    for (const frame of backupFrames(store.moment(), version, facts)) {
      const bytes = Uint8Array.from(frame);
      port.postMessage(bytes, [bytes.buffer]);
      sent++;
      while (Atomics.load(cells, GATE.wanted) <= sent && Atomics.load(cells, GATE.ended) === 0) {
        Atomics.wait(cells, GATE.wanted, sent);
      }
      if (Atomics.load(cells, GATE.ended) === 1) return;
    }
  } finally {
    await store.close();
    port.close();
  }
}

/** On Linux a priority is of a thread: this one runs where no other one wants to. */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
}
