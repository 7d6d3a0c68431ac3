import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as VALIDATING } from './validating-webhook-configuration.ts';

const webhooks = (of: Change, members: object): Change => ({
  webhooks: (of.webhooks as object[]).map((webhook) => ({ ...webhook, ...members })),
});
const { minimal } = VALIDATING;

export const CASES: KindCases = {
  ...VALIDATING,
  kind: 'MutatingWebhookConfiguration',
  minimalStored: webhooks(VALIDATING.minimalStored, { reinvocationPolicy: 'Never' }),
  full: webhooks(VALIDATING.full, { reinvocationPolicy: 'IfNeeded' }),
  invalid: [
    ...VALIDATING.invalid,
    [
      '12.2: reinvocationPolicy',
      webhooks(minimal, { reinvocationPolicy: 'Always' }),
      [
        'webhooks[0].reinvocationPolicy: Unsupported value: "Always": ' +
          'supported values: "IfNeeded", "Never"',
      ],
    ],
  ],
};
