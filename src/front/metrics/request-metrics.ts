/**
 * Counts requests, by type and verb as the reference does (src/front/README.md#metrics). A route
 * has the cells of its type: a request looks nothing up by name.
 */
import { THREAD_SERIES, SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { peaksByKind, PeakCount } from './peak-count.ts';
import { WatchMetrics } from './watch-metrics.ts';

/** A type in a version, or what else answers: a health check. */
export interface CountedType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** The release without it; '' where that is not known; absent for what is not deprecated. */
  readonly removedIn?: string | undefined;
}

export const VERBS = [
  'GET',
  'LIST',
  'WATCH',
  'POST',
  'PUT',
  'PATCH',
  'APPLY',
  'DELETE',
  'other',
] as const;
export const SCOPES = ['', 'cluster', 'namespace', 'resource'] as const;

/** Requests of one sort. */
export interface CountedRequest {
  readonly verb: (typeof VERBS)[number];
  readonly scope: (typeof SCOPES)[number];
  readonly subresource: string;
  readonly dryRun: string;
  /** It takes as long as its client likes. */
  readonly isLong: boolean;
}

/** A request that has ended. */
export interface EndedRequest {
  /** The status of the answer; 0 where its client has gone before. */
  readonly code: number;
  readonly bodyBytes: number;
}

const COMPONENT = 'apiserver';
const READS: readonly string[] = ['GET', 'LIST', 'WATCH'];
/** The code of requests that the server sends away to protect itself. */
const TOO_MANY = 429;
const TIMED_OUT = 504;
/** How long requests take without webhooks, by the names that the release has for it. */
const OWN_DURATIONS = ownMetrics([
  'apiserver_request_sli_duration_seconds',
  'apiserver_request_slo_duration_seconds',
]);
const BODY_SIZES = ownMetrics(['apiserver_request_body_size_bytes']);
/** The verbs of requests with bodies, as their sizes are told. */
const BODY_VERBS: Readonly<Partial<Record<CountedRequest['verb'], string>>> = {
  APPLY: 'patch',
  DELETE: 'delete',
  PATCH: 'patch',
  POST: 'create',
  PUT: 'update',
};
const COLLECTION_VERB = 'delete_collection';
// Such a series there is from the first request on; nobody ever observes it, there and here.
for (const name of ownMetrics(['field_validation_request_duration_seconds'])) {
  THREAD_SERIES.histogram(name, { field_validation: '' });
}
const OPEN_REQUESTS = ownMetrics(['apiserver_longrunning_requests', 'apiserver_longrunning_gauge']);

export class TypeMetrics {
  readonly type: CountedType;
  readonly series = new SeriesSet();
  readonly #component: string;
  /** By verb and scope: of requests for objects themselves. */
  readonly #plain: RequestKindMetrics[] = [];
  readonly #others = new Map<string, RequestKindMetrics[]>();
  #watches: WatchMetrics | undefined;

  constructor(type: CountedType, component = COMPONENT) {
    this.type = type;
    this.#component = component;
  }

