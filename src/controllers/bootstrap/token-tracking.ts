/** Tells since when the use of tokens in Secrets is noted: who removes unused ones asks for it. */
import type { ConfigMap } from '#messages/core.v1';
import { ownNamespace } from '../../semantics/dialect/own-names.ts';
import type { KeptObject } from './bootstrap-objects.ts';

/** Where it is told. */
export const TRACKED_AT = {
  namespace: ownNamespace('cluster-system'),
  name: 'kube-apiserver-legacy-service-account-token-tracking',
};
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The day stays as it is for as long as it is one. */
export function tokenTracking(nowMs: () => number): KeptObject {
  const data = { since: new Date(nowMs()).toISOString().slice(0, 10) };
  return {
    resource: 'configmaps',
    ...TRACKED_AT,
    wanted: { metadata: TRACKED_AT, data },
    mend: (stored) => {
      const { data: is = {} } = stored as ConfigMap;
      const isRight = DAY.test(is['since'] ?? '') && !Number.isNaN(Date.parse(is['since'] ?? ''));
      return isRight ? undefined : { ...stored, data: { ...is, ...data } };
    },
  };
}
