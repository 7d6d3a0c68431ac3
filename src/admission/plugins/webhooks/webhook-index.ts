/**
 * The webhooks of all configurations of a type, in the order in which they are asked: that of the
 * names of the configurations. Made anew with the first write after a change.
 */
import type { FollowedType, FollowType, TypeIndex } from '../../../replicas/follow-type.ts';
import { webhooksOf, type ConfiguredWebhook } from './configured-webhook.ts';

type WebhookConfiguration = Parameters<typeof webhooksOf>[0];

export class WebhookIndex implements TypeIndex {
  readonly #configurations = new Map<string, WebhookConfiguration>();
  #webhooks: readonly ConfiguredWebhook[] | undefined = [];
  readonly followed: FollowedType;

  /** Follows the type of that name. */
  constructor(follow: FollowType, resource: string) {
    this.followed = follow(resource, this);
  }

  put(configuration: WebhookConfiguration): void {
    this.#configurations.set(configuration.metadata.name ?? '', configuration);
    this.#webhooks = undefined;
  }

  remove({ metadata: { name = '' } }: WebhookConfiguration): void {
    this.#configurations.delete(name);
    this.#webhooks = undefined;
  }

  get webhooks(): readonly ConfiguredWebhook[] {
    return (this.#webhooks ??= [...this.#configurations]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, configuration]) => webhooksOf(configuration)));
  }
}
