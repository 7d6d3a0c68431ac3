/** MutatingWebhookConfiguration (README.md#webhooks). */
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { defineKind } from '../kind.ts';
import { POLICY_KIND } from './policy-kind.ts';
import { WEBHOOK_PRINTER } from './webhook-printer.ts';
import { webhookErrors, webhooksChange, type WebhookConfiguration } from './webhook-validation.ts';

export const MUTATING_WEBHOOK_CONFIGURATION = defineKind<WebhookConfiguration>({
  group: ownGroup('admissionregistration.cluster.io'),
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  message: 'admissionregistration.v1.MutatingWebhookConfiguration',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: webhooksChange,
  checksFinalizerNames: false,
  tellsEmpty: true,
  printer: WEBHOOK_PRINTER,

  createWarnings: POLICY_KIND.createWarnings,
  updateWarnings: POLICY_KIND.updateWarnings,
  validate: webhookErrors,
});
