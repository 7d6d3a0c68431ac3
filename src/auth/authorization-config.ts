/** The settings of authorization. */

import type { WebhookTarget } from '../webhooks/webhook-target.ts';

/** Ways to decide, as options name them. */
export const AUTHORIZATION_MODES = [
  'Node',
  'RBAC',
  'Webhook',
  'AlwaysAllow',
  'AlwaysDeny',
] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

export interface AuthorizationConfig {
  /** In the order in which they are asked. */
  readonly modes: readonly AuthorizationMode[];
  /** The settings of the mode `Webhook`. */
  readonly webhook?: AuthorizationWebhook;
}

/** The config without the mode for nodes, which are let do nothing but what their pods need. */
export function withoutNodes(config: AuthorizationConfig): AuthorizationConfig {
  return { ...config, modes: config.modes.filter((mode) => mode !== 'Node') };
}

/** Versions of the review that a webhook is asked with. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1'] as const;
export type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

export interface AuthorizationWebhook {
  readonly target: WebhookTarget;
  readonly version: ReviewVersion;
  /** The time for which an answer is kept: one that allows, and any other one. */
  readonly allowedMs: number;
  readonly refusedMs: number;
}
