import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as WEBHOOKS } from './validating-webhook-configuration.ts';

const FORM = '; desired format: https://host[/path]';
const called = (clientConfig: object): Change => ({
  webhooks: [
    { name: 'a.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] },
  ],
});

export const CASES: KindCases = {
  ...WEBHOOKS,
  release: 37,
  invalid: [
    [
      'a service is named, which is told without why',
      called({ service: {} }),
      [
        'webhooks[0].clientConfig.service.name: Required value',
        'webhooks[0].clientConfig.service.namespace: Required value',
      ],
    ],
    [
      'url: host',
      called({ url: 'https://' }),
      [`webhooks[0].clientConfig.url: Invalid value: "": host must be specified${FORM}`],
    ],
  ],
  updates: [],
};