  get watches(): WatchMetrics {
    const { group, kind, resource, version } = this.type;
    return (this.#watches ??= new WatchMetrics(this.series, { group, kind, resource, version }));
  }

  /** The cells of a sort of requests. */
  of(request: CountedRequest): RequestKindMetrics {
    const { verb, scope, subresource, dryRun } = request;
    const isPlain = subresource === '' && dryRun === '';
    const rest = isPlain ? '' : `${subresource} ${dryRun}`;
    let ofRest = isPlain ? this.#plain : this.#others.get(rest);
    if (ofRest === undefined) this.#others.set(rest, (ofRest = []));
    const index = VERBS.indexOf(verb) * SCOPES.length + SCOPES.indexOf(scope);
    return (ofRest[index] ??= new RequestKindMetrics(this, this.#component, request));
  }
}

export class RequestKindMetrics {
  readonly #series: SeriesSet;
  readonly #labels;
  readonly #dryRun: string;
  readonly #duration: Histogram;
  readonly #ownDurations: readonly Histogram[];
  readonly #sizes: Histogram | undefined;
  #bodySizes: readonly Histogram[] | undefined;
  readonly #codes = new Map<number, Cell>();
  readonly #open: PeakCount | readonly Cell[];
  readonly #kind: 'mutating' | 'readOnly';

  constructor({ type, series }: TypeMetrics, component: string, request: CountedRequest) {
    const { group, version, resource, removedIn } = type;
    const { verb, scope, subresource, dryRun, isLong } = request;
    const labels = { component, group, resource, scope, subresource, verb, version };
    this.#series = series;
    this.#labels = labels;
    this.#dryRun = dryRun;
    const isRead = READS.includes(verb);
    this.#kind = isRead ? 'readOnly' : 'mutating';
    this.#duration = series.histogram('apiserver_request_duration_seconds', {
      ...labels,
      dry_run: dryRun,
    });
    this.#ownDurations = OWN_DURATIONS.map((name) => series.histogram(name, labels));
    this.#sizes =
      isRead && !isLong ? series.histogram('apiserver_response_sizes', labels) : undefined;
    this.#open = isLong
      ? OPEN_REQUESTS.map((name) => series.cell(name, labels))
      : IN_FLIGHT[this.#kind];
    if (removedIn === undefined) return;
    const deprecated = { group, version, resource, subresource, removed_release: removedIn };
    series.cell('apiserver_requested_deprecated_apis', deprecated).set(1);
  }

  began(): void {
    const open = this.#open;
    if (open instanceof PeakCount) open.began();
    else for (const cell of open) cell.add(1);
  }

  /** The body of a request was read. */
  readBody(bytes: number): void {
    if (BODY_SIZES.length === 0) return;
    this.#bodySizes ??= BODY_SIZES.map((name) => this.#series.histogram(name, this.#bodyLabels()));
    for (const sizes of this.#bodySizes) sizes.observe(bytes);
  }

  #bodyLabels() {
    const { group, resource, scope, verb } = this.#labels;
    const isOfMany = verb === 'DELETE' && scope !== 'resource';
    return { group, resource, verb: isOfMany ? COLLECTION_VERB : (BODY_VERBS[verb] ?? verb) };
  }

  /** A request is over, after so long. */
  ended({ code, bodyBytes }: EndedRequest, ms: number, webhookMs: number): void {
    const open = this.#open;
    if (open instanceof PeakCount) open.ended();
    else for (const cell of open) cell.add(-1);
    let count = this.#codes.get(code);
    if (count === undefined) this.#codes.set(code, (count = this.#cellOf(code)));
    count.add();
    this.#duration.observe(ms / 1_000);
    for (const duration of this.#ownDurations) duration.observe((ms - webhookMs) / 1_000);
    this.#sizes?.observe(bodyBytes);
    if (code === TOO_MANY || code === TIMED_OUT) this.#terminated(code);
  }

  #cellOf(code: number): Cell {
    const labels = { ...this.#labels, dry_run: this.#dryRun, code: String(code) };
    return this.#series.cell('apiserver_request_total', labels);
  }

  #terminated(code: number): void {
    const labels = { ...this.#labels, code: String(code) };
    this.#series.cell('apiserver_request_terminations_total', labels).add();
    if (code === TOO_MANY) DROPPED[this.#kind].add();
  }
}

/** A request that was refused in the place of another server. */
export interface TerminatedRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  readonly verb: string;
}

const DROPPED = {
  mutating: dropped('mutating'),
  readOnly: dropped('readOnly'),
};

function dropped(request_kind: string): Cell {
  return THREAD_SERIES.cell('apiserver_dropped_requests_total', { request_kind });
}

/** Requests that are being answered. */
const IN_FLIGHT = peaksByKind('apiserver_current_inflight_requests');

/** The metrics of all types that a front serves. */
export class RequestMetrics {
  readonly #types = new Map<string, TypeMetrics>();
  readonly #paths = new Map<string, TypeMetrics>();

  /** The metrics of a type, for as long as it is served. */
  of(type: CountedType): TypeMetrics {
    const key = keyOf(type);
    const known = this.#types.get(key);
    if (known?.type.removedIn === type.removedIn && known?.type.kind === type.kind) return known;
    known?.series.release();
    const metrics = new TypeMetrics(type);
    this.#types.set(key, metrics);
    return metrics;
  }

  /** Only these are served from now on: nothing is told of others any more. */
  keep(types: Iterable<TypeMetrics>): void {
    const kept = new Set(types);
    for (const [key, metrics] of this.#types) {
      if (kept.has(metrics)) continue;
      metrics.series.release();
      this.#types.delete(key);
    }
  }

  /** The metrics of a path that is no resource, of which there are few: `/readyz`. */
  ofPath(path: string): RequestKindMetrics {
    let metrics = this.#paths.get(path);
    if (metrics === undefined) {
      metrics = new TypeMetrics({ group: '', version: '', resource: '', kind: '' }, '');
      this.#paths.set(path, metrics);
    }
    return metrics.of({ verb: 'GET', scope: '', subresource: path, dryRun: '', isLong: false });
  }

  /** A request was answered with `code`, since the server that it is for cannot be asked. */
  terminated(request: TerminatedRequest, code: number): void {
    const labels = { ...request, code: String(code), component: 'aggregator' };
    THREAD_SERIES.cell('apiserver_request_terminations_total', labels).add();
  }
}

function keyOf({ group, version, resource }: CountedType): string {
  return `${group}/${version}/${resource}`;
}
