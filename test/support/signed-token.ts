import { createHmac, createPrivateKey, sign } from 'node:crypto';

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token with any claims, and a header as it is, signed with a private key on a curve. */
export function signedToken(pem: string, header: string, claims: object): string {
  return signedText(pem, `${header}.${encoded(claims)}`);
}

/** Signs parts that need not be what they should. */
export function signedText(pem: string, signed: string): string {
  const key = { key: createPrivateKey(pem), dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** A token that is signed by who knows only the public key: with it as if it were a secret. */
export function macToken(publicPem: string, header: object, claims: object): string {
  const signed = `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', publicPem).update(signed).digest('base64url')}`;
}
