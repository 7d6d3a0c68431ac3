/**
 * Reads the settings of both plugins: the users as whom webhooks are called (README.md#settings).
 */
import { isAbsolute } from 'node:path';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';
import { invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { kubeconfigCallers } from '../../../webhooks/kubeconfig.ts';
import type { WebhookCallers } from '../../../webhooks/webhook-callers.ts';
import { document, type SettingRule } from '../../check-settings.ts';
import type { PluginSettings } from '../../plugin.ts';

const FORM = ['apiserver.config.cluster.io/v1', 'WebhookAdmissionConfiguration'] as const;
const OLD_FORM = ['apiserver.config.cluster.io/v1alpha1', 'WebhookAdmission'] as const;

const wholePath: SettingRule = (value = '', field, errors) => {
  if (typeof value === 'string' && isAbsolute(value)) return;
  errors.push(invalid(field, value, 'must be an absolute file path'));
};

/** The problems of settings; none are none. */
export function checkWebhookSettings(settings: PluginSettings): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (Object.keys(settings).length === 0) return errors;
  const isOld = settings['apiVersion'] === ownGroupVersion(OLD_FORM[0]);
  const [version, kind] = isOld ? OLD_FORM : FORM;
  const rule = document(ownGroupVersion(version), kind, { kubeConfigFile: wholePath });
  rule(settings, '', errors);
  return errors;
}

/** Rejects with KubeconfigError. */
export function readWebhookSettings({ kubeConfigFile }: PluginSettings): PluginSettings {
  return { callers: kubeconfigCallers(kubeConfigFile as string) };
}

/** The result of `readWebhookSettings`, which the settings hold. */
export function callersIn(settings: PluginSettings | undefined): WebhookCallers | undefined {
  return settings?.['callers'] as WebhookCallers | undefined;
}
