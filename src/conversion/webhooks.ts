/** Webhook configurations before v1: other defaults, and less was required. */
import type { ApiObject } from '../resources/kind.ts';
import type { RemovedVersion, Report } from './manifest-version.ts';
import { itemsAt } from './members.ts';

const SIDE_EFFECTS: readonly unknown[] = ['None', 'NoneOnDryRun'];
const REVIEWS: readonly unknown[] = ['v1', 'v1beta1'];

function toStored(object: ApiObject, report: Report): ApiObject {
  const names = new Set<unknown>();
  for (const [webhook, place] of itemsAt(object, 'webhooks')) {
    const { name, sideEffects, admissionReviewVersions: reviews } = webhook;
    if (!SIDE_EFFECTS.includes(sideEffects)) {
      report(
        `${place}.sideEffects`,
        `is ${String(sideEffects)}: say None or NoneOnDryRun, once that is true of the webhook`,
      );
    }
    if (Array.isArray(reviews) && !reviews.some((review) => REVIEWS.includes(review))) {
      report(`${place}.admissionReviewVersions`, 'must name v1 or v1beta1');
    }
    if (names.has(name)) report(`${place}.name`, `is there twice: ${String(name)}`);
    names.add(name);
  }
  return object;
}

export const REMOVED_WEBHOOKS: readonly RemovedVersion[] = [
  {
    kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    groupVersion: 'admissionregistration.cluster.io/v1beta1',
    removedIn: '1.22',
    replacement: 'admissionregistration.cluster.io/v1',
    defaults: [
      { path: 'webhooks[].failurePolicy', here: 'Ignore', stored: 'Fail' },
      { path: 'webhooks[].matchPolicy', here: 'Exact', stored: 'Equivalent' },
      { path: 'webhooks[].timeoutSeconds', here: 30, stored: 10 },
      { path: 'webhooks[].sideEffects', here: 'Unknown', stored: undefined },
      { path: 'webhooks[].admissionReviewVersions', here: ['v1beta1'], stored: undefined },
    ],
    toStored,
  },
];
