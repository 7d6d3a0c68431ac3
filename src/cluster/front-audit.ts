/** The audit log of a front: loaded only where something is audited. */
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { MailboxFullError } from '../actors/link.ts';
import type { YamlBodies } from '../front/requests/yaml-bodies.ts';
import { shareOf } from '../limits.ts';
import type { Audit } from '../audit/audit.ts';
import type { AuditBackend } from '../audit/audit-backend.ts';
import { AUDIT_WEBHOOK_CLOSE_MS_MAX, AUDITED_YAML_BYTES_MAX } from '../audit/limits.ts';
import type { AuditSettings, BatchSettings } from '../audit/settings.ts';

export interface AuditInit {
  readonly settings: AuditSettings;
  /** The state of the log that is shared by the fronts that write into it. */
  readonly logFile: SharedArrayBuffer;
}

class AuditLogError extends Error {
  override readonly name = 'AuditLogError';
}

/**
 * The audit of one front of so many. Undefined where nothing is audited. Rejects with
 * AuditLogError.
 */
export async function frontAudit(
  init: AuditInit | undefined,
  fronts: number,
  loadModel: () => SchemaModel,
  yamlBodies: YamlBodies,
  logError: (text: string) => void,
): Promise<Audit | undefined> {
  if (init === undefined) return undefined;
  const { Audit } = await import('../audit/audit.ts');
  const { AuditedJson } = await import('../front/audited-json.ts');
  const json = new AuditedJson(loadModel);
  return new Audit({
    policy: init.settings.policy,
    backends: await backendsOf(init, fronts, logError),
    jsonOf: (bytes, encoding) => json.textOf(bytes, encoding),
    readAnswer: (user, yaml) => readAnswer(yamlBodies, user, yaml),
  });
}

/** Undefined for what is too long, or where too much of the user waits. */
async function readAnswer(
  yamlBodies: YamlBodies,
  user: string,
  yaml: Uint8Array,
): Promise<string | undefined> {
  if (yaml.length > AUDITED_YAML_BYTES_MAX) return undefined;
  try {
    // The memory may be used again once the answer is sent.
    return (await yamlBodies.read(user, { body: yaml.slice(), strict: false }))?.json;
  } catch (error) {
    if (error instanceof MailboxFullError) return undefined;
    throw error;
  }
}

async function backendsOf(
  { settings, logFile }: AuditInit,
  fronts: number,
  logError: (text: string) => void,
): Promise<readonly AuditBackend[]> {
  const backends: AuditBackend[] = [];
  if (settings.log !== undefined) {
    const { AuditLog } = await import('../audit/audit-log.ts');
    const { LogFile } = await import('../audit/log-file.ts');
    const { path, rotation, batch } = settings.log;
    const file = new LogFile({ path, rotation, shared: logFile, nowMs: Date.now, logError });
    try {
      file.open();
    } catch (error) {
      throw new AuditLogError(`cannot write the audit log: ${(error as Error).message}`);
    }
    backends.push(
      new AuditLog({ ...settings.log, batch: shareOfBatch(batch, fronts) }, file, logError),
    );
  }
  if (settings.webhook !== undefined) {
    const { AuditWebhook } = await import('../audit/audit-webhook.ts');
    const { WebhookClient } = await import('../webhooks/webhook-client.ts');
    const { batch } = settings.webhook;
    const noServices = (): never => {
      throw new Error('a webhook of an option is named by its URL');
    };
    backends.push(
      new AuditWebhook(
        { ...settings.webhook, batch: shareOfBatch(batch, fronts) },
        {
          client: new WebhookClient(noServices),
          random: Math.random,
          closeMsMax: AUDIT_WEBHOOK_CLOSE_MS_MAX,
          logError,
        },
      ),
    );
  }
  return backends;
}

/** Divides the server's bounds of waiting and sent events among its fronts. */
function shareOfBatch(batch: BatchSettings, fronts: number): BatchSettings {
  const { bufferSize, throttle } = batch;
  return {
    ...batch,
    bufferSize: shareOf(bufferSize, fronts),
    ...(throttle !== undefined && {
      throttle: {
        perSecond: throttle.perSecond / fronts,
        burst: shareOf(throttle.burst, fronts),
      },
    }),
  };
}
