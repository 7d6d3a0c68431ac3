/** The watches of one scope: they share the memory of what they read, and lists that wait. */
import type { ApiClient } from './api-client.ts';
import type { Counters } from './counters.ts';
import type { Findings } from './findings.ts';
import type { Gate } from './gate.ts';
import { ListError, readList } from './list-state.ts';
import type { ListState } from './list-state.ts';
import type { Scope } from './scope.ts';
import { StreamMemo } from './stream-memo.ts';
import type { WriteLog } from './write-log.ts';

/** The parts of a run that all watches share. */
export interface RunParts {
  readonly client: Pick<ApiClient, 'request'>;
  readonly log: WriteLog;
  readonly findings: Findings;
  readonly counters: Counters;
  readonly listGate: Gate;
  readonly writers: number;
}

const GONE_ATTEMPTS_MAX = 5;

export class WatchGroup {
  readonly scope: Scope;
  readonly memo: StreamMemo;
  readonly #parts: RunParts;
  #waitingList: Promise<ListState> | undefined;

  constructor(scope: Scope, memoBytesMax: number, parts: RunParts) {
    this.scope = scope;
    this.memo = new StreamMemo(scope, memoBytesMax);
    this.#parts = parts;
  }

  /**
   * A list that is asked for after this call: watches that wait for one at the same time share it.
   * Rejects as `readList` does.
   */
  async list(): Promise<ListState> {
    this.#waitingList ??= this.#listInTurn();
    return this.#waitingList;
  }

  async #listInTurn(): Promise<ListState> {
    const { listGate } = this.#parts;
    await listGate.enter();
    this.#waitingList = undefined;
    try {
      return await this.#listNow();
    } finally {
      listGate.leave();
    }
  }

  async #listNow(): Promise<ListState> {
    const { client, writers, log, findings, counters } = this.#parts;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const list = await readList(client, this.scope, writers, log, findings);
        counters.lists += 1;
        return list;
      } catch (error) {
        // Its version became too old between two pages: clients begin again.
        const isGone = error instanceof ListError && error.status === 410;
        if (!isGone || attempt === GONE_ATTEMPTS_MAX) throw error;
        counters.gone += 1;
      }
    }
  }
}
