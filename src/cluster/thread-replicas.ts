/**
 * What the shards of a thread know of other types: one copy of each for all of them
 * (src/replicas/README.md#replicas). That of namespaces is there with the first shard of a
 * namespaced type; those of roles and bindings from the first write of one by a user on.
 */
import type { MessagePort } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import type { AuthorizationConfig } from '../auth/authorization-config.ts';
import { authorizationOf } from '../auth/authorization.ts';
import type { FollowType } from '../replicas/follow-type.ts';
import { GrantCheck, type GrantFacts } from '../auth/rbac/grant-check.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import type { AnsweredVersions } from '../replicas/answered-versions.ts';
import { Replica } from '../replicas/replica.ts';
import { NamespaceReplica } from '../admission/namespace-replica.ts';

export interface ThreadReplicasOptions {
  readonly authorization: AuthorizationConfig;
  readonly answered: AnsweredVersions;
  readonly logError: (text: string) => void;
}

export class ThreadReplicas {
  /** Of roles and bindings: whether users may write them. */
  readonly grants = new GrantCheck(() => (this.#grantFacts ??= this.#newGrantFacts()));
  readonly #options: ThreadReplicasOptions;
  readonly #ports = new Map<string, MessagePort>();
  readonly #replicas: Replica[] = [];
  #namespaces: NamespaceReplica | undefined;
  #grantFacts: GrantFacts | undefined;
  #users = 0;

  constructor(options: ThreadReplicasOptions) {
    this.#options = options;
  }

  /** Takes the port to the shard of that type; those of a thread have one between them. */
  link(type: string, port: MessagePort): void {
    if (this.#ports.has(type)) port.close();
    else this.#ports.set(type, port);
  }

  /** The port to their shard is there. */
  get namespaces(): NamespaceReplica {
    return (this.#namespaces ??= new NamespaceReplica(this.#follow));
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

  readonly #follow: FollowType = (resource, index) => {
    const { answered, logError } = this.#options;
    const port = this.#ports.get(resource);
    assert(port !== undefined, `no port to the shard of ${resource}`);
    const replica = new Replica({ resource, port, index, answered });
    replica.start().catch((error: Error) => logError(`replica of ${resource}: ${error.message}`));
    this.#replicas.push(replica);
    return replica;
  };

  #newGrantFacts(): GrantFacts {
    const { authorization } = this.#options;
    const follow = this.#follow;
    const rbac = new RbacAuthorizer(follow);
    // Nodes are given no rights over roles: what they are let do is not looked at here.
    const modes = authorization.modes.filter((mode) => mode !== 'Node');
    return { rbac, authorizer: authorizationOf({ ...authorization, modes }, { follow, rbac }) };
  }
}
