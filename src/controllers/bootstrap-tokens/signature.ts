/**
 * Signatures by which who joins knows the cluster: of the text of a kubeconfig, with each bootstrap
 * token (src/controllers/README.md#bootstrap-tokens).
 */
import { createHmac } from 'node:crypto';
import type { BootstrapToken } from './bootstrap-token.ts';

const TEXT = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';

type Data = Readonly<Record<string, string>>;

/** The data of a ConfigMap, signed by each token and no other; undefined if there is no text. */
export function signedData(data: Data, tokens: readonly BootstrapToken[]): Data | undefined {
  const { [TEXT]: text } = data;
  if (text === undefined) return undefined;
  const others = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE));
  const signatures = tokens.map((token) => [SIGNATURE + token.id, detachedSignature(text, token)]);
  return Object.fromEntries([...others, ...signatures]) as Data;
}

/** A JSON web signature (RFC 7515, appendix F) by a token. */
export function detachedSignature(
  text: string,
  { id, secret }: Pick<BootstrapToken, 'id' | 'secret'>,
): string {
  const header = base64url(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret).update(`${header}.${base64url(text)}`);
  return `${header}..${signature.digest('base64url')}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
