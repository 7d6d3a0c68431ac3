/**
 * The state that the shards of a thread share: replicas of other types, one of each for all of them
 * (src/replicas/README.md#replicas), and admission. The replica of namespaces is there from the
 * start, all others from when they are first needed.
 */
import type { Port } from '../actors/port.ts';
import { portPair } from '../actors/ports.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import type { Authorization } from '../auth/authorization.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { GrantCheck } from '../auth/rbac/grant-check.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import type { AnsweredVersions } from '../replicas/answered-versions.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { Replicas } from '../replicas/replicas.ts';
import type { OtherTypes } from '../resources/allocator.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import { ThreadAdmission } from './thread-admission.ts';

export interface ThreadContextOptions {
  readonly authorization: Authorization;
  readonly admission: AdmissionConfig;
  readonly gates: FeatureGates;
  readonly model: SchemaModel;
  readonly answered: AnsweredVersions;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** Passes a port on to the shard of a type: the way to it of whoever has the other end. */
export type PassPort = (type: string, port: Port) => void;

interface Decided {
  readonly rbac: RbacAuthorizer;
  readonly authorizer: Authorizer;
}

export class ThreadContext {
  /** Decides whether users may write roles and bindings. */
  readonly grants = new GrantCheck(() => this.#decided());
  /** Decides about everything else: rights of node agents count, too. */
  readonly authorizer = (): Authorizer =>
    (this.#authorizer ??= this.#options.authorization.authorizer({
      follow: this.#replicas.follow,
      rbac: this.#decided().rbac,
    }));
  readonly admission: ThreadAdmission;
  /** The types in which values of objects are held. */
  readonly otherTypes: OtherTypes;
  readonly #options: ThreadContextOptions;
  readonly #replicas: Replicas;
  /** Ways out of the thread, of the shards that run in it. */
  readonly #ways: PassPort[] = [];
  /** Ports that wait for one. */
  #waiting: (readonly [type: string, port: Port])[] = [];
  #decisions: Decided | undefined;
  #authorizer: Authorizer | undefined;

  constructor(options: ThreadContextOptions) {
    const { answered, admission, gates, model, nowMs, logError } = options;
    this.#options = options;
    this.#replicas = new Replicas({
      portOf: (resource) => this.#portTo(resource),
      answered,
      onFailure: ({ message }, resource) => logError(`replica of ${resource}: ${message}`),
    });
    this.admission = new ThreadAdmission({
      admission,
      follow: this.#replicas.follow,
      portTo: (resource) => this.#portTo(resource),
      authorizer: this.authorizer,
      gates,
      model: () => model,
      nowMs,
      logError,
    });
    this.otherTypes = { follow: this.#replicas.follow, objects: this.admission.objects };
  }

  /** A shard of the thread runs, and passes ports on. */
  join(pass: PassPort): void {
    this.#ways.push(pass);
    for (const [type, port] of this.#waiting) pass(type, port);
    this.#waiting = [];
  }

  /** A shard has stopped. True when it was the last one. */
  leave(pass: PassPort): boolean {
    this.#ways.splice(this.#ways.indexOf(pass), 1);
    if (this.#ways.length > 0) return false;
    this.#replicas.close();
    this.admission.close();
    return true;
  }

  #portTo(type: string): Port {
    const [mine, its] = portPair();
    const pass = this.#ways.at(-1);
    if (pass === undefined) this.#waiting.push([type, its]);
    else pass(type, its);
    return mine;
  }

  #decided(): Decided {
    return (this.#decisions ??= this.#newDecisions());
  }

  #newDecisions(): Decided {
    const { follow } = this.#replicas;
    const rbac = new RbacAuthorizer(follow);
    // Nodes are given no rights over roles: what they are let do is not looked at here.
    const authorization = this.#options.authorization.withoutNodes();
    return { rbac, authorizer: authorization.authorizer({ follow, rbac }) };
  }
}
