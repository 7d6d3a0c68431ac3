/** Events that wait to be delivered together (README.md#modes). */
import type { AuditEvent } from './audit-event.ts';
import type { BatchSettings } from './settings.ts';

export interface EventBatchesOptions {
  readonly settings: BatchSettings;
  /** Gets no more than so many at a time. */
  readonly deliveredMax: number;
  /** The number of deliveries that may be under way. */
  readonly deliveriesMax: number;
  /** Never rejects: what it cannot deliver it counts as lost. */
  readonly deliver: (events: readonly AuditEvent[]) => Promise<void>;
  readonly onLost: (events: number, why: string) => void;
}

export class EventBatches {
  readonly #options: EventBatchesOptions;
  #waiting: AuditEvent[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** The timer does not wait for more events. */
  #isSoon = false;
  /** Those that wait have waited long enough, however few they are. */
  #isDue = false;
  #isClosing = false;
  /** The tokens of the throttle. */
  #tokens: number;
  #countedMs = performance.now();

  constructor(options: EventBatchesOptions) {
    this.#options = options;
    this.#tokens = options.settings.throttle?.burst ?? 0;
  }

  add(event: AuditEvent): void {
    const { settings, onLost } = this.#options;
    if (this.#waiting.length >= settings.bufferSize) {
      onLost(1, 'too many events wait');
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length >= settings.sizeMax) this.#runIn(0);
    else this.#runIn(settings.waitMsMax, true);
  }

  /** Takes out what waits: for who delivers it otherwise. */
  takeAll(): readonly AuditEvent[] {
    return this.#waiting.splice(0);
  }

  /** Resolves when all is delivered or lost. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#isDue = true;
    clearTimeout(this.#timer);
    this.#run();
    while (this.#underWay.size > 0) await Promise.race(this.#underWay);
  }

  #runIn(ms: number, isDue = false): void {
    if (this.#timer !== undefined && (this.#isSoon || ms > 0)) return;
    clearTimeout(this.#timer);
    this.#isSoon = !isDue;
    this.#timer = setTimeout(() => {
      this.#isDue ||= isDue;
      this.#run();
    }, ms);
    this.#timer.unref();
  }

  #run(): void {
    this.#timer = undefined;
    const { settings, deliver, deliveredMax, deliveriesMax } = this.#options;
    const isReady = (): boolean => this.#isDue || this.#waiting.length >= settings.sizeMax;
    while (this.#waiting.length > 0 && isReady()) {
      // Who ends a delivery goes on.
      if (this.#underWay.size >= deliveriesMax) return;
      const waitMs = this.#takeToken();
      if (waitMs > 0) return this.#runIn(waitMs);
      const delivery = deliver(this.#waiting.splice(0, deliveredMax)).finally(() => {
        this.#underWay.delete(delivery);
        this.#run();
      });
      this.#underWay.add(delivery);
    }
    this.#isDue = this.#isClosing;
    if (this.#waiting.length > 0) this.#runIn(settings.waitMsMax, true);
  }

  /** Takes a token, and gives 0; or gives the time until there is one. */
  #takeToken(): number {
    const { throttle } = this.#options.settings;
    if (throttle === undefined || this.#isClosing) return 0;
    const { perSecond, burst } = throttle;
    const nowMs = performance.now();
    const earned = ((nowMs - this.#countedMs) / 1_000) * perSecond;
    this.#tokens = Math.min(burst, this.#tokens + earned);
    this.#countedMs = nowMs;
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) / perSecond) * 1_000);
    this.#tokens--;
    return 0;
  }
}
