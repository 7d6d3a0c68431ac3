/**
 * Reads the settings of both plugins: the users as whom webhooks are called, and webhooks that
 * files hold (README.md#settings).
 */
import { isAbsolute } from 'node:path';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import type {
  Webhook,
  WebhookConfiguration,
} from '../../../resources/admissionregistration/webhook-validation.ts';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';
import { invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { kubeconfigCallers } from '../../../webhooks/kubeconfig.ts';
import type { WebhookCallers } from '../../../webhooks/webhook-callers.ts';
import { document, type SettingRule } from '../../check-settings.ts';
import type { ManifestFiles, Manifests, PluginSettings, PluginTools } from '../../plugin.ts';
import {
  MANIFESTS_GATE,
  manifestsFolder,
  readManifests,
  withManifests,
} from '../../static-manifests.ts';

const FORM = ['apiserver.config.cluster.io/v1', 'WebhookAdmissionConfiguration'] as const;
const OLD_FORM = ['apiserver.config.cluster.io/v1alpha1', 'WebhookAdmission'] as const;

/** The two sorts of webhooks. */
export type Sort = 'validating' | 'mutating';

/** A file need not be named where webhooks may be in files. */
function wholePath(gates: FeatureGates): SettingRule {
  return (value = '', field, errors) => {
    if (typeof value === 'string' && isAbsolute(value)) return;
    if (value === '' && gates.has(MANIFESTS_GATE)) return;
    errors.push(invalid(field, value, 'must be an absolute file path'));
  };
}

/** The problems of settings; none are none. */
export function checkWebhookSettings(
  settings: PluginSettings,
  gates: FeatureGates,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (Object.keys(settings).length === 0) return errors;
  const isOld = settings['apiVersion'] === ownGroupVersion(OLD_FORM[0]);
  const [version, kind] = isOld ? OLD_FORM : FORM;
  const rules = { kubeConfigFile: wholePath(gates), ...(!isOld && manifestsFolder(gates)) };
  document(ownGroupVersion(version), kind, rules)(settings, '', errors);
  return errors;
}

/** Rejects with KubeconfigError, or with what is wrong with a file of webhooks. */
export async function readWebhookSettings(
  sort: Sort,
  settings: PluginSettings,
  tools: PluginTools,
): Promise<PluginSettings> {
  const { kubeConfigFile = '' } = settings;
  return {
    ...(kubeConfigFile !== '' && { callers: kubeconfigCallers(kubeConfigFile as string) }),
    ...(await withManifests(settings, (from) => readStaticWebhooks(sort, from, tools))),
  } as PluginSettings;
}

/** Configurations that files hold. Rejects with what is wrong with a file. */
export function readStaticWebhooks(
  sort: Sort,
  from: ManifestFiles,
  tools: PluginTools,
): Promise<Manifests> {
  const plurals = [`${sort}webhookconfigurations`];
  return readManifests(plurals, from, tools, (object, _type, file) => {
    for (const webhook of (object as WebhookConfiguration).webhooks ?? []) {
      checkClient(webhook, `in ${JSON.stringify(object.metadata.name)} (file "${file}")`);
    }
  });
}

function checkClient({ name = '', clientConfig = {} }: Webhook, where: string): void {
  const what = `webhook ${JSON.stringify(name)} ${where}: clientConfig`;
  if (clientConfig.service !== undefined) {
    const instead = 'use clientConfig.url instead';
    throw new Error(`${what}.service is not supported for static manifests; ${instead}`);
  }
  if ((clientConfig.url ?? '') === '') {
    throw new Error(`${what}.url is required for static manifests`);
  }
}

/** The result of `readWebhookSettings`, which the settings hold. */
export function callersIn(settings: PluginSettings | undefined): WebhookCallers | undefined {
  return settings?.['callers'] as WebhookCallers | undefined;
}
