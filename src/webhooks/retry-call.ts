/** Retries calls of webhooks that failed for a passing reason. */
import { WEBHOOK_RETRY_MS, WEBHOOK_TRIES_MAX } from './limits.ts';
import { WebhookError } from './webhook-errors.ts';

/** Statuses of problems that may have passed at the next try. */
const PASSING_STATUSES: readonly number[] = [429, 500, 504];
const RETRY_FACTOR = 1.5;

/** Calls again for a while where the webhook is busy or breaks down. Rejects as `call` does. */
export async function callWithRetries<T>(
  call: () => Promise<T>,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  for (let tries = 1, waitMs = WEBHOOK_RETRY_MS; ; tries++, waitMs *= RETRY_FACTOR) {
    try {
      return await call();
    } catch (error) {
      const mayPass = error instanceof WebhookError && PASSING_STATUSES.includes(error.status);
      if (!mayPass || tries === WEBHOOK_TRIES_MAX) throw error;
      await wait(waitMs);
    }
  }
}
