/** The settings of the audit log; plain data, for every thread. */
import type { WebhookTarget } from '../webhooks/webhook-target.ts';
import type { AuditPolicy } from './policy.ts';

/**
 * The ways in which requests and events wait for each other: `batch` lets requests go on;
 * `blocking` writes before a request is answered; `blocking-strict` refuses requests that cannot be
 * written.
 */
export const AUDIT_MODES = ['batch', 'blocking', 'blocking-strict'] as const;
export type AuditMode = (typeof AUDIT_MODES)[number];

export const AUDIT_FORMATS = ['json', 'legacy'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export interface BatchSettings {
  /** Events that wait; what comes then is lost. */
  readonly bufferSize: number;
  readonly sizeMax: number;
  readonly waitMsMax: number;
  /** Batches a second, and at once; absent for no bound. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number };
}

/** In bytes. Absent where events are as large as they are. */
export interface TruncationSettings {
  readonly eventBytesMax: number;
  readonly batchBytesMax: number;
}

/** The versions of the group `audit.cluster.io`; all but the first are deprecated. */
export const AUDIT_VERSIONS = ['v1', 'v1beta1', 'v1alpha1'] as const;
export type AuditVersion = (typeof AUDIT_VERSIONS)[number];

export interface BackendSettings {
  readonly version: AuditVersion;
  readonly mode: AuditMode;
  readonly batch: BatchSettings;
  readonly truncation?: TruncationSettings;
}

export interface AuditLogSettings extends BackendSettings {
  /** `-` is stdout. */
  readonly path: string;
  readonly format: AuditFormat;
  readonly rotation: RotationSettings;
}

/** When the log gets a new file, and which old ones stay; 0 is no bound. */
export interface RotationSettings {
  readonly bytesMax: number;
  readonly backupsMax: number;
  readonly ageMsMax: number;
  readonly isCompressed: boolean;
}

export interface AuditWebhookSettings extends BackendSettings {
  readonly target: WebhookTarget;
  /** Before the first of the tries that follow a failed one. */
  readonly firstRetryMs: number;
}

export interface AuditSettings {
  readonly policy: AuditPolicy;
  readonly log?: AuditLogSettings;
  readonly webhook?: AuditWebhookSettings;
}
