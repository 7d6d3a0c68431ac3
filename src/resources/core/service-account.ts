/** ServiceAccount (README.md#services). */
import type { ServiceAccount } from '#messages/core.v1';
import { defineKind } from '../kind.ts';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const SERVICE_ACCOUNT_PRINTER = definePrinter<ServiceAccount>()({
  columns: [NAME_COLUMN, column('Secrets', 'string', 'How many secrets it may use.'), AGE_COLUMN],
  members: { secrets: {} },
  cells: (account) => [nameOf(account), account.secrets?.length ?? 0, ageOf(account)],
});

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
  printer: SERVICE_ACCOUNT_PRINTER,

  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
});

/**
 * Secrets are of the account's own namespace, so all members of a reference but its name are
 * dropped.
 */
function keepSecretNames(account: ServiceAccount): void {
  const { secrets } = account;
  if (secrets === undefined) return;
  account.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
