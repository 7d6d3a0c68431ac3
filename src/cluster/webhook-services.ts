/** Calls webhooks for the shards of a thread, with connections of their own. */
import { serviceObjects } from '../aggregation/service-objects.ts';
import type { ShardObjects } from '../replicas/shard-objects.ts';
import { WEBHOOK_MS_MAX } from '../limits.ts';
import type { CallWebhook } from '../types/custom/converter.ts';
import { ServiceAddresses } from '../webhooks/service-addresses.ts';
import { WebhookClient } from '../webhooks/webhook-client.ts';

export class WebhookServices {
  readonly client: WebhookClient;

  /** `objects` gives a client of the shard of a type. */
  constructor(objects: (type: string) => ShardObjects, nowMs: () => number) {
    const addresses = new ServiceAddresses(serviceObjects(objects), nowMs);
    this.client = new WebhookClient((service) => addresses.resolve(service));
  }

  readonly callConversion: CallWebhook = async (target, document) => {
    const { body } = await this.client.call(target, document, WEBHOOK_MS_MAX);
    return body.toString();
  };

  close(): void {
    this.client.close();
  }
}
