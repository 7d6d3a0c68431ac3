/**
 * The contents of a Secret with the token of an account
 * (src/controllers/README.md#tokens-of-accounts).
 */
import type { Secret } from '#messages/core.v1';
import { ACCOUNT_NAME, ACCOUNT_UID, SECRET_TYPE } from '../../resources/core/secret.ts';

const AUTHORITY = 'ca.crt';

export interface AccountName {
  readonly name: string;
  /** '' for any. */
  readonly uid: string;
}

export interface TokenSecretOptions {
  /** The authorities that programs are to trust (PEM); '' for none. */
  readonly authority: string;
  /** Signs a token that counts for as long as it stands in a Secret. */
  readonly issue: (namespace: string, account: AccountName, secretName: string) => string;
}

/** The account that a Secret with a token names. */
export function accountOf({ metadata: { annotations = {} } }: Secret): AccountName {
  const { [ACCOUNT_NAME]: name = '', [ACCOUNT_UID]: uid = '' } = annotations;
  return { name, uid };
}

/** Whether nothing has to be filled in. */
export function isComplete({ data = {} }: Secret, { authority }: TokenSecretOptions): boolean {
  const isTrusted = authority === '' || data[AUTHORITY] === base64(authority);
  return isTrusted && (data['namespace'] ?? '') !== '' && (data['token'] ?? '') !== '';
}

/** The Secret with what it lacked, for the account that it names. */
export function completed(
  secret: Secret,
  account: AccountName,
  options: TokenSecretOptions,
): Secret {
  const { metadata, data = {} } = secret;
  const { namespace = '', name = '' } = metadata;
  const { authority, issue } = options;
  return {
    ...secret,
    metadata: {
      ...metadata,
      annotations: {
        ...metadata.annotations,
        [ACCOUNT_NAME]: account.name,
        [ACCOUNT_UID]: account.uid,
      },
    },
    type: SECRET_TYPE.serviceAccountToken,
    data: {
      ...data,
      ...(authority !== '' && { [AUTHORITY]: base64(authority) }),
      namespace: data['namespace'] || base64(namespace),
      token: data['token'] || base64(issue(namespace, account, name)),
    },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
