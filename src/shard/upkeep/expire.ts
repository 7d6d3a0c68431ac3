/**
 * Expiry of objects by the time of their last write, without any memory of them: the log is in the
 * order of that time, so one walk that goes on where it ended finds what is due. An entry counts if
 * it is what the table holds of its object; an object that was written later has a later entry.
 */
import { EXPIRY_STEP_RECORDS, EXPIRY_STEP_REMOVALS } from '../../limits.ts';
import type { Shard } from '../state/shard.ts';
import { runWrite } from '../write/driver.ts';
import { removal } from '../write/removal.ts';
import type { Steps } from '../../proposals/steps.ts';
import { NO_BODY, type Outcome, type Write } from '../write/write.ts';

interface Due {
  readonly key: string;
  readonly rv: number;
}

interface Step {
  readonly due: readonly Due[];
  /** Up to where the walk has come. */
  readonly lastRv: number;
  readonly isEnd: boolean;
}

export class Expiry {
  readonly #shard: Shard;
  #afterRv = 0;
  #walk: Promise<number> | undefined;

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /**
   * Removes what was last written at that time or before, finalizers or not, as a store does that
   * forgets by itself; resolves with how many objects. Rejects when a commit fails: the next call
   * begins there again.
   */
  expire(writtenUntilMs: number): Promise<number> {
    this.#walk ??= this.#run(writtenUntilMs).finally(() => (this.#walk = undefined));
    return this.#walk;
  }

  async #run(writtenUntilMs: number): Promise<number> {
    const { table } = this.#shard;
    let expired = 0;
    for (let isEnd = false; !isEnd && !this.#shard.stopping;) {
      const step = this.#look(writtenUntilMs);
      await this.#remove(step.due);
      // If the later write of an object fails, the next walk finds the object.
      const left = step.due.find(({ key, rv }) => table.get(key)?.rv === rv);
      this.#afterRv = left === undefined ? step.lastRv : left.rv - 1;
      expired += step.due.length - (left === undefined ? 0 : 1);
      isEnd = step.isEnd || left !== undefined;
      await new Promise(setImmediate);
    }
    return expired;
  }

  #look(writtenUntilMs: number): Step {
    const due: Due[] = [];
    let lastRv = this.#afterRv;
    let read = 0;
    let isEnd = true;
    this.#shard.headers.scan(this.#afterRv, (rv, { key, timeMs }) => {
      if (read === EXPIRY_STEP_RECORDS || due.length === EXPIRY_STEP_REMOVALS) {
        isEnd = false;
        return false;
      }
      // Writes that are not applied yet will change the table: look again after them.
      if (timeMs > writtenUntilMs || rv > this.#shard.pipeline.appliedRv) return false;
      read++;
      lastRv = rv;
      if (this.#shard.table.get(key)?.rv === rv) due.push({ key, rv });
      return true;
    });
    return { due, lastRv, isEnd };
  }

  async #remove(due: readonly Due[]): Promise<void> {
    let failure: Error | undefined;
    const answer = {
      reply: () => undefined,
      fail: (error: unknown) => void (failure ??= error as Error),
    };
    for (const one of due) runWrite(this.#shard, (write) => expired(write, one), answer);
    await this.#shard.pipeline.settled();
    if (failure !== undefined) throw failure;
  }
}

/** Skips an object that is being written. */
function* expired(write: Write, { key, rv }: Due): Steps<Outcome> {
  const stored = write.latest(key);
  write.admitUnasked('nobody asks for it: the object ends as in a store that forgets by itself');
  const changes = stored?.rv === rv ? [removal(write.shard, key, stored)] : [];
  return { changes, reply: { code: 200 }, body: NO_BODY };
}
