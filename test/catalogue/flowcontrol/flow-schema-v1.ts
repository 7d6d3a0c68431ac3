import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as OLD } from './flow-schema.ts';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'flowcontrol.apiserver.cluster.io/v1',
  kind: 'FlowSchema',
  minimal: OLD.minimal,
  minimalStored: OLD.minimalStored,
  full: OLD.full,
  ...(OLD.fullStored && { fullStored: OLD.fullStored }),
  invalid: [],
  statusUpdates: [
    [
      'flow schema: types of conditions are required',
      {},
      { status: { conditions: [{ status: 'True' }] } },
      ['status.conditions[0].type: Required value'],
    ],
  ],
};
