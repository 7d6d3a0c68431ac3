/**
 * Users that a proxy in front of this server has authenticated, and names in headers
 * (../README.md#front-proxy). The proxy is known by its certificate alone.
 */
import { AuthenticationError } from '../authenticator.ts';
import type { Authenticated, Credentials } from '../authenticator.ts';
import { knownUser } from './users.ts';

/** Names of headers are in lower case. */
export interface FrontProxySettings {
  /** Common names of certificates; empty for any. */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/** Undefined where no certificate or no user is shown; throws AuthenticationError for strangers. */
export function proxiedUser(
  settings: FrontProxySettings,
  credentials: Credentials,
): Authenticated | undefined {
  const { certificate } = credentials;
  if (certificate === undefined) return undefined;
  const { commonName, signedBy } = certificate;
  if (!signedBy.frontProxy) {
    throw new AuthenticationError('the certificate is signed by an unknown authority');
  }
  const { allowedNames, userHeaders, groupHeaders } = settings;
  if (allowedNames.length > 0 && !allowedNames.includes(commonName)) {
    throw new AuthenticationError('the name of the certificate is not in the allowed list');
  }
  const name = userHeaders.map((header) => credentials.headers(header)[0] ?? '').find(Boolean);
  if (name === undefined) return undefined;
  const groups = groupHeaders
    .flatMap((header) => credentials.headers(header))
    .filter((group) => group !== '');
  const extra = extraOf(settings, credentials);
  return { user: knownUser({ name, uid: '', groups, ...(extra && { extra }) }) };
}

function extraOf(
  { extraPrefixes }: FrontProxySettings,
  credentials: Credentials,
): Record<string, string[]> | undefined {
  const extra = new Map<string, string[]>();
  for (const prefix of extraPrefixes) {
    for (const header of credentials.headerNames()) {
      if (!header.startsWith(prefix)) continue;
      const key = unescaped(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...credentials.headers(header)]);
    }
  }
  return extra.size === 0 ? undefined : Object.fromEntries(extra);
}

/** Keys have characters that header names cannot have; one that is none is taken as it is. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
