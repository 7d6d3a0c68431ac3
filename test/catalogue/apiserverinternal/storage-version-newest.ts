import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as VERSIONS, NAME_PART } from './storage-version.ts';

const CONDITION = { type: 'A', status: 'T d', reason: '', message: 'm' };

export const CASES: KindCases = {
  ...VERSIONS,
  release: 37,
  invalid: [],
  updates: [],
  statusUpdates: [
    [
      'a wrong status of a condition is shown',
      {},
      { status: { conditions: [CONDITION] } },
      [`status[0].status: Invalid value: "T d": ${NAME_PART}`, 'status[0].reason: Required value'],
    ],
  ],
};
