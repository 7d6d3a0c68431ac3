/** What some clients see of the past, at work: where it is, and who waits for it to move. */
import type { Timers } from '../../base/time/timers.ts';
import type { ViewRule } from '../../laboratory/view-rule.ts';
import type { PastVersion } from '../../protocol/shard-protocol.ts';
import type { PointInTime } from '../request-context.ts';
import type { ShardVersions } from './shard-versions.ts';

/** How often watches of a view that moves by itself are looked at. */
const LOOK_MS = 100;

export interface ViewTools {
  readonly versions: ShardVersions;
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** A version, and who waits until it has moved. */
class Point implements PointInTime {
  version: number;
  readonly #waiting = new Set<() => void>();

  constructor(version: number) {
    this.version = version;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  whenMoved(then: () => void): () => void {
    this.#waiting.add(then);
    return () => this.#waiting.delete(then);
  }

  /** Never backwards. */
  moveTo(version: number): void {
    if (version <= this.version) return;
    this.version = version;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const then of waiting) then();
  }
}

/** What a watch sees that begins with the present: later events come as the point moves. */
export function notBefore(point: PointInTime, version: number): PointInTime {
  return {
    get version() {
      return Math.max(version, point.version);
    },
    whenMoved: (then) => point.whenMoved(then),
  };
}

export class View {
  readonly rule: ViewRule;
  readonly #tools: ViewTools;
  /** Of a view that is moved by request. */
  readonly #fixed: Point | undefined;
  /** Of each type that was read through the view. */
  readonly #points = new Map<string, Point>();
  #endLooks: (() => void) | undefined;

  /** `version` is where one begins that is moved by request. */
  constructor(rule: ViewRule, version: number, tools: ViewTools) {
    this.rule = rule;
    this.#tools = tools;
    this.#fixed = rule.start.is === 'version' ? new Point(version) : undefined;
  }

  /** Whether it is moved by request. */
  get isFixed(): boolean {
    return this.#fixed !== undefined;
  }

  /** Where one is that is moved by request; 0 for others. */
  get version(): number {
    return this.#fixed?.version ?? 0;
  }

  /** What is told of it: where it is, of each type where these are at several versions. */
  get shown(): object {
    const { sent } = this.rule;
    if (this.#fixed !== undefined) return { ...sent, version: this.#fixed.version };
    const versions = [...this.#points].map(([resource, { version }]) => [resource, version]);
    return { ...sent, versions: Object.fromEntries(versions) };
  }

  /** Where the type is seen, as of now. */
  async pointOf(shard: string): Promise<PointInTime> {
    if (this.#fixed !== undefined) {
      this.#points.set(shard, this.#fixed);
      return this.#fixed;
    }
    const known = this.#points.get(shard);
    const version = await this.#tools.versions.of(shard, this.#past());
    const point = known ?? this.#points.get(shard) ?? new Point(version);
    this.#points.set(shard, point);
    point.moveTo(version);
    this.#endLooks ??= this.#tools.timers.every(LOOK_MS, () => this.#look());
    return point;
  }

  /** Moves to a version, or to that of the event so many after it; returns where it is. */
  async advance(to: { readonly version: number } | { readonly events: number }): Promise<number> {
    const point = this.#fixed;
    if (point === undefined) return 0;
    if ('version' in to) {
      point.moveTo(to.version);
      return point.version;
    }
    const { versions } = this.#tools;
    const past = { after: point.version, events: to.events };
    const next = await Promise.all([...this.#points.keys()].map((of) => versions.of(of, past)));
    if (next.length > 0) point.moveTo(Math.min(...next));
    return point.version;
  }

  /** Who has watched the past sees the present from now on. */
  end(): void {
    this.#endLooks?.();
    for (const point of new Set(this.#points.values())) point.moveTo(Infinity);
  }

  #past(): PastVersion {
    const { start } = this.rule;
    if (start.is === 'versionsAgo') return { ago: start.count };
    return { untilMs: this.#tools.nowMs() - (start.is === 'timeAgo' ? start.ms : 0) };
  }

  #look(): void {
    for (const [shard, point] of this.#points) {
      if (!point.isWaitedFor) continue;
      this.#tools.versions.of(shard, this.#past()).then(
        (version) => point.moveTo(version),
        (error: unknown) => {
          this.#points.delete(shard);
          this.#tools.logError(`view ${this.rule.name}: ${(error as Error).message}`);
        },
      );
    }
  }
}
