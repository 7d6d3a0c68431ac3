/**
 * Who decides what a user may do, for a controller that seldom asks: it follows roles and bindings
 * from its first question on.
 */
import type { Authorization } from '../../auth/authorization.ts';
import type { AccessAttributes, Authorizer, Decision } from '../../auth/authorizer.ts';
import { AnsweredVersions } from '../../replicas/answered-versions.ts';
import { Replicas } from '../../replicas/replicas.ts';
import { portOf } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';

interface LateAuthorizerOptions {
  readonly authorization: Authorization;
  readonly answered: SharedArrayBuffer;
  readonly logError: (text: string) => void;
}

export class LateAuthorizer implements Pick<Authorizer, 'authorize'> {
  readonly #authorization: Authorization;
  readonly #replicas: Replicas;
  #authorizer: Authorizer | undefined;

  /** Ports: those to the shards of roles and bindings. */
  constructor(ports: Ports, { authorization, answered, logError }: LateAuthorizerOptions) {
    // Controllers are no nodes, so the rules for nodes are left out.
    this.#authorization = authorization.withoutNodes();
    this.#replicas = new Replicas({
      portOf: (resource) => portOf(ports, resource),
      answered: new AnsweredVersions(answered),
      onFailure: ({ message }, resource) => logError(`replica of ${resource}: ${message}`),
    });
  }

  authorize(attributes: AccessAttributes): Decision | Promise<Decision> {
    const { follow } = this.#replicas;
    this.#authorizer ??= this.#authorization.authorizer({ follow });
    return this.#authorizer.authorize(attributes);
  }

  close(): void {
    this.#replicas.close();
  }
}
