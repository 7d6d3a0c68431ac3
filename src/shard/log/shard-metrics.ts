/** The metrics of a shard's type (../../observability/README.md#metrics). */
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import { ownResource } from '../../semantics/dialect/own-names.ts';
import { OPERATION, type Operation } from '../../storage/record.ts';
import type { LogEntry } from '../../storage/store.ts';

export interface CountedType {
  /** The name of the shard. */
  readonly key: string;
  /** `core.v1.ConfigMap`; a custom type has none. */
  readonly message: string | undefined;
}

/** The state of a shard after a commit. */
export interface ShardState {
  readonly objects: number;
  readonly versions: number;
  readonly newestRv: number;
  readonly horizonRv: number;
}

const OPERATION_NAMES: Readonly<Record<Operation, string>> = {
  [OPERATION.added]: 'create',
  [OPERATION.modified]: 'update',
  [OPERATION.deleted]: 'delete',
};

export class ShardMetrics {
  readonly #type: CountedType;
  /** Its name as the server spells it. */
  readonly #resource: string;
  readonly #group: string;
  readonly #plural: string;
  readonly #series = new SeriesSet();
  readonly #objects: readonly Cell[];
  readonly #versions: Cell;
  readonly #newest: Cell;
  readonly #horizon: Cell;
  #commit: { readonly seconds: Histogram; readonly writes: Histogram } | undefined;
  #failures: Cell | undefined;
  readonly #requests = new Map<Operation, Histogram>();

  constructor(type: CountedType) {
    this.#resource = ownResource(type.key);
    const labels = { resource: this.#resource };
    const series = this.#series;
    this.#type = type;
    const [resource = '', ...groupParts] = this.#resource.split('.');
    const group = groupParts.join('.');
    this.#plural = resource;
    this.#group = group;
    this.#objects = [
      ...ownMetrics(['apiserver_storage_objects', 'etcd_object_counts']).map((name) =>
        series.cell(name, labels),
      ),
      ...ownMetrics(['apiserver_resource_objects']).map((name) =>
        series.cell(name, { group, resource }),
      ),
    ];
    this.#versions = series.cell('shardplane_history_versions', labels);
    this.#newest = series.cell('shardplane_newest_version', labels);
    this.#horizon = series.cell('shardplane_history_horizon_version', labels);
  }

  tell({ objects, versions, newestRv, horizonRv }: ShardState): void {
    for (const cell of this.#objects) cell.set(objects);
    this.#versions.set(versions);
    this.#newest.set(newestRv);
    this.#horizon.set(horizonRv);
  }

  /** Some writes were committed together. */
  committed(entries: readonly LogEntry[], seconds: number): void {
    const labels = { resource: this.#resource };
    this.#commit ??= {
      seconds: this.#series.histogram('shardplane_commit_duration_seconds', labels),
      writes: this.#series.histogram('shardplane_commit_writes', labels),
    };
    this.#commit.seconds.observe(seconds);
    this.#commit.writes.observe(entries.length);
    // A record begins with its operation.
    for (const { value } of entries) this.#requestsOf(value[0] as Operation).observe(seconds);
  }

  commitFailed(): void {
    const labels = { resource: this.#resource };
    (this.#failures ??= this.#series.cell('shardplane_commit_failures_total', labels)).add();
  }

  release(): void {
    this.#series.release();
  }

  #requestsOf(operation: Operation): Histogram {
    let histogram = this.#requests.get(operation);
    if (histogram === undefined) {
      const labels = {
        group: this.#group,
        operation: OPERATION_NAMES[operation],
        resource: this.#plural,
        type: storedType(this.#type),
      };
      histogram = this.#series.histogram('etcd_request_duration_seconds', labels);
      this.#requests.set(operation, histogram);
    }
    return histogram;
  }
}

/** As the reference calls it: `*core.ConfigMap`. */
function storedType({ message }: CountedType): string {
  if (message === undefined) return '*unstructured.Unstructured';
  const parts = message.split('.');
  return `*${parts[0]}.${parts.at(-1)}`;
}
