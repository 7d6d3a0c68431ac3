/** Asks a webhook with a SubjectAccessReview (README.md#the-webhook). */
import { RecentMap } from '../../base/recent-map.ts';
import { WEBHOOK_MS_MAX } from '../../limits.ts';
import { AUTHORIZATION_ANSWERS, REVIEWED_CHARACTERS_MAX } from '../../webhooks/limits.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { callWithRetries } from '../../webhooks/retry-call.ts';
import type { WebhookAnswer } from '../../webhooks/webhook-client.ts';
import type { WebhookTarget } from '../../webhooks/webhook-target.ts';
import { WebhookError } from '../../webhooks/webhook-errors.ts';
import { fieldTerms, labelRequirements } from '../asked-selectors.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from '../authorizer.ts';
import { NO_RULES } from '../fixed-authorizers.ts';

const GROUP = ownGroup('authorization.cluster.io');
const KIND = 'SubjectAccessReview';

const UNKNOWN_RULES: UserRules = {
  ...NO_RULES,
  incomplete: true,
  evaluationError: 'webhook authorizer does not support user rule resolution',
};

export interface AuthorizationWebhook {
  readonly target: WebhookTarget;
  /** Whether it is told the selectors of what is asked for. */
  readonly tellsSelectors: boolean;
  /** It is asked by a review of this version. */
  readonly version: 'v1' | 'v1beta1';
  /** The time for which an answer is kept: one that allows, and any other one. */
  readonly allowedMs: number;
  readonly refusedMs: number;
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
    const { version, tellsSelectors } = this.#options;
    const spec = specOf(asked, version, tellsSelectors);
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
      return { verdict: 'noOpinion', reason: '', error: error.message };
    }
    const decision = decisionOf(status);
    if (charactersOf(asked) < REVIEWED_CHARACTERS_MAX) {
      const { allowedMs, refusedMs } = this.#options;
      const forMs = status.allowed === true ? allowedMs : refusedMs;
      this.#kept.set(key, { decision, untilMs: this.#needs.nowMs() + forMs });
    }
    return decision;
  }

  /** Rejects with WebhookError. */
  async #review(spec: object): Promise<ReviewStatus> {
    const { target, version } = this.#options;
    const type = { kind: KIND, apiVersion: `${GROUP}/${version}` };
    const metadata = { creationTimestamp: null };
    const document = JSON.stringify({ ...type, metadata, spec, status: { allowed: false } });
    return callWithRetries(async () => {
      const { body } = await this.#needs.call(target, document, WEBHOOK_MS_MAX);
      return statusOf(body.toString(), type);
    }, this.#needs.wait);
  }
}

/** Without what says nothing; the older version has another name for the groups. */
function specOf(of: AccessAttributes, version: string, tellsSelectors: boolean): object {
  const { user, ...asked } = of;
  const { verb, namespace, group, version: its, resource, subresource, name, path } = asked;
  const attributes = { namespace, verb, group, version: its, resource, subresource, name };
  const groups = user.groups.length === 0 ? undefined : user.groups;
  return {
    ...(asked.isResource
      ? { resourceAttributes: { ...told(attributes), ...(tellsSelectors && selectorsOf(of)) } }
      : { nonResourceAttributes: told({ path, verb }) }),
    ...told({ user: user.name }),
    ...(version === 'v1' ? { groups } : { group: groups }),
    ...(user.extra !== undefined && { extra: user.extra }),
    ...told({ uid: user.uid }),
  };
}

/** Conditions on numbers are left out: what is asked about then is more than what is wanted. */
function selectorsOf(asked: AccessAttributes): object {
  const fields = fieldTerms(asked).map(({ field: key, operator, value }) => {
    return { key, operator: operator === '=' ? 'In' : 'NotIn', values: [value] };
  });
  const labels = labelRequirements(asked)
    .filter(({ operator }) => operator !== 'GreaterThan' && operator !== 'LessThan')
    .map(({ key, operator, values }) => ({ key, operator, ...(values.length > 0 && { values }) }));
  return {
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

function told(members: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
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
