/** The metrics of flow control. Counts of requests are told once a second, and times at once. */
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { sampleEverySecond, SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import { FlowMeter, REJECTIONS } from '../../flow-control/flow-meter.ts';
import type { FlowController } from '../../flow-control/flow-controller.ts';
import type { LevelState } from '../../flow-control/level-state.ts';

/** The reference looks at fractions all the time, and counts nanoseconds. */
const LOOKS_PER_SECOND = 1_000_000_000;
const MS_PER_SECOND = 1_000;
const COUNTS_ESTIMATES = has('apiserver_flowcontrol_work_estimated_seats');
const BORROWS = has('apiserver_flowcontrol_current_limit_seats');

function has(name: Parameters<typeof ownMetrics>[0][number]): boolean {
  return ownMetrics([name]).length > 0;
}

/** Counts the requests of a schema at a level. */
export class CountedFlow extends FlowMeter {
  readonly #series = new SeriesSet();
  readonly #endSamples: () => void;
  readonly #lengths;
  readonly #waited;
  readonly #notWaited;
  readonly #executed;
  readonly #watchExecuted;
  readonly #watches;
  readonly #estimated;
  #neverWaited = 0;

  constructor(level: string, schema: string) {
    super();
    const labels = { priority_level: level, flow_schema: schema };
    const series = this.#series;
    this.#lengths = series.histogram(
      'apiserver_flowcontrol_request_queue_length_after_enqueue',
      labels,
    );
    const waits = 'apiserver_flowcontrol_request_wait_duration_seconds';
    this.#waited = series.histogram(waits, { ...labels, execute: 'true' });
    this.#notWaited = series.histogram(waits, { ...labels, execute: 'false' });
    const executions = 'apiserver_flowcontrol_request_execution_seconds';
    const regular = { ...labels, type: 'regular' };
    const ofWatch = { ...labels, type: 'watch' };
    this.#executed = series.histogram(executions, regular);
    this.#watchExecuted = series.histogram(executions, ofWatch);
    this.#watches = series.histogram('apiserver_flowcontrol_watch_count_samples', labels);
    this.#estimated = series.histogram('apiserver_flowcontrol_work_estimated_seats', labels);
    this.#endSamples = this.#tellEverySecond(labels);
  }

  override estimated(seats: number): void {
    if (COUNTS_ESTIMATES) this.#estimated.observe(seats);
  }

  override watched(watches: number): void {
    this.#watches.observe(watches);
  }

  override queued(length: number): void {
    this.#lengths.observe(length);
  }

  override waited(ms: number, isLet: boolean): void {
    if (!isLet) this.#notWaited.observe(ms / MS_PER_SECOND);
    else if (ms <= 0) this.#neverWaited++;
    else this.#waited.observe(ms / MS_PER_SECOND);
  }

  override executed(ms: number, isWatch: boolean): void {
    (isWatch ? this.#watchExecuted : this.#executed).observe(Math.max(0, ms) / MS_PER_SECOND);
  }

  override release(): void {
    this.#endSamples();
    this.#series.release();
  }

  #tellEverySecond(labels: {
    readonly priority_level: string;
    readonly flow_schema: string;
  }): () => void {
    const series = this.#series;
    const dispatched = series.cell('apiserver_flowcontrol_dispatched_requests_total', labels);
    const accommodations = series.cell(
      'apiserver_flowcontrol_request_dispatch_no_accommodation_total',
      labels,
    );
    const executing = series.cell('apiserver_flowcontrol_current_executing_requests', labels);
    const waiting = series.cell('apiserver_flowcontrol_current_inqueue_requests', labels);
    const seatsWaiting = series.cell('apiserver_flowcontrol_current_inqueue_seats', labels);
    const seats = [
      series.cell('apiserver_flowcontrol_current_executing_seats', labels),
      series.cell('apiserver_flowcontrol_request_concurrency_in_use', labels),
    ];
    const rejected = REJECTIONS.map((reason) => {
      const name = 'apiserver_flowcontrol_rejected_requests_total';
      return { reason, cell: () => series.cell(name, { ...labels, reason }) };
    });
    return sampleEverySecond(() => {
      dispatched.set(this.dispatched);
      accommodations.set(this.notAccommodated);
      executing.set(this.executing);
      waiting.set(this.waiting);
      seatsWaiting.set(this.seatsWaiting);
      for (const cell of seats) cell.set(this.seatsInUse);
      for (const { reason, cell } of rejected) {
        if (this.rejected[reason] > 0) cell().set(this.rejected[reason]);
      }
      if (this.#neverWaited > 0) this.#waited.observe(0, this.#neverWaited);
      this.#neverWaited = 0;
    });
  }
}

/** Tells of levels once a second. */
export class LevelMetrics {
  readonly #levels = new Map<string, SampledLevel>();
  readonly #endSamples: () => void;

