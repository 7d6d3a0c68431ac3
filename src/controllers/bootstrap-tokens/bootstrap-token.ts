/** Secrets with bootstrap tokens, as the controllers read them (README.md#bootstrap-tokens). */
import type { Followed } from '../../replicas/shard-objects.ts';
import { SECRET_TYPE } from '../../resources/core/secret.ts';
import type { Secret } from '../../resources/core/secret.ts';
import { ownNamespace } from '../../semantics/dialect/own-names.ts';

/** What an end has to look like, which is more than the runtime asks for. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
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
  const end = dataText(secret, 'expiration');
  if (end === '') return undefined;
  return (RFC_3339.test(end) && Date.parse(end)) || 0;
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
