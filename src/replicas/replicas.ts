/** The replicas that somebody has started: each goes with the others (README.md#replicas). */
import type { MessagePort } from 'node:worker_threads';
import type { AnsweredVersions } from './answered-versions.ts';
import type { FollowType } from './follow-type.ts';
import { Replica } from './replica.ts';

export interface ReplicasOptions {
  /** To the shard of a type, for a replica alone. */
  readonly portOf: (resource: string) => MessagePort;
  readonly answered: AnsweredVersions;
  /** A type cannot be followed: whoever waits for its replica waits on. */
  readonly onFailure: (error: Error, resource: string) => void;
}

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #replicas: Replica[] = [];

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  readonly follow: FollowType = (resource, index) => {
    const { portOf, answered, onFailure } = this.#options;
    const replica = new Replica({ resource, port: portOf(resource), index, answered });
    replica.start().catch((error: Error) => onFailure(error, resource));
    this.#replicas.push(replica);
    return replica;
  };

  close(): void {
    for (const replica of this.#replicas) replica.close();
  }
}
