import type { ApiObject } from '../kind.ts';
import type { ResourceList } from './resource-names.ts';
import type { QuotaSpec } from './resource-quota-scopes.ts';

export interface ResourceQuota extends ApiObject {
  spec?: QuotaSpec;
  status?: { hard?: ResourceList; used?: ResourceList };
}
