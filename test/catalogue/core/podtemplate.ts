import type { KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT } from '../../support/name-hints.ts';
import { CONTAINER, CONTAINER_DEFAULTS, TEMPLATE_DEFAULTS } from '../../support/pod-cases.ts';
import { volumesRow } from '../../support/workload-cases.ts';

const containers = [{ ...CONTAINER, ...CONTAINER_DEFAULTS }];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'PodTemplate',
  minimal: { template: { spec: { containers: [CONTAINER] } } },
  minimalStored: {
    template: {
      metadata: { creationTimestamp: null },
      spec: { containers, ...TEMPLATE_DEFAULTS },
    },
  },
  full: {
    template: {
      metadata: { labels: { app: 'db' }, annotations: { 'example.com/a': 'b' } },
      spec: {
        containers: [{ ...CONTAINER, resources: { limits: { cpu: '1' } } }],
        serviceAccountName: 'robot',
        volumes: [{ name: 'scratch' }],
        hostNetwork: true,
      },
    },
  },
  fullStored: {
    template: {
      metadata: {
        creationTimestamp: null,
        labels: { app: 'db' },
        annotations: { 'example.com/a': 'b' },
      },
      spec: {
        ...TEMPLATE_DEFAULTS,
        // 13.3: requests are those of limits in pods only.
        containers: [{ ...CONTAINER, ...CONTAINER_DEFAULTS, resources: { limits: { cpu: '1' } } }],
        serviceAccountName: 'robot',
        serviceAccount: 'robot',
        volumes: [{ name: 'scratch', emptyDir: {} }],
        hostNetwork: true,
      },
    },
  },
  invalid: [
    volumesRow((template) => ({ template })),
    [
      'a template has containers',
      { template: { spec: { containers: [] } } },
      ['template.spec.containers: Required value'],
    ],
    [
      '3.7: labels and annotations of pods',
      { template: { metadata: { labels: { '-': 'a' }, annotations: { _: 'a' } } } },
      [
        `template.labels: Invalid value: "-": ${NAME_PART_HINT}`,
        `template.annotations: Invalid value: "_": ${NAME_PART_HINT}`,
      ],
    ],
    [
      'a template of mirror pods names their node',
      { template: { metadata: { annotations: { 'cluster.io/config.mirror': 'x' } } } },
      [
        'template.annotations[cluster.io/config.mirror]: Invalid value: "x": must set ' +
          'spec.nodeName if mirror pod annotation is set',
      ],
    ],
    [
      'ephemeral containers are of running pods',
      { template: { spec: { ephemeralContainers: [{ name: 'debug', image: 'debug:1' }] } } },
      [
        'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod ' +
          'template',
      ],
    ],
  ],
  updates: [
    [
      'a template may change',
      {},
      { template: { spec: { containers: [{ name: 'b', image: 'b' }] } } },
      [],
    ],
  ],
};
