/** Asks one webhook about one write. */
import { randomUUID } from 'node:crypto';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { ADMISSION_CALLS_BYTES_MAX, ADMISSION_CALLS_MAX } from '../../../webhooks/limits.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { badRequest, StatusError, tooManyRequests } from '../../../semantics/errors/status.ts';
import { REQUEST_TIMEOUT } from '../../../webhooks/webhook-client.ts';
import type { WebhookTarget } from '../../../webhooks/webhook-target.ts';
import { WebhookError } from '../../../webhooks/webhook-errors.ts';
import type { AdmissionContext } from '../../plugin.ts';
import { countWebhook, type WebhookOutcome } from '../../webhook-metrics.ts';
import type { Proposal } from '../../proposal.ts';
import type { ShownObjects } from '../../shown-objects.ts';
import {
  ReviewError,
  ReviewReader,
  reviewText,
  type ReviewResponse,
  type ReviewStatus,
} from './admission-review.ts';
import type { Invocation } from './webhook-index.ts';

/** A refusal is answered with an HTTP status from these; 400 stands for any other. */
const REFUSAL_CODE_MIN = 400;
const REFUSAL_CODE_MAX = 999;

/** A webhook has not answered, or with nothing that is an answer: its failure policy decides. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(webhook: string, why: string) {
    super(`failed calling webhook ${quoteText(webhook)}: ${why}`);
  }
}

const UNNAMED = 'missing-san.invalid-cert.cluster.io';
const WHY_UNNAMED =
  'relies on a legacy Common Name field instead of the SAN extension for subject validation';

type CallerNeeds = Pick<AdmissionContext, 'webhooks' | 'model' | 'logError'>;

export class WebhookCaller {
  readonly #needs: CallerNeeds;
  readonly #isMutating: boolean;
  /** Webhooks whose last call has failed, and that let pass what they are not asked about. */
  readonly #failing = new Set<string>();
  #reader: ReviewReader | undefined;
  #calls = 0;
  #bytes = 0;

  constructor(needs: CallerNeeds, isMutating: boolean) {
    this.#needs = needs;
    this.#isMutating = isMutating;
  }

  /** Asks the webhook, and counts the call. */
  async ask(
    invocation: Invocation,
    proposal: Proposal,
    shown: ShownObjects,
  ): Promise<ReviewResponse> {
    const { name, failsOpen } = invocation.webhook;
    const startMs = performance.now();
    const type = this.#isMutating ? 'admit' : 'validating';
    const count = (outcome: WebhookOutcome): void => {
      const { operation } = proposal;
      const ms = performance.now() - startMs;
      proposal.webhookTook(this.#isMutating ? 'admit' : 'validate', ms);
      countWebhook({ name, operation, type }, outcome, ms);
    };
    try {
      const response = await this.#ask(invocation, proposal, shown);
      count({ code: 200 });
      return response;
    } catch (error) {
      if (!(error instanceof CallFailed)) {
        const { code } = error instanceof StatusError ? error : { code: 0 };
        count({ code, errorType: code === 0 ? 'apiserver_internal_error' : 'no_error' });
      } else if (failsOpen) count({ code: REFUSAL_CODE_MIN });
      else count({ code: REFUSAL_CODE_MIN, errorType: 'calling_webhook_error' });
      throw error;
    }
  }

  /**
   * Asks the webhook, and gives its answer where it allows the write. Rejects with StatusError
   * where it refuses, is not to be asked about a dry run, or too many are being asked; and with
   * CallFailed.
   */
  async #ask(
    invocation: Invocation,
    proposal: Proposal,
    shown: ShownObjects,
  ): Promise<ReviewResponse> {
    const { name, uid } = invocation.webhook;
    if (proposal.dryRun && !invocation.webhook.takesDryRun) {
      throw badRequest(`admission webhook ${quoteText(name)} does not support dry run`);
    }
    const response = await this.#called(invocation, proposal, shown);
    this.#failing.delete(uid);
    for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
      proposal.annotate(`${name}/${key}`, value);
    }
    for (const warning of response.warnings ?? []) proposal.warn(warning);
    if (response.allowed !== true) throw refusal(name, response.status);
    return response;
  }

  /** A write passes though the webhook has failed: said once, until it answers again. */
  failedOpen({ webhook: { uid } }: Invocation, why: CallFailed): void {
    if (this.#failing.has(uid)) return;
    this.#failing.add(uid);
    this.#needs.logError(`${why.message}; writes pass without it`);
  }

  async #called(
    { webhook, ...invocation }: Invocation,
    proposal: Proposal,
    shown: ShownObjects,
  ): Promise<ReviewResponse> {
    const { name, reviewVersion, target, authorityProblem } = webhook;
    if (reviewVersion === undefined) {
      const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
      throw new CallFailed(name, `could not create admission objects: ${why}`);
    }
    if (authorityProblem !== '') {
      const what = 'could not get REST client: unable to load root certificates';
      throw new CallFailed(name, `${what}: ${authorityProblem}`);
    }
    const review = { uid: randomUUID(), version: reviewVersion };
    const document = reviewText(review, { webhook, ...invocation }, proposal, shown);
    const leftMs = Math.max(0, proposal.deadlineMs - performance.now());
    const timeoutMs = Math.min(webhook.timeoutMs, leftMs);
    try {
      const answer = await this.#waitFor(target, document, timeoutMs);
      this.#reader ??= new ReviewReader(this.#needs.model());
      return this.#reader.read(answer, review, this.#isMutating);
    } catch (error) {
      if (error instanceof ReviewError) {
        const what = error.isRead ? 'received invalid webhook response' : 'failed to call webhook';
        throw new CallFailed(name, `${what}: ${error.message}`);
      }
      if (!(error instanceof WebhookError)) throw error;
      if (error.unnamedHost !== '' && ownRelease().has('unnamedServersTold')) {
        proposal.annotate(ownName(`${UNNAMED}/${error.unnamedHost}`), WHY_UNNAMED);
      }
      throw new CallFailed(name, `failed to call webhook: ${error.message}`);
    }
  }

  async #waitFor(target: WebhookTarget, document: string, timeoutMs: number): Promise<string> {
    const { length } = document;
    if (this.#calls >= ADMISSION_CALLS_MAX || this.#bytes >= ADMISSION_CALLS_BYTES_MAX) {
      throw tooManyRequests();
    }
    this.#calls++;
    this.#bytes += length;
    try {
      const client = this.#needs.webhooks();
      const { body } = await client.call(target, document, timeoutMs, REQUEST_TIMEOUT);
      return body.toString();
    } finally {
      this.#calls--;
      this.#bytes -= length;
    }
  }
}

function refusal(webhook: string, status: ReviewStatus = {}): StatusError {
  const { code = 0, reason = '', message = '', details } = status;
  const by = `admission webhook ${quoteText(webhook)} denied the request`;
  const why = message || reason;
  const text = why === '' ? `${by} without explanation` : `${by}: ${why}`;
  const isCode = code >= REFUSAL_CODE_MIN && code <= REFUSAL_CODE_MAX;
  return new StatusError(isCode ? code : REFUSAL_CODE_MIN, reason, text, details);
}
