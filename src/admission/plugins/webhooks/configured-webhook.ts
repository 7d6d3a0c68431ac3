/** A webhook of a configuration, made ready to be held against many writes. */
import { X509Certificate } from 'node:crypto';
import type { MatchCondition } from '#messages/admissionregistration.v1';
import type {
  Webhook,
  WebhookConfiguration,
} from '../../../resources/admissionregistration/webhook-validation.ts';
import { callerOf, type WebhookCallers } from '../../../webhooks/webhook-callers.ts';
import type { WebhookTarget } from '../../../webhooks/webhook-target.ts';
import { ruleOf, selecting, type MatchCriteria } from '../../match-criteria.ts';

/** The versions of reviews that this server speaks. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1'] as const;
export type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

const PEM_HEAD = '-----BEGIN CERTIFICATE-----';
const MALFORMED = 'failed to parse certificate: x509: malformed certificate';
const SERVICE_PORT = 443;
const TIMEOUT_SECONDS = 10;

export interface ConfiguredWebhook extends MatchCriteria {
  /** Stays the same for as long as the configuration has the webhook at that place. */
  readonly uid: string;
  readonly name: string;
  readonly configuration: string;
  readonly target: WebhookTarget;
  /** Why the authorities that it gives are none; '' for nothing. */
  readonly authorityProblem: string;
  /** A write passes where the webhook does not answer. */
  readonly failsOpen: boolean;
  readonly timeoutMs: number;
  readonly conditions: readonly MatchCondition[];
  readonly takesDryRun: boolean;
  /** It is asked again where others have changed the object after it was asked. */
  readonly isReinvoked: boolean;
  /** Undefined where it understands none that is known. */
  readonly reviewVersion: ReviewVersion | undefined;
}

/** In their order; with `callers` some are called as somebody. `from` begins their `uid`. */
export function webhooksOf(
  { metadata, webhooks = [] }: WebhookConfiguration,
  callers?: WebhookCallers,
  from = '',
): ConfiguredWebhook[] {
  const { name: configuration = '' } = metadata;
  const seen = new Map<string, number>();
  return webhooks.map((webhook) => {
    const { name = '' } = webhook;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return compiled(webhook, {
      uid: `${from}${configuration}/${name}/${before}`,
      configuration,
      target: targetOf(webhook, callers),
    });
  });
}

function compiled(
  webhook: Webhook,
  where: Pick<ConfiguredWebhook, 'uid' | 'configuration' | 'target'>,
): ConfiguredWebhook {
  const { name = '', rules = [], sideEffects = '', admissionReviewVersions = [] } = webhook;
  return {
    ...where,
    name,
    authorityProblem: authorityProblem(webhook.clientConfig?.caBundle ?? ''),
    rules: rules.map(ruleOf),
    selectsNamespaces: selecting(webhook.namespaceSelector),
    selectsObjects: selecting(webhook.objectSelector),
    takesEquivalent: webhook.matchPolicy !== 'Exact',
    conditions: webhook.matchConditions ?? [],
    failsOpen: webhook.failurePolicy === 'Ignore',
    timeoutMs: (webhook.timeoutSeconds ?? TIMEOUT_SECONDS) * 1000,
    takesDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    isReinvoked: webhook.reinvocationPolicy === 'IfNeeded',
    reviewVersion: admissionReviewVersions.find(isReviewVersion),
  };
}

function isReviewVersion(version: string): version is ReviewVersion {
  return REVIEW_VERSIONS.some((known) => known === version);
}

function targetOf({ clientConfig = {} }: Webhook, callers?: WebhookCallers): WebhookTarget {
  const { url = '', service, caBundle = '' } = clientConfig;
  const target = service === undefined ? { url, caBundle } : { service: whole(service), caBundle };
  const caller = callers && callerOf(callers, target);
  return caller === undefined ? target : { ...target, caller };
}

type Service = NonNullable<NonNullable<Webhook['clientConfig']>['service']>;

function whole({ namespace = '', name = '', path = '', port = SERVICE_PORT }: Service) {
  return { namespace, name, path, port };
}

/** `bundle` is PEM in base64. What is stored was not looked into. */
function authorityProblem(bundle: string): string {
  if (bundle === '') return '';
  const pem = Buffer.from(bundle, 'base64').toString();
  if (!pem.includes(PEM_HEAD)) return 'unable to parse bytes as PEM block';
  try {
    return new X509Certificate(pem).raw.length > 0 ? '' : MALFORMED;
  } catch {
    return MALFORMED;
  }
}
