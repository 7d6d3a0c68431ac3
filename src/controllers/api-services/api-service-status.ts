/**
 * Keeps the condition `Available` of APIServices: those that this server has itself are always
 * available, others where the server that answers for them is there. Each of these is looked at
 * when it or its service changes, and from time to time (src/controllers/README.md).
 */
import type { APIService, APIServiceCondition } from '#messages/apiregistration.v1';
import { availabilityOf, remoteApiOf, type RemoteApi } from '../../aggregation/remote-api.ts';
import type { AggregationSettings } from '../../aggregation/settings.ts';
import type { Port } from '../../actors/port.ts';
import type { Timers } from '../../base/time/timers.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { Cell } from '../../observability/metrics/cells.ts';
import { SeriesSet, THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { Informer } from '../informer.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { TryLater, WorkQueue } from '../work-queue.ts';
import { isFinal, LOCAL, type Availability } from './availability.ts';
import type { RemoteChecks } from './remote-checks.ts';

const API_SERVICES = 'apiservices.apiregistration.cluster.io';
/** Other servers may go away without any object that says so. */
const CHECKED_AGAIN_MS = 30_000;

export interface ApiServiceStatusOptions {
  readonly aggregation: AggregationSettings;
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

interface Kept {
  /** Undefined where this server answers itself. */
  readonly remote: RemoteApi | undefined;
  readonly isAvailable: boolean;
}

/** The gauge of one APIService. */
interface Told {
  readonly series: SeriesSet;
  readonly cell: Cell;
}

export class ApiServiceStatus {
  readonly #ports: Ports;
  readonly #options: ApiServiceStatusOptions;
  readonly #services: Informer<Kept>;
  readonly #queue: WorkQueue;
  readonly #told = new Map<string, Told>();
  #portTo: ((resource: string) => Port) | undefined;
  #checks: Promise<RemoteChecks> | undefined;

  /** Ports: `control`, and one to the shard of APIServices. */
  constructor(ports: Ports, options: ApiServiceStatusOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#services = new Informer({
      resource: API_SERVICES,
      port: portOf(ports, API_SERVICES),
      keep: (object) => ({
        remote: remoteApiOf(object),
        isAvailable: availabilityOf(object)?.status === 'True',
      }),
      onChange: ({ name }, now) => this.#changed(name, now),
    });
    this.#queue = new WorkQueue({
      name: 'AvailableConditionController',
      work: (name) => this.#look(name),
      timers: options.timers,
      logError: options.logError,
    });
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    await this.#services.start();
    await runController(this.#ports, {
      begin: (portTo) => {
        this.#portTo = portTo;
        for (const name of this.#services.names()) {
          const kept = this.#services.get({ namespace: '', name });
          if (kept?.remote !== undefined) this.#queue.add(name);
        }
      },
      stop: async () => {
        await this.#queue.stop();
        (await this.#checks)?.close();
      },
    });
    this.#services.close();
  }

  #changed(name: string, now: Kept | undefined): void {
    this.#tell(name, now);
    if (now === undefined) return;
    const isRight = now.remote === undefined && now.isAvailable;
    // Those that there are at the start wait until other types can be asked.
    if (!isRight && (now.remote === undefined || this.#portTo !== undefined)) {
      this.#queue.add(name);
    }
  }

  #tell(name: string, now: Kept | undefined): void {
    let told = this.#told.get(name);
    if (now === undefined) {
      told?.series.release();
      this.#told.delete(name);
      return;
    }
    if (told === undefined) {
      const series = new SeriesSet();
      told = { series, cell: series.cell('aggregator_unavailable_apiservice', { name }) };
      this.#told.set(name, told);
    }
    told.cell.set(now.isAvailable ? 0 : 1);
  }

  async #look(name: string): Promise<void> {
    const { client } = this.#services;
    const stored = await client.get<APIService & ApiObject>({ namespace: '', name });
    if (stored === undefined) return;
    const remote = remoteApiOf(stored);
    if (remote === undefined) return this.#keep(stored, LOCAL);
    const found = await (await this.#loadChecks()).check(remote);
    await this.#keep(stored, found);
    if (!isFinal(found)) throw new TryLater(found.message);
    this.#queue.addAfter(name, CHECKED_AGAIN_MS);
  }

  /** Most servers never need them. */
  async #loadChecks(): Promise<RemoteChecks> {
    this.#checks ??= this.#newChecks();
    return this.#checks;
  }

  async #newChecks(): Promise<RemoteChecks> {
    const { RemoteChecks } = await import('./remote-checks.ts');
    const { aggregation, nowMs } = this.#options;
    const portTo = this.#portTo;
    if (portTo === undefined) throw new TryLater('other types cannot be asked yet');
    const checks = new RemoteChecks({
      aggregation,
      nowMs,
      portTo,
      onService: (at) => {
        for (const name of this.#services.names()) {
          const { service } = this.#services.get({ namespace: '', name })?.remote ?? {};
          const isIts = service?.namespace === at.namespace && service.name === at.name;
          if (isIts) this.#queue.add(name);
        }
      },
    });
    await checks.start();
    return checks;
  }

  async #keep(stored: APIService & ApiObject, found: Availability): Promise<void> {
    const { status: before = '', ...others } = availabilityOf(stored) ?? {};
    const isSame =
      before === found.status &&
      others.reason === found.reason &&
      (others.message ?? '') === found.message;
    if (isSame) return;
    const sinceNow = utcSeconds(this.#options.nowMs());
    const condition: APIServiceCondition = {
      type: 'Available',
      ...found,
      lastTransitionTime:
        before === found.status ? (others.lastTransitionTime ?? sinceNow) : sinceNow,
    };
    const rest = stored.status?.conditions?.filter(({ type }) => type !== 'Available') ?? [];
    const status = { ...stored.status, conditions: [...rest, condition] };
    const name = stored.metadata.name ?? '';
    await this.#services.client.update({ namespace: '', name }, { ...stored, status }, 'status');
    if (before !== 'True' || found.status === 'True') return;
    const { reason } = found;
    THREAD_SERIES.cell('aggregator_unavailable_apiservice_total', { name, reason }).add();
  }
}
