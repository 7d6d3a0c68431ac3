/**
 * Who decides what a user may do, for a controller that seldom asks: it follows roles and bindings
 * from its first question on.
 */
import { authorizationOf } from '../auth/authorization.ts';
import type { AuthorizationConfig } from '../auth/authorization-config.ts';
import type { AccessAttributes, Authorizer, Decision } from '../auth/authorizer.ts';
import type { TypeIndex } from '../replicas/follow-type.ts';
import { AnsweredVersions } from '../replicas/answered-versions.ts';
import { Replica } from '../replicas/replica.ts';
import { portOf } from './run-controller.ts';
import type { Ports } from './run-controller.ts';

export class LateAuthorizer implements Pick<Authorizer, 'authorize'> {
  readonly #ports: Ports;
  readonly #authorization: AuthorizationConfig;
  readonly #answered: AnsweredVersions;
  readonly #replicas: Replica[] = [];
  #authorizer: Authorizer | undefined;

  /** Ports: those to the shards of roles and bindings. */
  constructor(ports: Ports, authorization: AuthorizationConfig, answered: SharedArrayBuffer) {
    this.#ports = ports;
    // What nodes may do to what they run is no matter of controllers.
    const modes = authorization.modes.filter((mode) => mode !== 'Node');
    this.#authorization = { ...authorization, modes };
    this.#answered = new AnsweredVersions(answered);
  }

  authorize(attributes: AccessAttributes): Decision | Promise<Decision> {
    this.#authorizer ??= authorizationOf(this.#authorization, {
      follow: (resource, index) => this.#follow(resource, index),
    });
    return this.#authorizer.authorize(attributes);
  }

  close(): void {
    for (const replica of this.#replicas) replica.close();
  }

  #follow(resource: string, index: TypeIndex): Replica {
    const port = portOf(this.#ports, resource);
    const replica = new Replica({ resource, port, index, answered: this.#answered });
    void replica.start();
    this.#replicas.push(replica);
    return replica;
  }
}
