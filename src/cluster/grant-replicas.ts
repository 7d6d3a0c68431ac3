/**
 * What the shards of a thread know of roles and bindings, for writes of them by users: one copy for
 * all of them, which is there from the first such write on.
 */
import type { MessagePort } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import type { AuthorizationConfig } from '../auth/authorization-config.ts';
import { authorizationOf } from '../auth/authorization.ts';
import type { FollowType } from '../auth/follow-type.ts';
import { GrantCheck, type GrantFacts } from '../auth/rbac/grant-check.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import type { AnsweredVersions } from '../replicas/answered-versions.ts';
import { Replica } from '../replicas/replica.ts';

export interface GrantReplicasOptions {
  readonly authorization: AuthorizationConfig;
  readonly answered: AnsweredVersions;
  readonly logError: (text: string) => void;
}

export class GrantReplicas {
  readonly check = new GrantCheck(() => (this.#facts ??= this.#start()));
  readonly #options: GrantReplicasOptions;
  readonly #ports = new Map<string, MessagePort>();
  readonly #replicas: Replica[] = [];
  #facts: GrantFacts | undefined;
  #users = 0;

  constructor(options: GrantReplicasOptions) {
    this.#options = options;
  }

  /** Takes the port to the shard of that type; those of a thread have one between them. */
  link(type: string, port: MessagePort): void {
    if (this.#ports.has(type)) port.close();
    else this.#ports.set(type, port);
  }

  /** A shard of the thread goes by it from now on. */
  join(): void {
    this.#users++;
  }

  /** A shard has stopped. True when it was the last one. */
  leave(): boolean {
    this.#users--;
    if (this.#users > 0) return false;
    for (const replica of this.#replicas) replica.close();
    for (const port of this.#ports.values()) port.close();
    return true;
  }

  #start(): GrantFacts {
    const { authorization, answered, logError } = this.#options;
    const follow: FollowType = (resource, index) => {
      const port = this.#ports.get(resource);
      assert(port !== undefined, `no port to the shard of ${resource}`);
      const replica = new Replica({ resource, port, index, answered });
      replica.start().catch((error: Error) => logError(`replica of ${resource}: ${error.message}`));
      this.#replicas.push(replica);
      return replica;
    };
    const rbac = new RbacAuthorizer(follow);
    // Nodes are given no rights over roles: what they are let do is not looked at here.
    const modes = authorization.modes.filter((mode) => mode !== 'Node');
    return { rbac, authorizer: authorizationOf({ ...authorization, modes }, { follow, rbac }) };
  }
}
