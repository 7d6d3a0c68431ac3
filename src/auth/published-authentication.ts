/**
 * By what other servers of the API know clients of this one, and the proxies that speak for them
 * (README.md#front-proxy): the data of the ConfigMap `extension-apiserver-authentication`.
 */

/** The name of a proxy that may speak for others, where none is configured. */
export const FRONT_PROXY = 'front-proxy-client';

/** PEM; '' where there is none. */
export interface PublishedAuthorities {
  /** The server's own. */
  readonly own: string;
  /** The authorities of the options, for clients. */
  readonly clients: string;
  /** The authorities of the options, for proxies, with the headers that proxies send. */
  readonly proxies: string;
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/**
 * Where the options name no proxies, the own authority vouches for the one of a name that it signs
 * for nobody who asks.
 */
export function publishedAuthentication(
  given: PublishedAuthorities,
): Readonly<Record<string, string>> {
  const { own, clients, proxies } = given;
  const clientAuthority = clients === '' ? own : clients;
  const trusted = proxies === '' ? ownProxies(own) : given;
  return {
    ...(clientAuthority !== '' && { 'client-ca-file': clientAuthority }),
    ...(trusted.proxies !== '' && {
      'requestheader-allowed-names': JSON.stringify(trusted.allowedNames),
      'requestheader-client-ca-file': trusted.proxies,
      'requestheader-extra-headers-prefix': JSON.stringify(trusted.extraPrefixes),
      'requestheader-group-headers': JSON.stringify(trusted.groupHeaders),
      'requestheader-username-headers': JSON.stringify(trusted.userHeaders),
    }),
  };
}

function ownProxies(own: string): Omit<PublishedAuthorities, 'own' | 'clients'> {
  return {
    proxies: own,
    allowedNames: [FRONT_PROXY],
    userHeaders: ['X-Remote-User'],
    groupHeaders: ['X-Remote-Group'],
    extraPrefixes: ['X-Remote-Extra-'],
  };
}
