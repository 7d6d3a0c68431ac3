import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as STORED } from './runtime-class.ts';

export const CASES: KindCases = { ...STORED, apiVersion: 'node.cluster.io/v1beta1' };
