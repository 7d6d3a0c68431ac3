/**
 * MutatingAdmissionWebhook: webhooks that may change objects, asked one after the other
 * (README.md#who-is-asked). Where one has changed an object, all plugins look at it once more, and
 * so do the webhooks that ask for it and were asked before.
 */
import type { FollowedType } from '../../../replicas/follow-type.ts';
import { internalError, requestTimeout } from '../../../semantics/errors/status.ts';
import { selects } from '../../matching.ts';
import type { AdmissionContext, AdmissionPlugin, Manifests, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { Reinvocations } from '../../reinvocations.ts';
import { ADMISSION_GROUP } from './admission-review.ts';
import { patchedObject, type Patched } from './patched-object.ts';
import { Conversions, shownIn } from '../../shown-objects.ts';
import { CallFailed, WebhookCaller } from './webhook-caller.ts';
import { takenByConditions } from './webhook-conditions.ts';
import { WebhookIndex, type Invocation } from './webhook-index.ts';

const CHANGES = `mutation.webhook.${ADMISSION_GROUP}`;
const PATCHES = `patch.webhook.${ADMISSION_GROUP}`;

export class MutatingWebhooks implements AdmissionPlugin {
  readonly #context: AdmissionContext;
  readonly #index: WebhookIndex;
  readonly #caller: WebhookCaller;
  readonly #asked = new WeakMap<Proposal, Reinvocations>();

  constructor(context: AdmissionContext, settings?: PluginSettings) {
    this.#context = context;
    this.#index = new WebhookIndex(context, 'mutating', settings);
    this.#caller = new WebhookCaller(context, true);
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

  /** Rejects with StatusError: what a webhook refuses with, or 500 where one fails. */
  admit(proposal: Proposal): Promise<void> | undefined {
    if (this.#index.isEmpty) return undefined;
    const named = this.#index.named(proposal);
    const first = this.#next(proposal, named, 0);
    return first === -1 ? undefined : this.#dispatch(proposal, named, first);
  }

  /** The first from there on that is to be asked about the object as it is now; -1 for none. */
  #next(proposal: Proposal, named: readonly Invocation[], from: number): number {
    const { namespaces } = this.#context;
    for (let at = from; at < named.length; at++) {
      const { webhook } = named[at] as Invocation;
      if (selects(webhook, proposal, namespaces)) return at;
    }
    return -1;
  }

  async #dispatch(proposal: Proposal, named: readonly Invocation[], first: number): Promise<void> {
    const conversions = new Conversions();
    const { forms } = proposal;
    const text = (): Promise<string> =>
      conversions.done(() => shownIn(proposal, forms.groupVersion).object);
    const asked = this.#asked.get(proposal) ?? new Reinvocations();
    this.#asked.set(proposal, asked);
    try {
      const { isReinvoked } = proposal;
      if (isReinvoked && asked.areAwaited) asked.resume(await text());
      for (let at = first; at !== -1; at = this.#next(proposal, named, at + 1)) {
        const invocation = named[at] as Invocation;
        const { uid, isReinvoked: mayBeAgain } = invocation.webhook;
        if (isReinvoked && !asked.isAgain(uid)) continue;
        const { authorizer } = this.#context;
        const about = { proposal, conversions, authorizer, type: 'admit' } as const;
        if ((await takenByConditions([invocation], about)).length === 0) continue;
        if (await this.#ask(proposal, invocation, conversions)) {
          asked.changed();
          proposal.reinvoke();
        }
        if (mayBeAgain) asked.asked(uid);
      }
      if (!isReinvoked && asked.areAwaited) asked.leave(await text());
    } finally {
      conversions.release();
    }
  }

  /** Whether the webhook has changed the object. */
  async #ask(
    proposal: Proposal,
    invocation: Invocation,
    conversions: Conversions,
  ): Promise<boolean> {
    const { webhook, place, groupVersion } = invocation;
    const about = `round_${proposal.isReinvoked ? 1 : 0}_index_${place}`;
    const who = { configuration: webhook.configuration, webhook: webhook.name };
    let patched: Patched | undefined;
    try {
      const shown = await conversions.done(() => shownIn(proposal, groupVersion));
      const response = await this.#caller.ask(invocation, proposal, shown);
      patched = await patchedObject(invocation, proposal, shown.object, response, conversions);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (!webhook.failsOpen) throw internalError(error.message);
      this.#caller.failedOpen(invocation, error);
      proposal.annotate(`failed-open.${CHANGES}/${about}`, webhook.name);
      if (performance.now() >= proposal.deadlineMs) throw requestTimeout();
    } finally {
      const mutated = patched?.isChanged === true;
      proposal.annotate(`${CHANGES}/${about}`, JSON.stringify({ ...who, mutated }));
    }
    if (patched === undefined) return false;
    const { patch, object, isChanged } = patched;
    const what = JSON.stringify({ ...who, patch, patchType: 'JSONPatch' });
    proposal.annotate(`${PATCHES}/${about}`, what);
    proposal.object = object;
    return isChanged;
  }
}
