/**
 * Secrets with bootstrap tokens, as the controllers read them
 * (src/controllers/README.md#bootstrap-tokens).
 */
import type { Secret } from '#messages/core.v1';
import { bootstrapTokenEndMs } from '../../auth/bootstrap-token.ts';
import type { Followed } from '../../replicas/shard-objects.ts';
import { SECRET_TYPE } from '../../resources/core/secret.ts';
import { ownNamespace } from '../../semantics/dialect/own-names.ts';

const NAME = /^bootstrap-token-([a-z0-9]{6})$/;

/** Those that count. */
export const BOOTSTRAP_TOKENS: Followed = {
  fieldSelector:
    `type=${SECRET_TYPE.bootstrapToken},` + `metadata.namespace=${ownNamespace('cluster-system')}`,
};

export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** Undefined for never. */
  readonly endMs: number | undefined;
}

/** When the token ends; undefined for never. One whose end cannot be read has ended. */
export function tokenEndMs(secret: Secret): number | undefined {
  return bootstrapTokenEndMs(dataText(secret, 'expiration'));
}

/** The token, if it may sign. */
export function signingToken(secret: Secret): BootstrapToken | undefined {
  const id = dataText(secret, 'token-id');
  const text = dataText(secret, 'token-secret');
  const maySign = dataText(secret, 'usage-bootstrap-signing') === 'true';
  const isNamed = NAME.exec(secret.metadata.name ?? '')?.[1] === id;
  if (!isNamed || !maySign || text === '') return undefined;
  return { id, secret: text, endMs: tokenEndMs(secret) };
}

function dataText({ data = {} }: Secret, key: string): string {
  return Buffer.from(data[key] ?? '', 'base64').toString();
}
