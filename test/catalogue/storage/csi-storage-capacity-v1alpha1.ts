import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as STORED } from './csi-storage-capacity.ts';

export const CASES: KindCases = { ...STORED, apiVersion: 'storage.cluster.io/v1alpha1' };
