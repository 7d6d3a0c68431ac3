/** Webhook configurations. */
import type { ConversionRow } from './conversion-row.ts';

const metadata = { name: 'a' };

const HOOK = { name: 'a.example.com', clientConfig: { url: 'https://a.example' } };
const V1_HOOK = {
  ...HOOK,
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  timeoutSeconds: 30,
  admissionReviewVersions: ['v1beta1'],
};

export const WEBHOOK_ROWS = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
].flatMap((kind): readonly ConversionRow[] => [
  {
    name: 'what it meant without saying it',
    kind,
    from: 'admissionregistration.cluster.io/v1beta1',
    to: 'admissionregistration.cluster.io/v1',
    before: { metadata, webhooks: [{ ...HOOK, sideEffects: 'None' }] },
    after: { metadata, webhooks: [{ ...V1_HOOK, sideEffects: 'None' }] },
    back: 'after',
  },
  {
    name: 'what v1 does not take',
    kind,
    from: 'admissionregistration.cluster.io/v1beta1',
    to: 'admissionregistration.cluster.io/v1',
    before: { metadata, webhooks: [HOOK, { ...HOOK, admissionReviewVersions: ['v2'] }] },
    after: {
      metadata,
      webhooks: [
        { ...V1_HOOK, sideEffects: 'Unknown' },
        { ...V1_HOOK, sideEffects: 'Unknown', admissionReviewVersions: ['v2'] },
      ],
    },
    back: 'after',
    problems: [
      'webhooks[0].sideEffects is Unknown: say None or NoneOnDryRun, once that is true of the webhook',
      'webhooks[1].sideEffects is Unknown: say None or NoneOnDryRun, once that is true of the webhook',
      'webhooks[1].admissionReviewVersions must name v1 or v1beta1',
      'webhooks[1].name is there twice: a.example.com',
    ],
  },
]);
