/** Counts tokens of an issuer, and how it is asked for keys. */
import { ownMetrics } from '../../../observability/metrics/own-metrics.ts';
import { SeriesSet } from '../../../observability/metrics/thread-metrics.ts';
import { metricHash } from '../../configuration/reload-metrics.ts';

const LATENCY = 'apiserver_authentication_jwt_authenticator_latency_seconds';
const FETCHED = 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds';
const KEY_SET = 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info';
const TIMES = ownMetrics([LATENCY]).length > 0;

export interface IssuerMetricsOptions {
  readonly issuer: string;
  /** The server's, where keys are counted: by one thread alone. */
  readonly serverId: string | undefined;
}

export class IssuerMetrics {
  readonly #issuer: string;
  readonly #server: string | undefined;
  readonly #series = new SeriesSet();
  #keySet: SeriesSet | undefined;

  constructor({ issuer, serverId }: IssuerMetricsOptions) {
    this.#issuer = metricHash(issuer);
    const isCounted = serverId !== undefined && ownMetrics([FETCHED]).length > 0;
    this.#server = isCounted ? metricHash(serverId) : undefined;
  }

  /** Counts a token that was not known, and passes on whose it is. */
  async timed<Result>(outcome: Promise<Result>): Promise<Result> {
    if (!TIMES) return outcome;
    const startMs = performance.now();
    let result: 'success' | 'failure' = 'failure';
    try {
      const found = await outcome;
      result = 'success';
      return found;
    } finally {
      const seconds = (performance.now() - startMs) / 1_000;
      const labels = { jwt_issuer_hash: this.#issuer, result };
      this.#series.histogram(LATENCY, labels).observe(seconds);
    }
  }

  /** Undefined: there were none. */
  asked(keys: string | undefined): void {
    const server = this.#server;
    if (server === undefined) return;
    const labels = { apiserver_id_hash: server, jwt_issuer_hash: this.#issuer };
    const result = keys === undefined ? 'failure' : 'success';
    this.#series.cell(FETCHED, { ...labels, result }).set(Date.now() / 1_000);
    if (keys === undefined) return;
    this.#keySet?.release();
    this.#keySet = new SeriesSet();
    this.#keySet.cell(KEY_SET, { ...labels, hash: metricHash(keys) }).set(1);
  }

  close(): void {
    this.#keySet?.release();
    this.#series.release();
  }
}
