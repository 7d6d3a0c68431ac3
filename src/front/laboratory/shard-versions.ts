/** Asks the shards of types for old versions. */
import { serviceUnavailable } from '../../semantics/errors/status.ts';
import type { PastVersion } from '../../protocol/shard-protocol.ts';
import type { ShardClient } from '../resource-requests.ts';

export class ShardVersions {
  readonly #shards: ReadonlyMap<string, Pick<ShardClient, 'link'>>;

  /** By the name that routes give. */
  constructor(shards: ReadonlyMap<string, Pick<ShardClient, 'link'>>) {
    this.#shards = shards;
  }

  /** The newest version of any type. */
  newest(): Promise<number> {
    const [name = ''] = this.#shards.keys();
    return this.of(name);
  }

  /** An old version of a type, or its newest. Rejects where the type is gone. */
  of(name: string, past?: PastVersion): Promise<number> {
    const shard = this.#shards.get(name);
    if (shard === undefined) return Promise.reject(serviceUnavailable(`there is no ${name}`));
    const request = { resourceVersion: '' as const, ...(past && { past }) };
    return new Promise((resolve, reject) => {
      shard.link.ask('version', request, undefined, (error, reply) => {
        if (error === undefined) resolve(reply.rv);
        else reject(error);
      });
    });
  }
}
