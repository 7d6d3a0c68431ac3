/**
 * A log that holds records in the other dialect (../README.md#the-other-dialect). Readers get each
 * in the server's own: those that have not had their turn are translated on the way. `run` gives
 * them their turn, in place and under the same version, so that nobody who reads needs to know.
 */
import {
  COMPACTION_PAUSE_MS,
  TRANSLATION_STEP_BYTES,
  TRANSLATION_STEP_RECORDS,
} from '../../limits.ts';
import { recordDomain } from '../../storage/record.ts';
import type { RecordDomain } from '../../storage/record.ts';
import type { LogEntry, Removal, TypeLog } from '../../storage/store.ts';
import { DecoratedLog } from '../../storage/decorated-log.ts';

/** A record in the other dialect; the same array when there is nothing to translate. */
type Translate = (record: Uint8Array) => Uint8Array;

interface Step {
  readonly translated: readonly LogEntry[];
  /** Up to where records were looked at. */
  readonly lastRv: number;
  readonly isEnd: boolean;
}

export class TranslatingLog extends DecoratedLog {
  readonly #domain: RecordDomain;
  readonly #translate: Translate;
  readonly #removals = new Set<Removal>();
  /** The first version that was passed over because it was about to be dropped. */
  #passedOver = Infinity;
  #isDone = false;
  #stopped = false;

  /** `domain` is the server's own. */
  constructor(log: TypeLog, domain: RecordDomain, translate: Translate) {
    super(log);
    this.#domain = domain;
    this.#translate = translate;
  }

  override async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    if (removal !== undefined) this.#removals.add(removal);
    try {
      await super.append(entries, removal);
    } finally {
      if (removal !== undefined) this.#removals.delete(removal);
    }
  }

  override asRead(record: Uint8Array): Uint8Array {
    if (this.#isDone || recordDomain(record) === this.#domain) return record;
    return this.#translate(record);
  }

  /**
   * Rewrites the records of the other dialect, a step in a turn; resolves with how many there were,
   * or with undefined when it was stopped. Rejects when a commit fails: what is left is then
   * translated on the way, and the next run goes on with it.
   */
  async run(): Promise<number | undefined> {
    let records = 0;
    let afterRv = 0;
    while (!this.#stopped) {
      const { translated, lastRv, isEnd } = this.#step(afterRv);
      if (translated.length > 0) await this.log.rewrite(translated);
      records += translated.length;
      afterRv = lastRv;
      if (isEnd) {
        if (this.#passedOver === Infinity) {
          this.#isDone = true;
          return records;
        }
        afterRv = this.#passedOver - 1;
        this.#passedOver = Infinity;
      }
      await new Promise((resolve) => setTimeout(resolve, COMPACTION_PAUSE_MS));
    }
    return undefined;
  }

  /** Rewrites no more. */
  stop(): void {
    this.#stopped = true;
  }

  #step(afterRv: number): Step {
    const translated: LogEntry[] = [];
    const leaving = new Set<number>();
    for (const { rvs } of this.#removals) {
      for (let at = 0; at < rvs.length; at++) leaving.add(rvs[at] ?? 0);
    }
    let lastRv = afterRv;
    let records = 0;
    let bytes = 0;
    let isEnd = true;
    this.log.scan(afterRv, (rv, record) => {
      if (records === TRANSLATION_STEP_RECORDS || bytes >= TRANSLATION_STEP_BYTES) {
        isEnd = false;
        return false;
      }
      records++;
      lastRv = rv;
      if (recordDomain(record) === this.#domain) return true;
      bytes += record.length;
      // Rewritten now it would be there again after its removal has been asked for.
      if (leaving.has(rv)) {
        this.#passedOver = Math.min(this.#passedOver, rv);
        return true;
      }
      const value = this.#translate(record);
      if (value !== record) translated.push({ rv, value });
      return true;
    });
    return { translated, lastRv, isEnd };
  }
}
