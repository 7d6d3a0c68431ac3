/** The audit log of a front (README.md): which requests are told of, and where. */
import { serverClockMs } from '../base/time/server-clock.ts';
import type { User } from '../semantics/user.ts';
import type { Cell } from '../observability/metrics/cells.ts';
import { THREAD_SERIES } from '../observability/metrics/thread-metrics.ts';
import type { AuditBackend } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import { AUDIT_LEVELS, AuditRules } from './policy.ts';
import type { AuditLevel, AuditPolicy } from './policy.ts';
import { RequestAudit } from './request-audit.ts';
import type { AuditTools, JsonOf, ReadAnswer } from './request-audit.ts';
import type { AuditedRequest } from './request-texts.ts';

export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackend[];
  readonly jsonOf: JsonOf;
  readonly readAnswer: ReadAnswer;
}

export class Audit {
  readonly #rules: AuditRules;
  readonly #backends: readonly AuditBackend[];
  readonly #tools: AuditTools;
  /** Answers whose events are still to come. */
  readonly #reading = new Set<Promise<unknown>>();
  readonly #events = THREAD_SERIES.cell('apiserver_audit_event_total', {});
  readonly #rejected = THREAD_SERIES.cell('apiserver_audit_requests_rejected_total', {});
  readonly #levels = new Map<AuditLevel, Cell>(
    AUDIT_LEVELS.map((level) => [
      level,
      THREAD_SERIES.cell('apiserver_audit_level_total', { level }),
    ]),
  );

  constructor({ policy, backends, jsonOf, readAnswer }: AuditOptions) {
    this.#rules = new AuditRules(policy);
    this.#backends = backends;
    this.#tools = {
      take: (event) => this.#take(event),
      jsonOf,
      readAnswer: (user, yaml) => this.#noted(readAnswer(user, yaml)),
      nowMs: serverClockMs,
    };
  }

  /** Undefined where nothing is told of the request; what it is is asked for where something is. */
  begin(
    attributes: AuditedRequest['attributes'],
    user: User,
    request: () => Omit<AuditedRequest, 'attributes' | 'user'>,
  ): RequestAudit | undefined {
    const extent = this.#rules.extentOf(attributes, user);
    this.#levels.get(extent.level)?.add();
    if (extent.level === 'None') return undefined;
    return new RequestAudit({ ...request(), attributes, user }, extent, this.#tools);
  }

  /** A request is refused, since its event is lost. */
  rejected(): void {
    this.#rejected.add();
  }

  /** Writes what waits, as far as that needs no time. */
  flush(): void {
    for (const backend of this.#backends) backend.flush();
  }

  /** Resolves when all that was told is written or lost. */
  async close(): Promise<void> {
    await Promise.all(this.#reading);
    await Promise.all(this.#backends.map((backend) => backend.close()));
  }

  #noted<T>(reading: Promise<T>): Promise<T> {
    this.#reading.add(reading);
    return reading.finally(() => this.#reading.delete(reading));
  }

  #take(event: AuditEvent): boolean | Promise<boolean> {
    this.#events.add();
    const [only] = this.#backends;
    if (only !== undefined && this.#backends.length === 1) return only.take(event);
    let isTaken = true;
    const waiting: Promise<boolean>[] = [];
    for (const backend of this.#backends) {
      const taken = backend.take(event);
      if (taken instanceof Promise) waiting.push(taken);
      else isTaken &&= taken;
    }
    if (waiting.length === 0) return isTaken;
    return Promise.all(waiting).then((all) => isTaken && !all.includes(false));
  }
}
