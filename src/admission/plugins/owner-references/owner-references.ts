/**
 * OwnerReferencesPermissionEnforcement: who gives an object other owners may delete it, and who
 * lets it hold up the deletion of an owner may set that one's finalizers.
 */
import type { AccessAttributes, Decision } from '../../../auth/authorizer.ts';
import { deepEqual } from '../../../base/deep-equal.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import type { OwnerReference } from '../../../semantics/metadata/object-meta.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { ServedKindIndex } from '../../served-kinds.ts';

type Context = Pick<AdmissionContext, 'authorizer' | 'follow'>;

export class OwnerReferences implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #context: Context;
  readonly #types = new ServedKindIndex();

  constructor(context: Context) {
    this.#context = context;
    this.knows = [
      context.follow('customresourcedefinitions.apiextensions.cluster.io', this.#types),
    ];
  }

  /** Rejects with StatusError 403. */
  validate(proposal: Proposal): void | Promise<void> {
    const owners = ownersOf(proposal.object);
    const stored = ownersOf(proposal.oldObject);
    return deepEqual(owners, stored) ? undefined : this.#check(proposal, owners, stored);
  }

  async #check(
    proposal: Proposal,
    owners: readonly OwnerReference[],
    stored: readonly OwnerReference[],
  ): Promise<void> {
    // Who makes an object had the choice not to.
    if (proposal.operation !== 'CREATE') await this.#checkDeletion(proposal);
    const blocking = newlyBlocking(owners, stored);
    if (blocking.length === 0 || (await this.#mayFinalizeAll(proposal))) return;
    for (const owner of blocking) await this.#checkOwner(proposal, owner);
  }

  async #checkDeletion(proposal: Proposal): Promise<void> {
    const { group, version, resource, subresource, namespace, name } = proposal;
    const what = { verb: 'delete', group, version, resource, subresource, namespace, name };
    const why = "cannot set an ownerRef on a resource you can't delete";
    await this.#require(proposal, what, why);
  }

  async #mayFinalizeAll(proposal: Proposal): Promise<boolean> {
    const all = { group: '*', version: '*', resource: '*', namespace: '', name: '*' };
    const { verdict } = await this.#ask(proposal, { ...FINALIZE, ...all });
    return verdict === 'allow';
  }

  async #checkOwner(proposal: Proposal, { apiVersion, kind, name }: OwnerReference): Promise<void> {
    const type = this.#types.find(apiVersion, kind);
    if (type === undefined) {
      const what = 'cannot set blockOwnerDeletion in this case because cannot find RESTMapping';
      const none = `no matches for kind ${quoteText(kind)} in version ${quoteText(apiVersion)}`;
      throw refused(proposal, `${what} for APIVersion ${apiVersion} Kind ${kind}: ${none}`);
    }
    const { group, version, resource, namespaced } = type;
    // An owner is where what it owns is.
    const namespace = namespaced ? proposal.namespace : '';
    const what = { ...FINALIZE, group, version, resource, namespace, name };
    const why =
      'cannot set blockOwnerDeletion if an ownerReference refers to a resource ' +
      "you can't set finalizers on";
    await this.#require(proposal, what, why);
  }

  async #require(proposal: Proposal, asked: Asked, why: string): Promise<void> {
    const { verdict, reason, error = '<nil>' } = await this.#ask(proposal, asked);
    if (verdict !== 'allow') throw refused(proposal, `${why}: ${reason}, ${error}`);
  }

  async #ask({ user }: Proposal, asked: Asked): Promise<Decision> {
    return this.#context.authorizer().authorize({ ...asked, user, isResource: true, path: '' });
  }
}

type Asked = Omit<AccessAttributes, 'user' | 'isResource' | 'path'>;

const FINALIZE = { verb: 'update', subresource: 'finalizers' } as const;

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

/** Those that hold up the deletion of their owner, and did not before. */
function newlyBlocking(
  owners: readonly OwnerReference[],
  stored: readonly OwnerReference[],
): OwnerReference[] {
  return owners.filter(({ uid, blockOwnerDeletion }) => {
    if (blockOwnerDeletion !== true) return false;
    // The last of several references to one owner counts.
    return stored.findLast((before) => before.uid === uid)?.blockOwnerDeletion !== true;
  });
}
