/** ServiceAccount (API-FACTS 3.4 and 4.3). */
import { defineKind, type ApiObject } from '../kind.ts';

export interface ServiceAccount extends ApiObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

export const SERVICE_ACCOUNT = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  message: 'core.v1.ServiceAccount',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  operations: ['token'],

  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
});

/** Secrets are those of the account's own namespace: nothing but their names counts. */
function keepSecretNames(account: ServiceAccount): void {
  const { secrets } = account;
  if (secrets === undefined) return;
  account.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
