/** Events that are sent to a service in lists. */
import { WEBHOOK_MS_MAX } from '../limits.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import { WebhookError } from '../webhooks/webhook-errors.ts';
import { LostEvents, truncated, type AuditBackend } from './audit-backend.ts';
import { eventListJson, type AuditEvent } from './audit-event.ts';
import { EventBatches } from './event-batches.ts';
import { AUDIT_WEBHOOK_DELIVERIES_MAX, AUDIT_WEBHOOK_TRIES_MAX } from './limits.ts';
import type { AuditWebhookSettings } from './settings.ts';

const RETRY_FACTOR = 1.5;
const JITTER = 0.2;

export interface AuditWebhookNeeds {
  readonly client: Pick<WebhookClient, 'tell' | 'close'>;
  readonly random: () => number;
  /** The longest time that `close` waits for the webhook. */
  readonly closeMsMax: number;
  readonly logError: (text: string) => void;
}

export class AuditWebhook implements AuditBackend {
  readonly #settings: AuditWebhookSettings;
  readonly #needs: AuditWebhookNeeds;
  readonly lost: LostEvents;
  readonly #batches: EventBatches | undefined;
  #isClosing = false;
  #isGivenUp = false;
  /** Those that wait to try again. */
  readonly #wakes = new Set<() => void>();

  constructor(settings: AuditWebhookSettings, needs: AuditWebhookNeeds) {
    this.#settings = settings;
    this.#needs = needs;
    this.lost = new LostEvents('webhook', needs.logError);
    if (settings.mode !== 'batch') return;
    this.#batches = new EventBatches({
      settings: settings.batch,
      deliveredMax: settings.batch.sizeMax,
      deliveriesMax: AUDIT_WEBHOOK_DELIVERIES_MAX,
      deliver: async (events) => {
        for (const part of this.#parts(events)) await this.#send(part);
      },
      onLost: (events, why) => this.lost.add(events, why),
    });
  }

  take(event: AuditEvent): boolean | Promise<boolean> {
    const { mode } = this.#settings;
    const shown = truncated(event, this.#settings, this.lost);
    if (shown === undefined) return true;
    if (this.#batches !== undefined) {
      this.#batches.add(shown);
      return true;
    }
    return this.#send([shown]).then((isSent) => isSent || mode === 'blocking');
  }

  /** Nothing is sent without time. */
  flush(): void {
    return undefined;
  }

  /** Tries failed events once more, at once, and gives a webhook up that hangs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const wake of this.#wakes) wake();
    const late = setTimeout(() => {
      this.#isGivenUp = true;
      this.#needs.client.close();
    }, this.#needs.closeMsMax);
    await this.#batches?.close();
    clearTimeout(late);
    this.lost.tell();
    this.#needs.client.close();
  }

  /** So that no list is longer than it may be. */
  #parts(events: readonly AuditEvent[]): readonly (readonly AuditEvent[])[] {
    const { truncation, version } = this.#settings;
    if (truncation === undefined) return [events];
    const parts: AuditEvent[][] = [];
    let bytes = Infinity;
    for (const event of events) {
      const length = Buffer.byteLength(event.item(version));
      if (bytes + length > truncation.batchBytesMax) {
        parts.push([]);
        bytes = 0;
      }
      parts.at(-1)?.push(event);
      bytes += length;
    }
    return parts;
  }

  /** Whether they were taken, after some tries. */
  async #send(events: readonly AuditEvent[]): Promise<boolean> {
    const { target, firstRetryMs, version } = this.#settings;
    const document = eventListJson(events, version);
    for (let tries = 1, waitMs = firstRetryMs; ; tries++, waitMs *= RETRY_FACTOR) {
      if (this.#isGivenUp) {
        this.lost.add(events.length, 'the server stops, and the webhook does not answer');
        return false;
      }
      const isLast = tries === AUDIT_WEBHOOK_TRIES_MAX || this.#isClosing;
      try {
        await this.#needs.client.tell(target, document, WEBHOOK_MS_MAX);
        return true;
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        if (isLast) {
          this.lost.add(events.length, error.message);
          return false;
        }
      }
      await this.#wait(waitMs * (1 + JITTER * this.#needs.random()));
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wakes.add(wake);
    });
  }
}
