/** ServiceAccount. */
import type { ServiceAccount } from '#messages/core.v1';
import { ownRelease } from '../../release/release.ts';
import { defineKind } from '../kind.ts';
import { AGE, lengthOf, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

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
  printer: definePrinter([
    NAME,
    ...(ownRelease().has('plainServiceAccounts')
      ? []
      : [text('Secrets', 'How many secrets it may use.', 'secrets{}', lengthOf)]),
    AGE,
  ]),

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
