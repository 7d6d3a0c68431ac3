/** For whom an agent may ask tokens of its pods: for whom their volumes need some. */
import type { TokenRequest } from '#messages/authentication.v1';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '#messages/core.v1';
import type { CSIDriver } from '#messages/storage.v1';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { ownRelease } from '../../../release/release.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import { notFound } from '../../../semantics/errors/status.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import type { NodeFacts, NodeFactType } from './node-facts.ts';

const MAY_BE_ALLOWED = ownRelease().has('audiencesByRight');
const NAMES_AUDIENCE_LAST = ownRelease().has('audienceRightAlone');

/** Rejects with StatusError 403. */
export async function checkAudience(
  proposal: Proposal,
  pod: ApiObject,
  facts: NodeFacts,
): Promise<void> {
  const [audience = '', ...more] = (proposal.object as TokenRequest).spec?.audiences ?? [];
  if (more.length > 0) throw refused(proposal, 'node may only request 0 or 1 audiences');
  const found = await isNeeded(pod as Pod, audience, facts).catch((error: unknown) => {
    const why = (error as Error).message;
    throw refused(proposal, `error validating audience ${quoteText(audience)}: ${why}`);
  });
  if (found) return;
  const missing = `audience ${quoteText(audience)} not found in pod spec volume`;
  if (!MAY_BE_ALLOWED) throw refused(proposal, missing);
  const { user, namespace, name } = proposal;
  const decision = await facts.authorizer().authorize({
    user,
    verb: 'request-serviceaccounts-token-audience',
    isResource: true,
    namespace,
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    name,
    path: '',
  });
  if (decision.verdict === 'allow') return;
  const why = NAMES_AUDIENCE_LAST
    ? `${user.name} is not authorized to request tokens for audience ${quoteText(audience)}`
    : `${missing}, ${user.name} is not authorized to request tokens for this audience`;
  throw refused(proposal, why);
}

/** Whether a volume has a token for the audience, or a driver that asks for one. */
async function isNeeded(
  { metadata, spec }: Pod,
  audience: string,
  facts: NodeFacts,
): Promise<boolean> {
  const { namespace = '', name: podName = '' } = metadata;
  let problem: unknown;
  for (const volume of spec?.volumes ?? []) {
    const tokens = volume.projected?.sources?.map(({ serviceAccountToken: token }) => token) ?? [];
    if (tokens.some((token) => token && (token.audience ?? '') === audience)) return true;
    const claim = volume.ephemeral
      ? `${podName}-${volume.name ?? ''}`
      : (volume.persistentVolumeClaim?.claimName ?? '');
    try {
      const driver =
        claim === '' ? volume.csi?.driver : await driverOf({ namespace, name: claim }, facts);
      if (driver && (await asksFor(driver, audience, facts))) return true;
    } catch (error) {
      problem ??= error;
    }
  }
  if (problem !== undefined) throw problem;
  return false;
}

/** The driver of the volume that a claim is bound to. */
async function driverOf(
  at: { readonly namespace: string; readonly name: string },
  facts: NodeFacts,
): Promise<string | undefined> {
  const claim = await found<PersistentVolumeClaim>(facts, 'persistentvolumeclaims', at);
  const name = claim.spec?.volumeName ?? '';
  const volume = await found<PersistentVolume>(facts, 'persistentvolumes', { namespace: '', name });
  return volume.spec?.csi?.driver;
}

async function asksFor(name: string, audience: string, facts: NodeFacts): Promise<boolean> {
  const at = { namespace: '', name };
  const { spec } = await found<CSIDriver>(facts, 'csidrivers.storage.cluster.io', at);
  return spec?.tokenRequests?.some((request) => (request.audience ?? '') === audience) ?? false;
}

/** Rejects with StatusError 404. */
async function found<T>(
  { objects }: NodeFacts,
  type: NodeFactType,
  at: { readonly namespace: string; readonly name: string },
): Promise<T> {
  const object = await objects(type).get(at);
  const [plural = '', ...group] = type.split('.');
  // One of them is what is told of, as where the reference keeps them in mind.
  const resource = plural.replace(/s$/, '');
  if (object === undefined) throw notFound({ group: ownGroup(group.join('.')), resource }, at.name);
  return object as T;
}
