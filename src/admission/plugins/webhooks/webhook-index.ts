/**
 * The webhooks of all configurations of a type, in the order in which they are asked: that of the
 * names of the configurations. Made anew with the first write after a change.
 */
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
import type { WebhookCallers } from '../../../webhooks/webhook-callers.ts';
import { isOfAdmission } from '../../concerns.ts';
import {
  manifestsIn,
  type AdmissionContext,
  type Manifests,
  type PluginSettings,
} from '../../plugin.ts';
import { ruled, type Matched } from '../../matching.ts';
import type { Proposal, ProposedForms } from '../../proposal.ts';
import { webhooksOf, type ConfiguredWebhook } from './configured-webhook.ts';
import { callersIn, type Sort } from './webhook-settings.ts';

type WebhookConfiguration = Parameters<typeof webhooksOf>[0];

/** A question to a webhook: what its rule has named, and objects in that version. */
export interface Invocation extends Matched {
  readonly webhook: ConfiguredWebhook;
  /** Its place among all webhooks. */
  readonly place: number;
}

export class WebhookIndex implements TypeIndex {
  readonly #configurations = new Map<string, WebhookConfiguration>();
  #webhooks: readonly ConfiguredWebhook[] | undefined;
  /** By the forms of a type in a version as it is served now, and the sort of write. */
  #named = new WeakMap<ProposedForms, Map<string, readonly Invocation[]>>();
  #selectsNamespaces: boolean | undefined;
  readonly #callers: WebhookCallers | undefined;
  /** They come before all others. */
  #inFiles: readonly ConfiguredWebhook[] = [];
  readonly #knows: readonly FollowedType[];
  readonly #knowsAll: readonly FollowedType[];

  /** Follows the configurations of that sort. */
  constructor(
    { follow, namespaces }: Pick<AdmissionContext, 'follow' | 'namespaces'>,
    sort: Sort,
    settings: PluginSettings | undefined,
  ) {
    this.#callers = callersIn(settings);
    const manifests = manifestsIn(settings);
    if (manifests !== undefined) this.useManifests(manifests);
    const resource = `${sort}webhookconfigurations.admissionregistration.cluster.io`;
    this.#knows = [follow(resource, this)];
    this.#knowsAll = [...this.#knows, namespaces];
  }

  /** From now on it goes by these files. */
  useManifests({ objects: [configurations = []] }: Manifests): void {
    this.#inFiles = configurations.flatMap((configuration) =>
      webhooksOf(configuration, this.#callers, 'manifest/'),
    );
    this.#forget();
  }

  put(configuration: WebhookConfiguration): void {
    this.#configurations.set(configuration.metadata.name ?? '', configuration);
    this.#forget();
  }

  remove({ metadata: { name = '' } }: WebhookConfiguration): void {
    this.#configurations.delete(name);
    this.#forget();
  }

  /** Whether there is no webhook at all. */
  get isEmpty(): boolean {
    return this.#configurations.size === 0 && this.#inFiles.length === 0;
  }

  /**
   * The types by which webhooks are chosen: namespaces too where a webhook asks for their labels.
   */
  get knows(): readonly FollowedType[] {
    this.#selectsNamespaces ??= this.#all().some(
      ({ selectsNamespaces }) => selectsNamespaces !== undefined,
    );
    return this.#selectsNamespaces ? this.#knowsAll : this.#knows;
  }

  /** The questions to webhooks whose rules name such a write: found once for its sort. */
  named(proposal: Proposal): readonly Invocation[] {
    const { forms, operation, subresource, namespace } = proposal;
    let ofType = this.#named.get(forms);
    if (ofType === undefined) this.#named.set(forms, (ofType = new Map()));
    const sort = `${operation} ${subresource} ${namespace === ''}`;
    let named = ofType.get(sort);
    if (named === undefined) {
      const all = isOfAdmission(proposal) ? this.#inFiles : this.#all();
      ofType.set(sort, (named = namedBy(all, proposal)));
    }
    return named;
  }

  #all(): readonly ConfiguredWebhook[] {
    return (this.#webhooks ??= [
      ...this.#inFiles,
      ...[...this.#configurations]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, configuration]) => webhooksOf(configuration, this.#callers)),
    ]);
  }

  #forget(): void {
    this.#webhooks = undefined;
    this.#selectsNamespaces = undefined;
    this.#named = new WeakMap();
  }
}

/** The questions to webhooks whose rules name such a write, whatever the object. */
export function namedBy(
  webhooks: readonly ConfiguredWebhook[],
  proposal: Proposal,
): readonly Invocation[] {
  return webhooks.flatMap((webhook, place) => {
    const matched = ruled(webhook, proposal);
    return matched === undefined ? [] : [{ webhook, place, ...matched }];
  });
}
