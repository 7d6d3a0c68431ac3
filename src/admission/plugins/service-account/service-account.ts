/**
 * ServiceAccount: each pod has an account that exists, with the account's secrets for images and a
 * token of it, and keeps to the secrets that the account may use.
 */
import type { Container, Pod, PodSpec } from '#messages/core.v1';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import { MIRROR_ANNOTATION } from '../../../resources/core/pods/pod-annotations.ts';
import { referredNames } from '../../../auth/node/object-references.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { DEFAULT_ACCOUNT_WAIT_MS, KnownAccounts } from './known-accounts.ts';
import type { KnownAccount } from './known-accounts.ts';
import { mountToken } from './token-volume.ts';

const DEFAULT_ACCOUNT = 'default';

export class ServiceAccount implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #accounts: KnownAccounts;

  constructor({ follow }: Pick<AdmissionContext, 'follow'>, accounts = new KnownAccounts()) {
    this.#accounts = accounts;
    this.knows = [follow('serviceaccounts', accounts)];
  }

  /** Throws or rejects with StatusError 403. */
  admit(proposal: Proposal): void | Promise<void> {
    const pod = proposal.object as Pod;
    // A node agent would take a changed pod for another one.
    if (isMirror(pod)) return checkMirror(pod, proposal);
    const spec = (pod.spec ??= {});
    if (!spec.serviceAccountName) {
      spec.serviceAccountName = DEFAULT_ACCOUNT;
      spec.serviceAccount = DEFAULT_ACCOUNT;
    }
    return this.#withAccount(spec, proposal, (account) => {
      if (spec.automountServiceAccountToken ?? account.automounts ?? true) mountToken(spec);
      if ((spec.imagePullSecrets ?? []).length === 0 && account.pullSecrets.length > 0) {
        spec.imagePullSecrets = account.pullSecrets.map((name) => (name ? { name } : {}));
      }
      checkSecrets(spec, account, proposal);
    });
  }

  /** Checks the pod as others have changed it since. Throws or rejects with StatusError 403. */
  validate(proposal: Proposal): void | Promise<void> {
    const pod = proposal.object as Pod;
    if (isMirror(pod)) return checkMirror(pod, proposal);
    const { spec = {} } = pod;
    return this.#withAccount(spec, proposal, (account) => checkSecrets(spec, account, proposal));
  }

  #withAccount(
    { serviceAccountName: name = '' }: PodSpec,
    proposal: Proposal,
    then: (account: KnownAccount) => void,
  ): void | Promise<void> {
    const { namespace, deadlineMs } = proposal;
    const found = (): void => {
      const account = this.#accounts.get(namespace, name);
      if (account !== undefined) return then(account);
      const why = `serviceaccount "${name}" not found`;
      throw refused(proposal, `error looking up service account ${namespace}/${name}: ${why}`);
    };
    const isComing = name === DEFAULT_ACCOUNT && this.#accounts.get(namespace, name) === undefined;
    if (!isComing) return found();
    // A controller makes it soon after the namespace.
    const waitMs = Math.min(DEFAULT_ACCOUNT_WAIT_MS, deadlineMs - performance.now());
    return this.#accounts.whenThere(namespace, name, waitMs).then(found);
  }
}

function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
}

/** A node agent could make such pods by itself, and is not to get at anything by them. */
function checkMirror(pod: Pod, proposal: Proposal): void {
  const { serviceAccountName, volumes = [] } = pod.spec ?? {};
  const refuse = (what: string): Error => refused(proposal, `a mirror pod may not ${what}`);
  if (serviceAccountName) throw refuse('reference service accounts');
  if (referredNames(pod).secrets.length > 0) throw refuse('reference secrets');
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    throw refuse('use ServiceAccountToken volume projections');
  }
}

/** In the order of the reference, which does not look at other ways to use secrets. */
function checkSecrets(
  spec: PodSpec,
  { mountable, pullSecrets }: KnownAccount,
  proposal: Proposal,
): void {
  if (mountable === undefined) return;
  const account = `service account ${spec.serviceAccountName ?? ''}`;
  const refuse = (what: string, kind: string): Error =>
    refused(proposal, `${what} is not allowed because ${account} does not reference that ${kind}`);
  for (const { secret } of spec.volumes ?? []) {
    if (secret === undefined || mountable.has(secret.secretName ?? '')) continue;
    throw refuse(`volume with secret.secretName="${secret.secretName ?? ''}"`, 'secret');
  }
  const lists: [string, Container[] | undefined][] = [
    ['init container', spec.initContainers],
    ['container', spec.containers],
  ];
  for (const [kind, containers = []] of lists) {
    for (const { name = '', env = [] } of containers) {
      for (const { name: variable = '', valueFrom } of env) {
        const { secretKeyRef } = valueFrom ?? {};
        if (secretKeyRef === undefined || mountable.has(secretKeyRef.name ?? '')) continue;
        const secret = `secret.secretName="${secretKeyRef.name ?? ''}"`;
        throw refuse(`${kind} ${name} with envVar ${variable} referencing ${secret}`, 'secret');
      }
    }
  }
  (spec.imagePullSecrets ?? []).forEach(({ name }, index) => {
    if (pullSecrets.some((allowed) => (allowed ?? '') === (name ?? ''))) return;
    throw refuse(`imagePullSecrets[${index}].name="${name ?? ''}"`, 'imagePullSecret');
  });
}
