/**
 * ResourceQuota: what a write uses more of is reserved in all quotas of its namespace that count
 * it, before it is made (src/quota/README.md#reservations).
 */
import { growthOf, type Amounts } from '../../../quota/amounts.ts';
import { countedType, type CountedType } from '../../../quota/counted-type.ts';
import { callQuotas, settleQuotas } from '../../../quota/quota-protocol.ts';
import { isInScope } from '../../../quota/scopes.ts';
import { compareTexts } from '../../../base/text/compare-texts.ts';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import type { ShardObjects } from '../../../replicas/shard-objects.ts';
import { resourceKey } from '../../../resources/registry.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { serverFailure } from '../../../semantics/errors/status.ts';
import type { AdmissionContext, AdmissionPlugin, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import {
  limitedResourcesOf,
  namesToCover,
  printScopes,
  scopesToCover,
  type LimitedResource,
} from './limited-resources.ts';
import { QuotaIndex, type KnownQuota } from './quota-index.ts';

const QUOTAS = 'resourcequotas';
const NONE: Amounts = Object.freeze({});

export class ResourceQuotaPlugin implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #objects: () => ShardObjects;
  readonly #quotas = new QuotaIndex();
  readonly #limited: readonly LimitedResource[];

  constructor(
    { follow, objects }: Pick<AdmissionContext, 'follow' | 'objects'>,
    settings: PluginSettings | undefined,
  ) {
    this.#limited = limitedResourcesOf(settings);
    this.knows = [follow(QUOTAS, this.#quotas)];
    this.#objects = () => objects(QUOTAS);
  }

  isIdleIn(namespace: string): boolean {
    if (namespace === '') return true;
    return this.#limited.length === 0 && this.#quotas.in(namespace).length === 0;
  }

  validate(proposal: Proposal): Promise<void> | undefined {
    const { namespace, object, oldObject } = proposal;
    if (object === undefined || this.isIdleIn(namespace)) return undefined;
    const quotas = this.#quotas.in(namespace);
    const type = countedType(keyOf(proposal));
    if (type === undefined || (oldObject !== undefined && !mayGrow(type, proposal))) {
      return undefined;
    }
    const using = quotas.filter((quota) => isCountedIn(quota, type, object));
    for (const quota of using) checkSaid(proposal, quota, type, object);
    const usage = type.usage(object);
    const amounts = growthOf(usage, oldObject === undefined ? NONE : type.usage(oldObject));
    if (Object.keys(amounts).length === 0) return undefined;
    this.#checkCovered(proposal, type, usage, using);
    return using.length === 0 ? undefined : this.#reserve(proposal, using, amounts);
  }

  /** Throws StatusError 403, or 500 as the reference, where a quota is missing. */
  #checkCovered(
    proposal: Proposal,
    type: CountedType,
    usage: Amounts,
    using: readonly KnownQuota[],
  ): void {
    if (this.#limited.length === 0) return;
    const covered = using.flatMap(({ limited }) => limited);
    const names = namesToCover(this.#limited, proposal.groupResource, usage);
    const uncovered = names.filter((name) => !covered.includes(name));
    if (uncovered.length > 0) {
      throw refused(proposal, `insufficient quota to consume: ${uncovered.join(',')}`);
    }
    const pod = type.scopes?.(proposal.object as ApiObject);
    const known = this.#quotas.in(proposal.namespace).flatMap(({ scopes }) => scopes);
    const scopes = scopesToCover(this.#limited, pod).filter(
      ({ scopeName }) => !known.some((one) => one.scopeName === scopeName && isInScope(one, pod)),
    );
    if (scopes.length === 0) return;
    throw serverFailure(`insufficient quota to match these scopes: ${printScopes(scopes)}`);
  }

  async #reserve(
    proposal: Proposal,
    using: readonly KnownQuota[],
    amounts: Amounts,
  ): Promise<void> {
    const { namespace, dryRun } = proposal;
    const objects = this.#objects();
    const quotas = using.map(({ name, uid }) => ({ name, uid }));
    const reserved = await callQuotas(objects, 'reserve', { namespace, quotas, amounts, dryRun });
    if ('refusal' in reserved) throw refused(proposal, reserved.refusal);
    const { id } = reserved;
    if (id !== 0) proposal.whenSettled((isMade) => settleQuotas(objects, { id, isMade }));
  }
}

function mayGrow({ grows, growsThrough }: CountedType, { subresource }: Proposal): boolean {
  return grows || (growsThrough !== undefined && subresource === growsThrough);
}

/** By which the type is known here: the versions of an object are one type. */
function keyOf({ group, resource }: Proposal): string {
  return resourceKey({ group, plural: resource });
}

/** Whether a quota limits, or is to limit, what the object uses. */
function isCountedIn(quota: KnownQuota, type: CountedType, object: ApiObject): boolean {
  const counts = (name: string): boolean => type.counts(name);
  if (!quota.limited.some(counts) && !quota.wanted.some(counts)) return false;
  if (quota.scopes.length === 0) return true;
  const pod = type.scopes?.(object);
  return quota.scopes.every((scope) => isInScope(scope, pod));
}

/** Throws StatusError 403 where the object does not say what the quota is about. */
function checkSaid(
  proposal: Proposal,
  { name, limited, counted }: KnownQuota,
  type: CountedType,
  object: ApiObject,
): void {
  const names = limited.filter((one) => type.counts(one)).sort(compareTexts);
  const unsaid = type.unsaid?.(object, names) ?? '';
  if (unsaid !== '') throw refused(proposal, `failed quota: ${name}: must specify ${unsaid}`);
  if (names.every((one) => counted.has(one))) return;
  throw refused(proposal, `status unknown for quota: ${name}, resources: ${names.join(',')}`);
}
