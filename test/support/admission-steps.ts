/**
 * Requests, one after the other, whose outcome plugins of admission decide, with the words of the
 * reference: each is made as somebody who may make such requests.
 */
import type { Server } from './server.ts';

/** The uid of what a step has made, by the name of the object. */
export type UidOf = (name: string) => string;

export interface Step {
  readonly what: string;
  /** Agents are of the group of agents; absent is the administrator. */
  readonly as?: string;
  /** The method and the path, `POST /api/v1/nodes`; patches are merge patches. */
  readonly send: string;
  readonly body?: object | ((uidOf: UidOf) => object);
  readonly code: number;
  /** The message; of what is forbidden what follows that. Absent where it says nothing else. */
  readonly message?: string | ((uidOf: UidOf) => string);
}

/** The outcome of a step, in the same form. */
export interface Outcome {
  readonly code: number;
  readonly message: string | undefined;
}

const FORBIDDEN = ' is forbidden: ';

/** Makes the requests of steps, and remembers what they have made. */
export class StepRunner {
  readonly #server: Pick<Server, 'request'>;
  readonly #uids = new Map<string, string>();
  readonly #uidOf: UidOf = (name) => this.#uids.get(name) ?? `no uid of ${name}`;

  constructor(server: Pick<Server, 'request'>) {
    this.#server = server;
  }

  async run({ send, as, body }: Step): Promise<Outcome> {
    const [method = '', path = ''] = send.split(' ');
    const isAgent = as?.startsWith('system:node:') === true;
    const { status, json, text } = await this.#server.request(
      method,
      path,
      typeof body === 'function' ? body(this.#uidOf) : body,
      {
        ...(as !== undefined && { 'impersonate-user': as }),
        ...(isAgent && { 'impersonate-group': 'system:nodes' }),
        ...(method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }),
      },
    );
    const { name, uid } = json?.metadata ?? {};
    if (name !== undefined && uid !== undefined) this.#uids.set(name, uid);
    if (status < 400) return { code: status, message: undefined };
    const message: string = json?.message ?? text;
    const at = message.indexOf(FORBIDDEN);
    return { code: status, message: at < 0 ? message : message.slice(at + FORBIDDEN.length) };
  }

  expected({ code, message }: Step): Outcome {
    return { code, message: typeof message === 'function' ? message(this.#uidOf) : message };
  }
}

/** Steps that let users do things with types: `get,update apps deployments/status`, by user. */
export function grants(rights: Readonly<Record<string, readonly string[]>>): Step[] {
  return Object.entries(rights).flatMap(([user, rules]) => {
    const name = `steps-${user}`;
    const roles = '/apis/rbac.authorization.cluster.io/v1';
    const role = {
      metadata: { name },
      rules: rules.map((rule) => {
        const [verbs = '', group = '', resources = '', only] = rule.split(' ');
        return {
          verbs: verbs.split(','),
          apiGroups: [group === '-' ? '' : group],
          resources: resources.split(','),
          ...(only !== undefined && { resourceNames: [only] }),
        };
      }),
    };
    const binding = {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: user }],
    };
    const what = `rights of ${user}`;
    return [
      { what, send: `POST ${roles}/clusterroles`, body: role, code: 201 },
      { what, send: `POST ${roles}/clusterrolebindings`, body: binding, code: 201 },
    ];
  });
}

/** An object that has a name. */
export function named(name: string): { metadata: { name: string } } {
  return { metadata: { name } };
}
