/**
 * ValidatingAdmissionWebhook: webhooks that may refuse writes, asked all at once about what is to
 * be written (README.md#who-is-asked).
 */
import type { FollowedType } from '../../../replicas/follow-type.ts';
import { internalError, requestTimeout } from '../../../semantics/errors/status.ts';
import { selects } from '../../matching.ts';
import type { AdmissionContext, AdmissionPlugin, Manifests, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { ADMISSION_GROUP } from './admission-review.ts';
import { Conversions, shownIn, type Shown, type ShownObjects } from '../../shown-objects.ts';
import { CallFailed, WebhookCaller } from './webhook-caller.ts';
import { takenByConditions } from './webhook-conditions.ts';
import { WebhookIndex, type Invocation } from './webhook-index.ts';

const FAILED_OPEN = `failed-open.validating.webhook.${ADMISSION_GROUP}`;

export class ValidatingWebhooks implements AdmissionPlugin {
  readonly #context: AdmissionContext;
  readonly #index: WebhookIndex;
  readonly #caller: WebhookCaller;

  constructor(context: AdmissionContext, settings?: PluginSettings) {
    this.#context = context;
    this.#index = new WebhookIndex(context, 'validating', settings);
    this.#caller = new WebhookCaller(context, false);
  }

  get knows(): readonly FollowedType[] {
    return this.#index.knows;
  }

  get isIdle(): boolean {
    return this.#index.isEmpty;
  }

  useManifests(manifests: Manifests): void {
    this.#index.useManifests(manifests);
  }

  /** Rejects with StatusError: what the first webhook refuses with, or 500 where one fails. */
  validate(proposal: Proposal): Promise<void> | undefined {
    if (this.#index.isEmpty) return undefined;
    const { namespaces } = this.#context;
    const asked = this.#index
      .named(proposal)
      .filter(({ webhook }) => selects(webhook, proposal, namespaces));
    return asked.length === 0 ? undefined : this.#dispatch(proposal, asked);
  }

  async #dispatch(proposal: Proposal, selected: readonly Invocation[]): Promise<void> {
    const conversions = new Conversions();
    try {
      const invocations = await takenByConditions(selected, {
        proposal,
        conversions,
        authorizer: this.#context.authorizer,
        type: 'validating',
      });
      if (invocations.length === 0) return;
      const written = withVersion(proposal);
      const shown = new Map<string, ShownObjects>();
      for (const { groupVersion } of invocations) {
        if (shown.has(groupVersion)) continue;
        shown.set(groupVersion, await conversions.done(() => shownIn(written, groupVersion)));
      }
      if (performance.now() >= proposal.deadlineMs) throw requestTimeout();
      const outcomes = await Promise.allSettled(
        invocations.map((invocation, at) => {
          const objects = shown.get(invocation.groupVersion) as ShownObjects;
          return this.#ask(proposal, { ...invocation, place: at }, objects);
        }),
      );
      const refused = outcomes.find((outcome) => outcome.status === 'rejected');
      if (refused !== undefined) throw refused.reason;
    } finally {
      conversions.release();
    }
  }

  /** Rejects with StatusError. */
  async #ask(proposal: Proposal, invocation: Invocation, shown: ShownObjects): Promise<void> {
    const { webhook, place } = invocation;
    try {
      await this.#caller.ask(invocation, proposal, shown);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (!webhook.failsOpen) throw internalError(error.message);
      this.#caller.failedOpen(invocation, error);
      proposal.annotate(`${FAILED_OPEN}/round_0_index_${place}`, webhook.name);
    }
  }
}

/** An update is shown with the version of what it changes. */
function withVersion({ object, oldObject, forms }: Proposal): Shown {
  const { resourceVersion } = oldObject?.metadata ?? {};
  if (resourceVersion === undefined || object?.metadata === undefined) {
    return { object, oldObject, forms };
  }
  const metadata = { ...object.metadata, resourceVersion };
  return { object: { ...object, metadata }, oldObject, forms };
}
