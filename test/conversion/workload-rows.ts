/** Workloads before apps/v1. */
import type { ConversionRow } from './conversion-row.ts';

const metadata = { name: 'a' };
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [] } };
const selector = { matchLabels: { app: 'a' } };
const labelled = { name: 'a', labels: { app: 'a' } };
const INT32_MAX = 2147483647;

const SELECTOR_ROWS = [
  ['ReplicaSet', 'extensions/v1beta1'],
  ['ReplicaSet', 'apps/v1beta1'],
].map(([kind = '', from = '']): ConversionRow => ({
  name: 'the selector is that of the template',
  kind,
  from,
  to: 'apps/v1',
  before: { metadata, spec: { template } },
  after: { metadata: labelled, spec: { template, selector } },
  back: 'after',
}));

const NO_SELECTOR_ROWS = ['DaemonSet', 'Deployment', 'StatefulSet', 'ReplicaSet'].map(
  (kind): ConversionRow => ({
    name: 'a selector that nothing says',
    kind,
    from: 'apps/v1beta2',
    to: 'apps/v1',
    before: { metadata, spec: { template } },
    after: { metadata, spec: { template } },
    problems: ['spec.selector is required'],
  }),
);

export const WORKLOAD_ROWS: readonly ConversionRow[] = [
  ...SELECTOR_ROWS,
  ...NO_SELECTOR_ROWS,
  {
    name: 'what it meant without saying it',
    kind: 'Deployment',
    from: 'extensions/v1beta1',
    to: 'apps/v1',
    before: { metadata, spec: { rollbackTo: { revision: 4 }, template } },
    after: {
      metadata: { ...labelled, annotations: { 'deprecated.deployment.rollback.to': '4' } },
      spec: {
        template,
        selector,
        strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        progressDeadlineSeconds: INT32_MAX,
        revisionHistoryLimit: INT32_MAX,
      },
    },
    back: {
      metadata: labelled,
      spec: {
        rollbackTo: { revision: 4 },
        template,
        selector,
        strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        progressDeadlineSeconds: INT32_MAX,
        revisionHistoryLimit: INT32_MAX,
      },
    },
  },
  {
    name: 'no rolling update, and all is said',
    kind: 'Deployment',
    from: 'extensions/v1beta1',
    to: 'apps/v1',
    before: {
      metadata: labelled,
      spec: {
        selector,
        template,
        strategy: { type: 'Recreate' },
        progressDeadlineSeconds: 5,
        revisionHistoryLimit: 1,
      },
    },
    after: {
      metadata: labelled,
      spec: {
        selector,
        template,
        strategy: { type: 'Recreate' },
        progressDeadlineSeconds: 5,
        revisionHistoryLimit: 1,
      },
    },
  },
  {
    name: 'only two revisions were kept',
    kind: 'Deployment',
    from: 'apps/v1beta1',
    to: 'apps/v1',
    before: { metadata: labelled, spec: { selector, template } },
    after: { metadata: labelled, spec: { selector, template, revisionHistoryLimit: 2 } },
    back: 'after',
  },
  {
    name: 'a revision to go back to is an annotation',
    kind: 'Deployment',
    from: 'apps/v1beta1',
    to: 'apps/v1',
    before: {
      metadata: labelled,
      spec: { rollbackTo: { revision: 4 }, revisionHistoryLimit: 2, selector, template },
    },
    after: {
      metadata: { ...labelled, annotations: { 'deprecated.deployment.rollback.to': '4' } },
      spec: { revisionHistoryLimit: 2, selector, template },
    },
  },
  {
    name: 'no generation of its template is known',
    kind: 'DaemonSet',
    from: 'apps/v1beta2',
    to: 'apps/v1',
    before: { metadata, spec: { templateGeneration: 3, selector, template } },
    after: {
      metadata: { ...metadata, annotations: { 'deprecated.daemonset.template.generation': '3' } },
      spec: { selector, template },
    },
    back: 'after',
  },
  {
    name: 'the generation of its template is an annotation',
    kind: 'DaemonSet',
    from: 'extensions/v1beta1',
    to: 'apps/v1',
    before: { metadata, spec: { templateGeneration: 3, template } },
    after: {
      metadata: { ...labelled, annotations: { 'deprecated.daemonset.template.generation': '3' } },
      spec: { template, selector, updateStrategy: { type: 'OnDelete' } },
    },
    back: {
      metadata: labelled,
      spec: {
        template,
        selector,
        templateGeneration: 3,
        updateStrategy: { type: 'OnDelete' },
      },
    },
  },
  {
    name: 'pods are replaced when they are deleted',
    kind: 'StatefulSet',
    from: 'apps/v1beta1',
    to: 'apps/v1',
    before: { metadata: labelled, spec: { serviceName: 's', selector, template } },
    after: {
      metadata: labelled,
      spec: { serviceName: 's', selector, template, updateStrategy: { type: 'OnDelete' } },
    },
    back: 'after',
  },
];
