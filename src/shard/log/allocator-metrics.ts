/** The metrics of what is given to services, of which there are series once something was. */
import type { Cell } from '../../observability/metrics/cells.ts';
import { SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import type { AllocatorFigures, RangeFigures } from '../../resources/allocator.ts';

const SCOPES = ['static', 'dynamic'] as const;
type Scope = (typeof SCOPES)[number];
type Counted = 'given' | 'refused';

const HAS_PORTS = ownMetrics(['kube_apiserver_nodeport_allocator_allocation_total']).length > 0;
const HAS_TIMES =
  ownMetrics(['kube_apiserver_clusterip_allocator_allocation_duration_seconds']).length > 0;

export class AllocatorMetrics {
  readonly #series = new SeriesSet();
  /** The counts that were told; a series may be of several counts. */
  readonly #told = new Map<string, number>();

  /** `figures` is absent while nobody was given anything. */
  tell(figures: AllocatorFigures | undefined): void {
    if (figures === undefined) return;
    const series = this.#series;
    for (const [cidr, range] of figures.addresses) {
      const isUsed = this.#count(cidr, range, (counted, scope) =>
        counted === 'given'
          ? series.cell('kube_apiserver_clusterip_allocator_allocation_total', { cidr, scope })
          : series.cell('kube_apiserver_clusterip_allocator_allocation_errors_total', {
              cidr,
              scope,
            }),
      );
      if (!isUsed) continue;
      const { used, free, seconds } = range;
      series.cell('kube_apiserver_clusterip_allocator_allocated_ips', { cidr }).set(used);
      series.cell('kube_apiserver_clusterip_allocator_available_ips', { cidr }).set(free);
      if (!HAS_TIMES || seconds.length === 0) continue;
      const name = 'kube_apiserver_clusterip_allocator_allocation_duration_seconds';
      const times = series.histogram(name, { cidr });
      for (const value of seconds) times.observe(value);
    }
    if (HAS_PORTS) this.#tellPorts(figures.ports);
  }

  release(): void {
    this.#series.release();
  }

  #tellPorts(ports: RangeFigures): void {
    const series = this.#series;
    const isUsed = this.#count('ports', ports, (counted, scope) =>
      counted === 'given'
        ? series.cell('kube_apiserver_nodeport_allocator_allocation_total', { scope })
        : series.cell('kube_apiserver_nodeport_allocator_allocation_errors_total', { scope }),
    );
    if (!isUsed) return;
    series.cell('kube_apiserver_nodeport_allocator_allocated_ports', {}).set(ports.used);
    series.cell('kube_apiserver_nodeport_allocator_available_ports', {}).set(ports.free);
  }

  /** Whether anything was given or refused. Counts of an allocator begin anew with it. */
  #count(
    range: string,
    { counts }: RangeFigures,
    cellOf: (counted: Counted, scope: Scope) => Cell,
  ): boolean {
    let isUsed = false;
    for (const scope of SCOPES) {
      for (const counted of ['given', 'refused'] as const) {
        const key = `${range} ${scope} ${counted}`;
        const now = counts[scope][counted];
        const before = this.#told.get(key) ?? 0;
        if (now > before) cellOf(counted, scope).add(now - before);
        if (now !== before) this.#told.set(key, now);
        isUsed ||= now > 0;
      }
    }
    return isUsed;
  }
}
