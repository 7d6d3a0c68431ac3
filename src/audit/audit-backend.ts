/** Where events go: what the log and the webhook have in common (README.md#modes). */
import type { Cell } from '../observability/metrics/cells.ts';
import { THREAD_SERIES } from '../observability/metrics/thread-metrics.ts';
import type { AuditEvent } from './audit-event.ts';
import type { BackendSettings } from './settings.ts';

export interface AuditBackend {
  /**
   * False where the event is lost and its request is to be refused; a promise where the request is
   * to wait.
   */
  take(event: AuditEvent): boolean | Promise<boolean>;
  /** Gets rid at once of what waits, as far as that can be done. */
  flush(): void;
  /** Resolves when all that was taken is delivered or lost. */
  close(): Promise<void>;
}

const TOLD_MS = 10_000;

/** Counts events that are lost, and tells of it: at once, and then from time to time. */
export class LostEvents {
  readonly #backend: 'log' | 'webhook';
  readonly #errors: Cell;
  readonly #logError: (text: string) => void;
  #untold = 0;
  #toldMs = -Infinity;
  /** The number of events lost since the start. */
  count = 0;

  constructor(backend: 'log' | 'webhook', logError: (text: string) => void) {
    this.#errors = THREAD_SERIES.cell('apiserver_audit_error_total', { plugin: backend });
    this.#backend = backend;
    this.#logError = logError;
  }

  add(events: number, why: string): void {
    this.count += events;
    this.#errors.add(events);
    this.#untold += events;
    const nowMs = performance.now();
    if (nowMs - this.#toldMs < TOLD_MS) return;
    this.#toldMs = nowMs;
    this.#logError(`audit: the ${this.#backend} has lost ${this.#take()}: ${why}`);
  }

  /** Tells of those that nobody was told of. */
  tell(): void {
    if (this.#untold === 0) return;
    this.#logError(`audit: the ${this.#backend} has lost ${this.#take()} more`);
  }

  #take(): string {
    const events = this.#untold;
    this.#untold = 0;
    return events === 1 ? '1 event' : `${events} events`;
  }
}

/**
 * The event, or what is left of one that is too large; undefined where that is too large, too, and
 * is lost.
 */
export function truncated(
  event: AuditEvent,
  { truncation, version }: BackendSettings,
  lost: LostEvents,
): AuditEvent | undefined {
  const isWithin = (one: AuditEvent): boolean => {
    if (truncation === undefined) return true;
    const item = one.item(version);
    const { eventBytesMax } = truncation;
    return item.length * 3 <= eventBytesMax || Buffer.byteLength(item) <= eventBytesMax;
  };
  if (isWithin(event)) return event;
  const shorter = event.members.level === 'Metadata' ? undefined : event.truncated();
  if (shorter !== undefined && isWithin(shorter)) return shorter;
  lost.add(1, 'the event is too large, even without its objects');
  return undefined;
}
