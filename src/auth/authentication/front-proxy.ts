/**
 * Users that a proxy in front of this server has authenticated, and names in headers
 * (../README.md#front-proxy). The proxy is known by its certificate alone.
 */
import { ConfigError } from '../../base/options/config-error.ts';
import { listOf } from '../../base/options/option-values.ts';
import { AuthenticationError } from '../authenticator.ts';
import type { Authenticated, Credentials } from '../authenticator.ts';
import { authenticator } from './authenticator-entry.ts';
import { knownUser } from './users.ts';

const AUTHORITY = 'requestheader-client-ca-file';
const ALLOWED = 'requestheader-allowed-names';
const USERS = 'requestheader-username-headers';
const GROUPS = 'requestheader-group-headers';
const EXTRA = 'requestheader-extra-headers-prefix';

/** Names of headers are in lower case. */
export interface FrontProxySettings {
  /** Common names of certificates; empty for any. */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

interface FrontProxyConfig extends FrontProxySettings {
  /** '' where no proxy is trusted. */
  readonly authorityFile: string;
}

export const frontProxy = authenticator({
  flags: {
    [AUTHORITY]: {
      value: 'FILE',
      preset: '',
      help: 'authorities (PEM) of proxies that name users in headers',
    },
    [ALLOWED]: {
      value: 'LIST',
      preset: '',
      isMany: true,
      help: 'common names of their certificates; any if none',
    },
    [USERS]: {
      value: 'LIST',
      preset: '',
      isMany: true,
      help: 'headers that name the user, such as X-Remote-User',
    },
    [GROUPS]: {
      value: 'LIST',
      preset: '',
      isMany: true,
      help: 'headers that name groups, such as X-Remote-Group',
    },
    [EXTRA]: {
      value: 'LIST',
      preset: '',
      isMany: true,
      help: 'what headers with more begin with, such as X-Remote-Extra-',
    },
  },
  read: (values): FrontProxyConfig => {
    const headers = (flag: typeof USERS | typeof GROUPS | typeof EXTRA): readonly string[] =>
      listOf(flag, values[flag]).map((header) => header.toLowerCase());
    return {
      authorityFile: values[AUTHORITY],
      allowedNames: listOf(ALLOWED, values[ALLOWED]),
      userHeaders: headers(USERS),
      groupHeaders: headers(GROUPS),
      extraPrefixes: headers(EXTRA),
    };
  },
  /** The listener has the authority itself: it verifies certificates. */
  load: ({ authorityFile, ...settings }): FrontProxySettings | undefined => {
    if (authorityFile === '') return undefined;
    if (settings.userHeaders.length > 0) return settings;
    throw new ConfigError(`--${AUTHORITY} needs --${USERS}, such as X-Remote-User`);
  },
  make: (settings) => ({ ofRequest: (credentials) => proxiedUser(settings, credentials) }),
});

/** Undefined where no certificate or no user is shown; throws AuthenticationError for strangers. */
function proxiedUser(
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
