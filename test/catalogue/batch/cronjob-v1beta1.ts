// The deprecated version has the shape of the stored one.
import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as V1 } from './cronjob.ts';

export const CASES: KindCases = {
  ...V1,
  apiVersion: 'batch/v1beta1',
  invalid: V1.invalid.slice(0, 2),
};
