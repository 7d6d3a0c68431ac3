/** Metrics of calls of webhooks, by the webhooks' places. */
import { SeriesSet, THREAD_SERIES } from '../observability/metrics/thread-metrics.ts';

/** Hosts come and go with configurations: those that were first called longest ago go. */
const HOSTS_MAX = 1_000;
const METHOD = 'POST';

/** Connections that end since the certificate has its name nowhere but in its common name. */
export const UNNAMED_SERVERS = THREAD_SERIES.cell('apiserver_webhooks_x509_missing_san_total', {});

const hosts = new Map<string, SeriesSet>();

/** A call is over; `code` is the status of its answer, or `<error>`. */
export function countCall(host: string, code: string, milliseconds: number): void {
  let series = hosts.get(host);
  if (series === undefined) {
    series = new SeriesSet();
    hosts.set(host, series);
    const [oldest = ''] = hosts.keys();
    if (hosts.size > HOSTS_MAX) {
      hosts.get(oldest)?.release();
      hosts.delete(oldest);
    }
  }
  series.cell('rest_client_requests_total', { code, host, method: METHOD }).add();
  const duration = { url: host, verb: METHOD };
  series.histogram('rest_client_request_duration_seconds', duration).observe(milliseconds / 1_000);
}
