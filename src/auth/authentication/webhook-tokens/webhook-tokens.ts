/**
 * Tokens that a service outside knows (../../README.md#webhook-tokens): it is sent TokenReviews.
 */
import { RecentMap } from '../../../base/recent-map.ts';
import { WEBHOOK_MS_MAX } from '../../../limits.ts';
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import { callWithRetries } from '../../../webhooks/retry-call.ts';
import type { WebhookClient } from '../../../webhooks/webhook-client.ts';
import type { WebhookTarget } from '../../../webhooks/webhook-target.ts';
import { WebhookError } from '../../../webhooks/webhook-errors.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated } from '../../authenticator.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import { commonAudiences, knownUser } from '../users.ts';

export interface TokenWebhookSettings {
  readonly target: WebhookTarget;
  readonly version: 'v1' | 'v1beta1';
  /** The time for which an answer counts. */
  readonly keptMs: number;
}

export interface WebhookTokenOptions {
  readonly settings: TokenWebhookSettings;
  readonly client: Pick<WebhookClient, 'call'>;
  readonly apiAudiences: readonly string[];
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  /** Between calls that are tried again. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Undefined where it said that nobody is known by the token. */
type Reviewed = Authenticated | undefined;

interface Kept {
  readonly untilMs: number;
  readonly reviewed: Reviewed;
}

const GROUP = ownGroup('authentication.cluster.io');
const KEPT_TOKENS = 4_096;

export class WebhookTokens implements TokenWay {
  readonly #options: WebhookTokenOptions;
  readonly #kept = new RecentMap<string, Kept>(KEPT_TOKENS);
  /** Whoever shows the same token meanwhile waits for the same answer. */
  readonly #asked = new Map<string, Promise<Reviewed>>();
  #lastError = '';

  constructor(options: WebhookTokenOptions) {
    this.#options = options;
  }

  authenticate(
    { text, digest }: ShownToken,
    audiences: readonly string[],
  ): Reviewed | Promise<Reviewed> {
    const { apiAudiences, nowMs } = this.#options;
    const key = audiences === apiAudiences ? digest : `${digest} ${JSON.stringify(audiences)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && nowMs() < kept.untilMs) return kept.reviewed;
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = this.#ask(key, text, audiences).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return asked;
  }

  async #ask(key: string, token: string, audiences: readonly string[]): Promise<Reviewed> {
    const { settings, apiAudiences, nowMs } = this.#options;
    const review = {
      kind: 'TokenReview',
      apiVersion: `${GROUP}/${settings.version}`,
      metadata: { creationTimestamp: null },
      spec: { token, audiences },
      status: { user: {} },
    };
    const status = await this.#call(JSON.stringify(review));
    const reviewed = reviewedBy(status, apiAudiences, audiences);
    this.#kept.set(key, { reviewed, untilMs: nowMs() + settings.keptMs });
    return reviewed;
  }

  async #call(document: string): Promise<ReviewStatus> {
    const { client, settings, wait } = this.#options;
    try {
      return await callWithRetries(async () => {
        const { body } = await client.call(settings.target, document, WEBHOOK_MS_MAX);
        return statusOf(body);
      }, wait);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      this.#logOnce(error.message);
      throw new AuthenticationError(error.message);
    }
  }

  #logOnce(why: string): void {
    if (why !== this.#lastError) this.#options.logError(`the webhook for tokens failed: ${why}`);
    this.#lastError = why;
  }
}

interface ReviewStatus {
  readonly authenticated?: unknown;
  readonly error?: unknown;
  readonly audiences?: unknown;
  readonly user?: {
    readonly username?: unknown;
    readonly uid?: unknown;
    readonly groups?: unknown;
    readonly extra?: unknown;
  };
}

/** Throws WebhookError for an answer that is no review. */
function statusOf(body: Buffer): ReviewStatus {
  let review: { readonly kind?: unknown; readonly status?: unknown } | null;
  try {
    review = JSON.parse(body.toString()) as typeof review;
  } catch {
    throw new WebhookError('the answer is no JSON');
  }
  const { kind, status } = review ?? {};
  if (kind !== 'TokenReview' || typeof status !== 'object' || status === null) {
    throw new WebhookError('the answer is no TokenReview');
  }
  return status;
}

/** Throws AuthenticationError where the webhook says what is wrong with the token. */
function reviewedBy(
  status: ReviewStatus,
  apiAudiences: readonly string[],
  audiences: readonly string[],
): Reviewed {
  const named = textsOf(status.audiences);
  const common = commonAudiences(audiences, named.length === 0 ? apiAudiences : named);
  if (common.length === 0) return undefined;
  if (status.authenticated !== true) {
    const error = textOf(status.error);
    if (error !== '') throw new AuthenticationError(error);
    return undefined;
  }
  const { username, uid, groups, extra } = status.user ?? {};
  const values = extraOf(extra);
  const user = { name: textOf(username), uid: textOf(uid), groups: textsOf(groups) };
  return { user: knownUser({ ...user, ...(values && { extra: values }) }), audiences: common };
}

function extraOf(extra: unknown): Record<string, readonly string[]> | undefined {
  if (typeof extra !== 'object' || extra === null) return undefined;
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === 'string');
}
