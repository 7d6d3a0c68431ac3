/** The replicas that somebody has started: each goes with the others (README.md#replicas). */
import type { Port } from '../actors/port.ts';
import type { AnsweredVersions } from './answered-versions.ts';
import type { FollowType } from './follow-type.ts';
import { Replica } from './replica.ts';

export interface ReplicasOptions {
  /** To the shard of a type, for a replica alone. */
  readonly portOf: (resource: string) => Port;
  readonly answered: AnsweredVersions;
  /** A type cannot be followed: whoever waits for its replica waits on. */
  readonly onFailure: (error: Error, resource: string) => void;
}

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #replicas: Replica[] = [];
  readonly #starts: Promise<void>[] = [];

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  readonly follow: FollowType = (resource, index) => {
    const { portOf, answered, onFailure } = this.#options;
    const replica = new Replica({ resource, port: portOf(resource), index, answered });
    const start = replica.start();
    start.catch((error: Error) => onFailure(error, resource));
    this.#starts.push(start);
    this.#replicas.push(replica);
    return replica;
  };

  /** Resolves when those that were started by now know all objects that there are. */
  async whenRead(): Promise<void> {
    await Promise.all(this.#starts);
  }

  close(): void {
    for (const replica of this.#replicas) replica.close();
  }
}
