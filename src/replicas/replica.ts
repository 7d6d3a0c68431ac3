/**
 * A copy of another type in this thread, for who must know it without asking: it follows the type
 * by an ordinary watch, says whether it lacks a change that was answered, and can be waited for
 * (README.md#replicas).
 */
import type { Port } from '../actors/port.ts';
import { answeredCell } from './answered-versions.ts';
import type { AnsweredVersions } from './answered-versions.ts';
import type { FollowedType, TypeIndex } from './follow-type.ts';
import { ShardObjects } from './shard-objects.ts';
import type { Followed, WatchEvent } from './shard-objects.ts';

export interface ReplicaOptions {
  /** The name of the type's shard. */
  readonly resource: string;
  /** To that shard. */
  readonly port: Port;
  readonly followed?: Followed;
  readonly index: TypeIndex;
  readonly answered: AnsweredVersions;
}

export class Replica implements FollowedType {
  readonly #options: ReplicaOptions;
  readonly #objects: ShardObjects;
  readonly #cell: number;
  #seenRv = -1;
  #waiting: (() => void)[] = [];

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#cell = answeredCell(options.resource);
    this.#objects = new ShardObjects(options.resource, options.port);
  }

  /** Resolves when it knows all objects that there are; follows the type from then on. */
  async start(): Promise<void> {
    const { followed, index } = this.#options;
    const onEvent = ({ type, object }: WatchEvent): void => {
      if (type === 'DELETED') index.remove(object);
      else if (type !== 'BOOKMARK') index.put(object);
    };
    await this.#objects.follow(onEvent, { ...followed, onVersion: (rv) => this.#saw(rv) });
  }

  /**
   * Whether every change that was answered by now is in it. A replica of selected objects alone is
   * not told of other changes, and is not to be asked.
   */
  get isCurrent(): boolean {
    return this.#seenRv >= this.#answeredRv();
  }

  /** Resolves when every change that was answered by now is in it. */
  async whenCurrent(): Promise<void> {
    const rv = this.#answeredRv();
    while (this.#seenRv < rv) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#objects.close();
  }

  #answeredRv(): number {
    return this.#options.answered.get(this.#cell);
  }

  #saw(rv: number): void {
    this.#seenRv = Math.max(this.#seenRv, rv);
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
