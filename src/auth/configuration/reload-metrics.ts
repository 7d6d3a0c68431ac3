/** Counts how a file is read again. */
import { createHash } from 'node:crypto';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { SeriesSet, THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

type What = 'authentication' | 'authorization' | 'manifest_admission';

export class ReloadMetrics {
  readonly #what: What;
  /** Those that a metric does not have are left out. */
  readonly #labels: { readonly apiserver_id_hash: string; readonly plugin: string };
  #info: SeriesSet | undefined;

  /** `plugin` is the one of admission whose files they are. */
  constructor(what: What, serverId: string, plugin = '') {
    this.#what = what;
    this.#labels = { apiserver_id_hash: metricHash(serverId), plugin };
  }

  reloaded(status: 'success' | 'failure'): void {
    const prefix = `apiserver_${this.#what}_config_controller_automatic_reload` as const;
    const total = `${prefix}s_total` as const;
    if (ownMetrics([total]).length === 0) return;
    const labels = { ...this.#labels, status };
    THREAD_SERIES.cell(total, labels).add();
    THREAD_SERIES.cell(`${prefix}_last_timestamp_seconds`, labels).set(Date.now() / 1_000);
  }

  /** `hash` is that of the configuration: see `metricHash`. */
  applied(hash: string): void {
    const info = `apiserver_${this.#what}_config_controller_last_config_info` as const;
    if (ownMetrics([info]).length === 0) return;
    this.#info?.release();
    this.#info = new SeriesSet();
    this.#info.cell(info, { ...this.#labels, hash }).set(1);
  }
}

/** A text as labels show it. */
export function metricHash(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
