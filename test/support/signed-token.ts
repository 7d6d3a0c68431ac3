import { createPrivateKey, sign } from 'node:crypto';

/** A token of service accounts with any claims, signed with a server's private key. */
export function signedToken(pem: string, header: string, claims: object): string {
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const key = { key: createPrivateKey(pem), dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
