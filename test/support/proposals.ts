/** Proposals as shards make them, and what plugins are made of, for tests without a server. */
import type { AdmissionContext, AdmissionPlugin } from '../../src/admission/plugin.ts';
import { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import { Proposal } from '../../src/admission/proposal.ts';
import type {
  AdmissionOperation,
  ProposalFacts,
  ProposedForms,
} from '../../src/admission/proposal.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { userText, type User } from '../../src/semantics/user.ts';
import { HandFed, person } from './rbac.ts';

const FORMS: ProposedForms = {
  kind: '',
  groupVersion: 'v1',
  versions: [],
  text: (object) => JSON.stringify(object),
  read: (text) => JSON.parse(text) as ApiObject,
  strictProblems: () => [],
  fieldTypes: () => undefined,
};

export interface Proposed extends Partial<Omit<ProposalFacts, 'user' | 'options'>> {
  readonly user?: User;
  readonly options?: object;
}

/**
 * `CREATE - pods`, `UPDATE apps deployments/status`: `-` is the core group. Where it is, and what
 * it is called, is taken from the objects if it is not said.
 */
export function proposed(what: string, { user, options, ...facts }: Proposed = {}): Proposal {
  const [operation = '', group = '', path = ''] = what.split(' ');
  const [resource = '', subresource = ''] = path.split('/');
  const { name = '', namespace = '' } = (facts.object ?? facts.oldObject)?.metadata ?? {};
  return new Proposal({
    operation: operation as AdmissionOperation,
    group: group === '-' ? '' : group,
    version: 'v1',
    resource,
    subresource,
    forms: FORMS,
    namespace,
    name,
    user: userText(user ?? person('somebody')),
    dryRun: false,
    options: options && (() => options),
    object: undefined,
    oldObject: undefined,
    deadlineMs: Infinity,
    ...facts,
  });
}

/** Makes the context of plugins: types are fed by hand, and nothing else may be asked for. */
export function admissionContext(
  given: Partial<AdmissionContext> = {},
): AdmissionContext & { readonly fed: HandFed } {
  const fed = new HandFed();
  const absent = (what: string) => (): never => {
    throw new Error(`the test has no ${what}`);
  };
  return {
    fed,
    follow: fed.follow,
    namespaces: new NamespaceReplica(fed.follow),
    objects: absent('objects'),
    authorizer: absent('authorizer'),
    webhooks: absent('webhooks'),
    model: absent('messages'),
    gates: DEFAULT_GATES,
    nowMs: () => 0,
    logError: absent('log'),
    ...given,
  };
}

/**
 * Gives the verdict of a plugin that waits for nothing: `403 …`, undefined where it allows the
 * write.
 */
export function verdict(plugin: AdmissionPlugin, proposal: Proposal): string | undefined {
  try {
    for (const said of [plugin.admit?.(proposal), plugin.validate?.(proposal)]) {
      if (said !== undefined) throw new Error('it waits');
    }
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return undefined;
}
