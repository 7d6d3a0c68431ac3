/** Reads the file of `--authorization-config` (README.md). */
import { ConfigError } from '../../base/options/config-error.ts';
import { parseDuration } from '../../codec/leaves/duration-text.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import { KubeconfigError, kubeconfigTarget } from '../../webhooks/kubeconfig.ts';
import {
  AUTHORIZERS,
  isMode,
  MODES,
  nameOfMode,
  type AuthorizationMode,
  type ChainedAuthorizer,
} from '../authorizers.ts';
import type { AuthorizationWebhook } from '../webhook/authorization-webhook.ts';
import { configurationErrors, type ConditionProblem } from './configuration-errors.ts';
import {
  configurationDocument,
  configurationProblems,
  configurationText,
} from './configuration-file.ts';
import { AUTHORIZATION_FORM } from './configuration-form.ts';
import type {
  AuthorizationDocument,
  AuthorizerDocument,
  WebhookDocument,
} from './configuration-form.ts';

const MS = 1_000_000n;
const ALLOWED_TTL = '5m';
const REFUSED_TTL = '30s';

export interface ReadConfiguration {
  readonly text: string;
  readonly chain: readonly ChainedAuthorizer[];
}

/** Rejects with ConfigError, in one line. */
export async function readConfigurationFile(
  file: string,
  gates: FeatureGates,
): Promise<ReadConfiguration> {
  const text = configurationText(file);
  return { text, chain: await readConfiguration(text, gates) };
}

/** Reads whom a text names, in order. Rejects with ConfigError, in one line. */
export async function readConfiguration(
  text: string,
  gates: FeatureGates,
): Promise<readonly ChainedAuthorizer[]> {
  const start = 'failed to load AuthorizationConfiguration from file: ';
  const document: AuthorizationDocument = configurationDocument(text, AUTHORIZATION_FORM, start);
  const all = (document.authorizers ?? []).map((one) => one ?? {});
  const problemOf = await conditionProblems(all, gates);
  refuse(configurationProblems(configurationErrors(document, MODES, problemOf)));
  refuse(all.flatMap(errorOfOwnName));
  return all.map((one) => chained(one, gates));
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(aggregateText(problems));
}

/** The code that reads expressions is loaded where there are some. */
async function conditionProblems(
  all: readonly AuthorizerDocument[],
  gates: FeatureGates,
): Promise<ConditionProblem> {
  if (all.every(({ webhook }) => !webhook?.matchConditions?.length)) return () => '';
  const { compileAccessExpression } = await import('../../schema/cel/access/access-expression.ts');
  const seesSelectors = gates.has('AuthorizeWithSelectors');
  return (expression) => compileAccessExpression(expression, seesSelectors).problem;
}

/** Who is no webhook has one name. */
function errorOfOwnName({ type = '', name = '' }: AuthorizerDocument): string[] {
  if (!isMode(type) || type === 'Webhook') return [];
  const own = nameOfMode(type);
  return name === own ? [] : [`expected name ${own} for authorizer ${type} instead of ${name}`];
}

function chained(
  { type = '', name = '', webhook }: AuthorizerDocument,
  gates: FeatureGates,
): ChainedAuthorizer {
  const mode = type as AuthorizationMode;
  const settings = webhook
    ? webhookOf(name, webhook, gates)
    : AUTHORIZERS[mode].read({}, true, gates);
  return { mode, name, settings };
}

function webhookOf(
  name: string,
  webhook: WebhookDocument,
  gates: FeatureGates,
): AuthorizationWebhook {
  const { cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true } = webhook;
  const { connectionInfo, matchConditions, subjectAccessReviewVersion } = webhook;
  return {
    name,
    target: targetOf(connectionInfo?.kubeConfigFile ?? ''),
    tellsSelectors: gates.has('AuthorizeWithSelectors'),
    version: subjectAccessReviewVersion === 'v1beta1' ? 'v1beta1' : 'v1',
    timeoutMs: millisecondsOf(webhook.timeout, '0s'),
    onFailure: webhook.failurePolicy === 'Deny' ? 'deny' : 'noOpinion',
    allowedMs: cacheAuthorizedRequests ? millisecondsOf(webhook.authorizedTTL, ALLOWED_TTL) : 0,
    refusedMs: cacheUnauthorizedRequests ? millisecondsOf(webhook.unauthorizedTTL, REFUSED_TTL) : 0,
    conditions: (matchConditions ?? []).map((condition) => condition?.expression ?? ''),
  };
}

function targetOf(file: string): AuthorizationWebhook['target'] {
  try {
    return kubeconfigTarget(file);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new ConfigError(`invalid authorization config: ${error.message}`);
  }
}

/** None is as long as it is by default. */
function millisecondsOf(text = '0s', preset: string): number {
  const nanos = parseDuration(text);
  return Number((nanos === 0n ? parseDuration(preset) : nanos) / MS);
}
