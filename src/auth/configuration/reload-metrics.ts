/** Counts how a file is read again. */
import { createHash } from 'node:crypto';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { SeriesSet, THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

type What = 'authentication' | 'authorization';

export class ReloadMetrics {
  readonly #what: What;
  readonly #id: string;
  #info: SeriesSet | undefined;

  constructor(what: What, serverId: string) {
    this.#what = what;
    this.#id = metricHash(serverId);
  }

  reloaded(status: 'success' | 'failure'): void {
    const prefix = `apiserver_${this.#what}_config_controller_automatic_reload` as const;
    const total = `${prefix}s_total` as const;
    if (ownMetrics([total]).length === 0) return;
    const labels = { apiserver_id_hash: this.#id, status };
    THREAD_SERIES.cell(total, labels).add();
    THREAD_SERIES.cell(`${prefix}_last_timestamp_seconds`, labels).set(Date.now() / 1_000);
  }

  applied(text: string): void {
    const info = `apiserver_${this.#what}_config_controller_last_config_info` as const;
    if (ownMetrics([info]).length === 0) return;
    this.#info?.release();
    this.#info = new SeriesSet();
    this.#info.cell(info, { apiserver_id_hash: this.#id, hash: metricHash(text) }).set(1);
  }
}

/** A text as labels show it. */
export function metricHash(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
