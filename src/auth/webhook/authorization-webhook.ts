/** A webhook that is asked who may, as options and files describe it. */
import type { WebhookTarget } from '../../webhooks/webhook-target.ts';

export interface AuthorizationWebhook {
  /** As reasons and metrics call it. */
  readonly name: string;
  readonly target: WebhookTarget;
  /** Whether it is told the selectors of what is asked for. */
  readonly tellsSelectors: boolean;
  /** It is asked by a review of this version. */
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMs: number;
  /** The decision where it cannot be asked. */
  readonly onFailure: 'noOpinion' | 'deny';
  /** The time for which an answer is kept: one that allows, and any other one; 0 for not at all. */
  readonly allowedMs: number;
  readonly refusedMs: number;
  /** Expressions that must all hold for it to be asked. */
  readonly conditions: readonly string[];
}
