import type { KindCases } from '../../support/kind-cases.ts';
import {
  LABELS,
  notSelected,
  podRows,
  REPLICA_ROWS,
  REPLICA_STATUS_ROWS,
  storedTemplate,
  template,
} from '../../support/workload-cases.ts';

const FULL_SPEC = {
  replicas: 0,
  minReadySeconds: 5,
  selector: LABELS,
  template: storedTemplate({}, { ...LABELS, tier: 'front' }),
};

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  minimal: { spec: { template: template() } },
  minimalStored: {
    spec: { replicas: 1, selector: LABELS, template: storedTemplate() },
    status: { replicas: 0 },
  },
  full: {
    metadata: { labels: { own: 'label' } },
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: { replicas: 0 },
  },
  invalid: [
    [
      'reference: a selector, or labels to take for one, are required',
      { spec: { template: { metadata: undefined } } },
      ['spec.selector: Required value'],
    ],
    [
      'reference: a template is required',
      { spec: { selector: LABELS, template: undefined } },
      ['spec.template: Required value'],
    ],
    [
      'reference: the selector selects the template',
      { spec: { selector: { app: 'api' } } },
      [notSelected('{"app":"web"}')],
    ],
    ...podRows('ReplicationController'),
    ...REPLICA_ROWS,
  ],
  updates: [
    [
      'reference: even the selector is mutable',
      {},
      {
        spec: { selector: { app: 'api' }, template: { metadata: { labels: { app: 'api' } } } },
      },
      [],
    ],
    [
      'reference: an update is checked like a new object',
      {},
      { spec: { selector: { app: 'api' } } },
      [notSelected('{"app":"web"}')],
    ],
  ],
  statusUpdates: REPLICA_STATUS_ROWS,
};
