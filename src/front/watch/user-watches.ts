/** Bounds the watches that each user has open at a front (../README.md#connections). */
import { PRIVILEGED_GROUP } from '../../auth/fixed-authorizers.ts';
import type { User } from '../../semantics/user.ts';
import { tooManyWatches } from '../../semantics/errors/status.ts';
import { SeriesSet, sampleEverySecond } from '../../observability/metrics/thread-metrics.ts';

export class UserWatches {
  readonly #max: number;
  readonly #counts = new Map<string, number>();
  readonly #series = new SeriesSet();
  readonly #refused = this.#series.cell('shardplane_watches_refused_total', {});
  readonly #endSamples: () => void;

  constructor(max: number) {
    this.#max = max;
    const most = this.#series.cell('shardplane_user_watches_max', {});
    this.#endSamples = sampleEverySecond(() => most.set(Math.max(0, ...this.#counts.values())));
  }

  /** Counts one more; returns what counts it no more. Throws StatusError 429. */
  begin({ name, groups }: User): () => void {
    if (groups.includes(PRIVILEGED_GROUP)) return () => undefined;
    const count = this.#counts.get(name) ?? 0;
    if (count >= this.#max) {
      this.#refused.add();
      throw tooManyWatches(name, this.#max);
    }
    this.#counts.set(name, count + 1);
    return () => this.#end(name);
  }

  close(): void {
    this.#endSamples();
    this.#series.release();
  }

  #end(name: string): void {
    const count = (this.#counts.get(name) ?? 0) - 1;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }
}
