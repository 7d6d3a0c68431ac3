/** The rules of both kinds of webhooks (README.md#webhooks). */
import type { LabelSelector } from '#messages/meta.v1';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
} from '#messages/admissionregistration.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import {
  addJoinedProblems,
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkLabelSelector, hasInvalidValue } from '../../semantics/metadata/label-validation.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import type { RuleContext } from '../kind.ts';
import { checkMatchConditions } from './match-conditions.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import { checkStaticName } from './policy-kind.ts';
import { checkReviewVersions, checkWebhookClient } from './webhook-client.ts';
import { checkWebhookRule } from './webhook-rules.ts';

/** A webhook of either kind: validating ones lack a member. */
export type Webhook = MutatingWebhook;
export type WebhookConfiguration = MutatingWebhookConfiguration;

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'] as const;
const TIMEOUT_SECONDS_MAX = 30;
const NAME_SEGMENTS_MIN = 3;

/**
 * Whether the webhooks change, which are all of a configuration. As in the reference, an empty list
 * differs from an absent one.
 */
export function webhooksChange(
  object: WebhookConfiguration,
  stored: WebhookConfiguration,
): boolean {
  return !deepEqual(object.webhooks, stored.webhooks, true);
}

/** The problems of the webhooks of a configuration. */
export function webhookErrors(
  { metadata, webhooks = [] }: WebhookConfiguration,
  stored: WebhookConfiguration | undefined,
  { gates }: Pick<RuleContext, 'gates'>,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const wrong = stored?.webhooks
    ?.flatMap(({ namespaceSelector, objectSelector }) => [namespaceSelector, objectSelector])
    .find(hasInvalidValue);
  const checksConditions = !keepsConditions(webhooks, stored?.webhooks);
  webhooks.forEach((webhook, index) => {
    const field = `webhooks[${index}]`;
    checkWebhook(webhook, field, wrong, errors);
    if (checksConditions) {
      const { matchConditions = [] } = webhook;
      const expressions = new PolicyExpressions(false, false);
      checkMatchConditions(matchConditions, expressions, `${field}.matchConditions`, errors);
    }
    const { name = '', admissionReviewVersions: versions = [] } = webhook;
    const missing = 'must specify one of v1, v1beta1';
    checkReviewVersions(versions, `${field}.admissionReviewVersions`, missing, errors);
    if (name !== '' && seen.has(name)) errors.push(duplicate(`${field}.name`, name));
    seen.add(name);
  });
  if (stored === undefined) checkStaticName(metadata, gates, errors);
  return errors;
}

/** Conditions that all stay as they are are not checked again. */
function keepsConditions(webhooks: readonly Webhook[], stored: readonly Webhook[] = []): boolean {
  return (
    webhooks.length === stored.length &&
    webhooks.every(({ matchConditions }, index) =>
      deepEqual(matchConditions, stored[index]?.matchConditions),
    )
  );
}

/** Where `wrong`, a stored selector, asks for what no label can be, all of them may. */
function checkWebhook(
  webhook: Webhook,
  field: string,
  wrong: LabelSelector | undefined,
  errors: FieldError[],
): void {
  checkName(webhook.name ?? '', `${field}.name`, errors);
  webhook.rules?.forEach((rule, index) => {
    checkWebhookRule(rule, `${field}.rules[${index}]`, errors);
  });
  checkSideEffects(webhook.sideEffects, `${field}.sideEffects`, errors);
  const { timeoutSeconds: timeout } = webhook;
  if (timeout !== undefined && (timeout < 1 || timeout > TIMEOUT_SECONDS_MAX)) {
    const detail = `the timeout value must be between 1 and ${TIMEOUT_SECONDS_MAX} seconds`;
    errors.push(invalid(`${field}.timeoutSeconds`, timeout, detail));
  }
  checkLabelSelector(webhook.namespaceSelector, `${field}.namespaceSelector`, errors, wrong);
  checkLabelSelector(webhook.objectSelector, `${field}.objectSelector`, errors, wrong);
  checkWebhookClient(webhook.clientConfig ?? {}, `${field}.clientConfig`, errors);
}

function checkName(name: string, field: string, errors: FieldError[]): void {
  if (name === '') {
    errors.push(required(field));
    return;
  }
  const problems = dnsSubdomain(name);
  addJoinedProblems(problems, field, name, errors);
  if (problems.length === 0 && name.split('.').length < NAME_SEGMENTS_MIN) {
    const detail = 'should be a domain with at least three segments separated by dots';
    errors.push(invalid(field, name, detail));
  }
}

function checkSideEffects(value: string | undefined, field: string, errors: FieldError[]): void {
  if (value === undefined) {
    errors.push(required(field, `must specify one of ${SIDE_EFFECTS.join(', ')}`));
  } else if (!SIDE_EFFECTS.some((one) => one === value)) {
    errors.push(notSupported(field, value, SIDE_EFFECTS));
  }
}
