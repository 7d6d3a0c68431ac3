/**
 * What the shards of a thread know of other types: one copy of each for all of them
 * (src/replicas/README.md#replicas). That of namespaces is there with the first shard of a
 * namespaced type; those of roles and bindings from the first write of one by a user on.
 */
import type { MessagePort } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { withoutNodes } from '../auth/authorization-config.ts';
import type { AuthorizationConfig } from '../auth/authorization-config.ts';
import { authorizationOf } from '../auth/authorization.ts';
import { GrantCheck, type GrantFacts } from '../auth/rbac/grant-check.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import type { AnsweredVersions } from '../replicas/answered-versions.ts';
import { Replicas } from '../replicas/replicas.ts';
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
  readonly #replicas: Replicas;
  #namespaces: NamespaceReplica | undefined;
  #grantFacts: GrantFacts | undefined;
  #users = 0;

  constructor(options: ThreadReplicasOptions) {
    this.#options = options;
    const { answered, logError } = options;
    this.#replicas = new Replicas({
      portOf: (resource) => this.#portOf(resource),
      answered,
      onFailure: ({ message }, resource) => logError(`replica of ${resource}: ${message}`),
    });
  }

  /** Takes the port to the shard of that type; those of a thread have one between them. */
  link(type: string, port: MessagePort): void {
    if (this.#ports.has(type)) port.close();
    else this.#ports.set(type, port);
  }

  /** The port to their shard is there. */
  get namespaces(): NamespaceReplica {
    return (this.#namespaces ??= new NamespaceReplica(this.#replicas.follow));
  }

  /** A shard of the thread goes by it from now on. */
  join(): void {
    this.#users++;
  }

  /** A shard has stopped. True when it was the last one. */
  leave(): boolean {
    this.#users--;
    if (this.#users > 0) return false;
    this.#replicas.close();
    for (const port of this.#ports.values()) port.close();
    return true;
  }

  #portOf(resource: string): MessagePort {
    const port = this.#ports.get(resource);
    assert(port !== undefined, `no port to the shard of ${resource}`);
    return port;
  }

  #newGrantFacts(): GrantFacts {
    const { follow } = this.#replicas;
    const rbac = new RbacAuthorizer(follow);
    // Nodes are given no rights over roles: what they are let do is not looked at here.
    const authorization = withoutNodes(this.#options.authorization);
    return { rbac, authorizer: authorizationOf(authorization, { follow, rbac }) };
  }
}
