import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as V2 } from './horizontal-pod-autoscaler.ts';

/** Written here even when there is nothing to say. */
const STATUS = {
  currentReplicas: 0,
  desiredReplicas: 0,
  currentMetrics: null,
  conditions: null,
};

export const CASES: KindCases = {
  ...V2,
  apiVersion: 'autoscaling/v2beta2',
  minimalStored: { ...V2.minimalStored, status: STATUS },
  fullStored: { ...V2.full, status: STATUS },
  statusUpdates: [],
};
