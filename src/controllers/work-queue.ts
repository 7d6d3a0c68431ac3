/**
 * The work of a controller, as the names of objects that it has to look at: each at most once at a
 * time, again if it was named meanwhile, and again later when it failed.
 */
import type { Timers } from '../base/time/timers.ts';
import {
  CONTROLLER_RETRY_MS,
  CONTROLLER_RETRY_MS_MAX,
  CONTROLLER_WORK_AT_ONCE,
} from '../limits.ts';
import { WorkQueueMetrics } from './work-queue-metrics.ts';
import { isRefusal } from '../semantics/errors/status.ts';

export interface WorkQueueOptions {
  /** As metrics call it. */
  readonly name: string;
  /** Brings what the key names to what it should be; what it rejects with is tried again. */
  readonly work: (key: string) => Promise<void>;
  readonly timers: Timers;
  readonly logError: (text: string) => void;
}

/** Rejects work for which it is only too early: it is tried again, and not logged. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
}

/** Holds at most as many keys as there are objects that they name. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** In the order in which they came. */
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  readonly #metrics: WorkQueueMetrics;
  /** The failures of each key since it last went well. */
  readonly #failures = new Map<string, number>();
  /** The look that each key is due for later. */
  readonly #later = new Map<string, { readonly dueMs: number; readonly cancel: () => void }>();
  #onIdle: (() => void)[] = [];
  #isStopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#metrics = new WorkQueueMetrics(options.name);
  }

  /** Has it looked at now, or once the look that is under way is over. */
  add(key: string): void {
    if (this.#isStopped) return;
    if (!this.#waiting.has(key)) this.#metrics.added(key);
    this.#waiting.add(key);
    this.#begin();
  }

  /**
   * Has it looked at after so long, by other timers where it waits for the server's time; of
   * several such looks the soonest counts.
   */
  addAfter(key: string, ms: number, timers = this.#options.timers): void {
    const dueMs = performance.now() + ms;
    const due = this.#later.get(key);
    if (this.#isStopped || (due !== undefined && due.dueMs <= dueMs)) return;
    due?.cancel();
    const cancel = timers.after(ms, () => {
      this.#later.delete(key);
      this.add(key);
    });
    this.#later.set(key, { dueMs, cancel });
  }

  /** Resolves when nothing waits or is worked on; what is due later does not count. */
  async whenIdle(): Promise<void> {
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Begins nothing more; resolves when what is under way is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    this.#metrics.stopped();
    for (const { cancel } of this.#later.values()) cancel();
    this.#later.clear();
    await this.whenIdle();
  }

  get #isIdle(): boolean {
    return this.#waiting.size === 0 && this.#working.size === 0;
  }

  #begin(): void {
    for (const key of this.#waiting) {
      if (this.#working.size >= CONTROLLER_WORK_AT_ONCE) return;
      if (this.#working.has(key)) continue;
      this.#waiting.delete(key);
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    this.#working.add(key);
    this.#metrics.began(key);
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#failed(key, error as Error);
    }
    this.#working.delete(key);
    this.#metrics.ended(key);
    this.#begin();
    if (!this.#isIdle) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Tries again later. Conflicts and work that came too early are not logged. */
  #failed(key: string, error: Error): void {
    if (this.#isStopped) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const isLate = isRefusal(error, 404) || isRefusal(error, 409) || error instanceof TryLater;
    if (!isLate) this.#options.logError(`${key}: ${error.message}`);
    this.#metrics.retried();
    this.addAfter(key, Math.min(CONTROLLER_RETRY_MS * 2 ** failures, CONTROLLER_RETRY_MS_MAX));
  }
}
