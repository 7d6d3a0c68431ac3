/** The clock of one process, and where its connections lead (`faulty-process.c`). */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compilePreload } from '../../../tools/compile-preload.ts';

const PORTS_AT = 8;
const PAIR_BYTES = 4;
const PAIRS_MAX = 16;

/** Compiles the library into `folder`. Throws PreloadError. */
export function compileFaultyProcess(folder: string): string {
  return compilePreload(join(import.meta.dirname, 'faulty-process.c'), folder);
}

export class FaultyProcess {
  /** What the process is started with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #file: number;

  /** `ports` says where connections to a port of this machine are led. */
  constructor(library: string, file: string, ports: ReadonlyMap<number, number>) {
    this.environment = { LD_PRELOAD: library, FAULTY_PROCESS_FILE: file };
    this.#file = openSync(file, 'w+');
    const bytes = Buffer.alloc(PORTS_AT + PAIR_BYTES * PAIRS_MAX);
    for (const [at, [from, to]] of [...ports].entries()) {
      bytes.writeUInt16LE(from, PORTS_AT + at * PAIR_BYTES);
      bytes.writeUInt16LE(to, PORTS_AT + at * PAIR_BYTES + 2);
    }
    writeSync(this.#file, bytes);
  }

  /** From now on the clock of the day is so much ahead of that of the machine; or behind it. */
  setClock(aheadMs: number): void {
    const ahead = Buffer.alloc(PORTS_AT);
    ahead.writeBigInt64LE(BigInt(Math.round(aheadMs)) * 1_000_000n);
    writeSync(this.#file, ahead, 0, ahead.length, 0);
  }
}