  constructor(controller: FlowController) {
    const fraction = new SeriesSet().cell('apiserver_flowcontrol_seat_fair_frac', {});
    this.#endSamples = sampleEverySecond(() => {
      fraction.set(controller.fraction);
      const gone = new Set(this.#levels.keys());
      for (const state of controller.levels) {
        const { name } = state.level;
        gone.delete(name);
        let level = this.#levels.get(name);
        if (level === undefined) this.#levels.set(name, (level = new SampledLevel(name)));
        level.tell(state);
      }
      for (const name of gone) {
        this.#levels.get(name)?.release();
        this.#levels.delete(name);
      }
    });
  }

  close(): void {
    this.#endSamples();
    for (const level of this.#levels.values()) level.release();
  }
}

const BOUNDS = ['min', 'max'] as const;

class SampledLevel {
  readonly #series = new SeriesSet();
  readonly #cells;
  readonly #histograms;

  constructor(name: string) {
    const series = this.#series;
    const level = { priority_level: name };
    const phased = (phase: string) => ({ ...level, phase });
    const bounded = (bound: string) => ({ ...level, bound });
    this.#cells = {
      nominal: [
        series.cell('apiserver_flowcontrol_nominal_limit_seats', level),
        series.cell('apiserver_flowcontrol_request_concurrency_limit', level),
      ],
      lower: series.cell('apiserver_flowcontrol_lower_limit_seats', level),
      upper: series.cell('apiserver_flowcontrol_upper_limit_seats', level),
      current: series.cell('apiserver_flowcontrol_current_limit_seats', level),
      target: series.cell('apiserver_flowcontrol_target_seats', level),
      highest: series.cell('apiserver_flowcontrol_demand_seats_high_watermark', level),
      average: series.cell('apiserver_flowcontrol_demand_seats_average', level),
      deviation: series.cell('apiserver_flowcontrol_demand_seats_stdev', level),
      smoothed: series.cell('apiserver_flowcontrol_demand_seats_smoothed', level),
      currentR: series.cell('apiserver_flowcontrol_current_r', level),
      dispatchR: series.cell('apiserver_flowcontrol_dispatch_r', level),
      latestS: series.cell('apiserver_flowcontrol_latest_s', level),
      next: BOUNDS.map((one) => series.cell('apiserver_flowcontrol_next_s_bounds', bounded(one))),
      discounted: BOUNDS.map((one) =>
        series.cell('apiserver_flowcontrol_next_discounted_s_bounds', bounded(one)),
      ),
    };
    const requests = 'apiserver_flowcontrol_priority_level_request_utilization';
    this.#histograms = {
      demand: series.histogram('apiserver_flowcontrol_demand_seats', level),
      waiting: series.histogram(requests, phased('waiting')),
      executing: series.histogram(requests, phased('executing')),
      seats: series.histogram(
        'apiserver_flowcontrol_priority_level_seat_utilization',
        phased('executing'),
      ),
    };
  }

  tell(state: LevelState): void {
    const { bounds, demand, seats, queues, target } = state;
    const cells = this.#cells;
    for (const cell of cells.nominal) cell.set(bounds.nominal);
    cells.lower.set(bounds.lowest);
    cells.upper.set(bounds.highest);
    cells.current.set(seats.limit);
    cells.target.set(target);
    cells.highest.set(demand.highest);
    cells.average.set(demand.average);
    cells.deviation.set(demand.deviation);
    cells.smoothed.set(demand.smoothed);
    cells.currentR.set(queues.currentR / MS_PER_SECOND);
    const { lastDispatch } = queues;
    if (lastDispatch !== undefined) {
      cells.dispatchR.set(lastDispatch.currentR / MS_PER_SECOND);
      cells.latestS.set(lastDispatch.startR / MS_PER_SECOND);
      for (const [at, cell] of cells.next.entries()) {
        cell.set(lastDispatch.bounds[at]! / MS_PER_SECOND);
      }
      for (const [at, cell] of cells.discounted.entries()) {
        cell.set(lastDispatch.discounted[at]! / MS_PER_SECOND);
      }
    }
    this.#look(state);
  }

  #look({ level: { queuing }, bounds, seats, queues }: LevelState): void {
    const { demand, waiting, executing, seats: inUse } = this.#histograms;
    const limit = Math.max(1, seats.limit);
    const room = Math.max(1, (queuing?.lengthMax ?? 1) * (queuing?.queues ?? 1));
    const wanted = (queues.seatsInUse + queues.seatsWaiting) / Math.max(1, bounds.nominal);
    if (BORROWS) demand.observe(wanted, LOOKS_PER_SECOND);
    waiting.observe(queues.waitingCount / room, LOOKS_PER_SECOND);
    executing.observe(queues.executing.length / limit, LOOKS_PER_SECOND);
    inUse.observe(queues.seatsInUse / limit, LOOKS_PER_SECOND);
  }

  release(): void {
    this.#series.release();
  }
}
