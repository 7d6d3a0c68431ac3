import type { ApiObject } from '../kind.ts';
import type { ResourceList } from './resource-names.ts';
import type { QuotaScopes } from './resource-quota-scopes.ts';

interface ResourceQuotaSpec extends QuotaScopes {
  hard?: ResourceList;
}

export interface ResourceQuota extends ApiObject {
  spec?: ResourceQuotaSpec;
  status?: { hard?: ResourceList; used?: ResourceList };
}
