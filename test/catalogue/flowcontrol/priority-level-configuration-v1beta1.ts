import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as STORED } from './priority-level-configuration.ts';

export const CASES: KindCases = {
  ...STORED,
  apiVersion: 'flowcontrol.apiserver.cluster.io/v1beta1',
};
