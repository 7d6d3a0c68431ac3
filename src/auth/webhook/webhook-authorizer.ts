/** Asks a webhook with a SubjectAccessReview (README.md#the-webhook). */
import { RecentMap } from '../../base/recent-map.ts';
import { AUTHORIZATION_ANSWERS, REVIEWED_CHARACTERS_MAX } from '../../webhooks/limits.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { callWithRetries } from '../../webhooks/retry-call.ts';
import type { WebhookAnswer } from '../../webhooks/webhook-client.ts';
import type { WebhookTarget } from '../../webhooks/webhook-target.ts';
import { WebhookError } from '../../webhooks/webhook-errors.ts';
import { NO_OPINION } from '../authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from '../authorizer.ts';
import { sentSpec } from './access-spec.ts';
import type { AuthorizationWebhook } from './authorization-webhook.ts';
import { countFailOpen, countRoundTrip, outcomeOf, type Outcome } from './webhook-metrics.ts';
import { NO_RULES } from '../fixed-authorizers.ts';

const GROUP = ownGroup('authorization.cluster.io');
const KIND = 'SubjectAccessReview';
/** Documents tell a time that nobody has set. */
const TELLS_TIMES = !ownRelease().has('discoveryWithoutTimes');

const UNKNOWN_RULES: UserRules = {
  ...NO_RULES,
  incomplete: true,
  evaluationError: 'webhook authorizer does not support user rule resolution',
};

/** The conditions under which it is asked. */
export interface Conditions {
  /** Whether all hold, or why that cannot be said. */
  match(asked: AccessAttributes): boolean | { readonly error: string };
}

interface ReviewStatus {
  readonly allowed?: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
}

interface Kept {
  readonly decision: Decision;
  readonly untilMs: number;
}

export interface WebhookNeeds {
  /** Absent where it is always asked. */
  readonly conditions?: Conditions | undefined;
  /** Rejects with WebhookError. */
  readonly call: (
    target: WebhookTarget,
    document: string,
    timeoutMs: number,
  ) => Promise<WebhookAnswer>;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export class WebhookAuthorizer implements Authorizer {
  readonly #options: AuthorizationWebhook;
  readonly #needs: WebhookNeeds;
  /** By what was asked. */
  readonly #kept = new RecentMap<string, Kept>(AUTHORIZATION_ANSWERS);

  constructor(options: AuthorizationWebhook, needs: WebhookNeeds) {
    this.#options = options;
    this.#needs = needs;
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    const matches = this.#needs.conditions?.match(asked) ?? true;
    if (matches === false) return NO_OPINION;
    if (matches !== true) return this.#failed(matches.error);
    const { version, tellsSelectors } = this.#options;
    const spec = sentSpec(asked, version, tellsSelectors);
    const key = JSON.stringify(spec);
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.untilMs <= this.#needs.nowMs())
      return this.#ask(spec, key, asked);
    return kept.decision;
  }

  rulesFor(): UserRules {
    return UNKNOWN_RULES;
  }

  async #ask(spec: object, key: string, asked: AccessAttributes): Promise<Decision> {
    let status: ReviewStatus;
    try {
      status = await this.#review(spec);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return this.#failed(error.message);
    }
    const decision = decisionOf(status);
    const { allowedMs, refusedMs } = this.#options;
    const forMs = status.allowed === true ? allowedMs : refusedMs;
    if (forMs > 0 && charactersOf(asked) < REVIEWED_CHARACTERS_MAX) {
      this.#kept.set(key, { decision, untilMs: this.#needs.nowMs() + forMs });
    }
    return decision;
  }

  #failed(error: string): Decision {
    return { verdict: this.#options.onFailure, reason: '', error };
  }

  /** Rejects with WebhookError. */
  async #review(spec: object): Promise<ReviewStatus> {
    const { target, name, version, timeoutMs, onFailure } = this.#options;
    const type = { kind: KIND, apiVersion: `${GROUP}/${version}` };
    const metadata = TELLS_TIMES ? { creationTimestamp: null } : {};
    const document = JSON.stringify({ ...type, metadata, spec, status: { allowed: false } });
    let outcome: Outcome = 'success';
    const once = async (): Promise<ReviewStatus> => {
      const startMs = this.#needs.nowMs();
      try {
        const { body } = await this.#needs.call(target, document, timeoutMs);
        const status = statusOf(body.toString(), type);
        outcome = 'success';
        return status;
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        countRoundTrip(name, outcome, this.#needs.nowMs() - startMs);
      }
    };
    try {
      return await callWithRetries(once, this.#needs.wait);
    } catch (error) {
      if (onFailure === 'noOpinion') countFailOpen(name, outcome);
      throw error;
    }
  }
}

/** The length of the parts that the user can choose: long questions are not kept. */
function charactersOf(asked: AccessAttributes): number {
  const { namespace, verb, group, version, resource, subresource, name, path } = asked;
  const texts = [namespace, verb, group, version, resource, subresource, name, path];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Throws WebhookError for what is no such review. */
function statusOf(
  text: string,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
): ReviewStatus {
  let review: { kind?: unknown; apiVersion?: unknown; status?: unknown } | null;
  try {
    review = JSON.parse(text) as typeof review;
  } catch {
    throw new WebhookError('the webhook did not answer with JSON');
  }
  const isReview = review?.kind === kind && review.apiVersion === apiVersion;
  if (!isReview)
    throw new WebhookError(`the webhook did not answer with a ${kind} of ${apiVersion}`);
  const { allowed, denied, reason = '' } = (review?.status ?? {}) as Record<string, unknown>;
  const isTold = (value: unknown): boolean => value === undefined || typeof value === 'boolean';
  if (!isTold(allowed) || !isTold(denied) || typeof reason !== 'string') {
    throw new WebhookError('the webhook answered with a status that cannot be read');
  }
  return { allowed: allowed === true, denied: denied === true, reason };
}

function decisionOf({ allowed = false, denied = false, reason = '' }: ReviewStatus): Decision {
  if (denied && allowed) {
    const error = 'webhook subject access review returned both allow and deny response';
    return { verdict: 'deny', reason, error };
  }
  if (denied) return { verdict: 'deny', reason };
  return { verdict: allowed ? 'allow' : 'noOpinion', reason };
}
