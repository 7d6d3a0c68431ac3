/** The server to soak: where it is, how to trust it, and who the clients are. */
import { createSecureContext } from 'node:tls';
import type { SecureContext, SecureContextOptions } from 'node:tls';

export interface Credentials {
  /** '' for none. */
  readonly token: string;
  /** PEM texts; '' for none. */
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly skipTlsVerify: boolean;
  /** The name in the server's certificate, where it is not the host; '' for the host. */
  readonly tlsServerName: string;
}

export interface TlsTarget {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  readonly servername: string;
}

export interface Target {
  /** As the user gave it, for people. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsTarget | undefined;
  /** The beginning of every path; '' mostly. */
  readonly basePath: string;
  /** The lines of the head that every request has. */
  readonly commonHead: string;
}

/** The user's options do not lead to a server; the message is one line for them. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** Throws `TargetError`. */
export function targetFrom(server: string, credentials: Credentials): Target {
  let url: URL;
  try {
    url = new URL(server);
  } catch {
    throw new TargetError(`"${server}" is no URL: give one such as http://127.0.0.1:8080`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TargetError(`"${server}" is not a URL that begins with http:// or https://`);
  }
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const { token } = credentials;
  if (/[\r\n]/.test(token)) throw new TargetError('the token has more than one line');
  const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
  return {
    url: server,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    tls: isSecure ? tlsTarget(host, credentials) : undefined,
    basePath: url.pathname.replace(/\/+$/, ''),
    commonHead: `Host: ${url.host}\r\nUser-Agent: shardplane-soak\r\n${authorization}`,
  };
}

function tlsTarget(host: string, credentials: Credentials): TlsTarget {
  const { certificateAuthority, clientCertificate, clientKey } = credentials;
  const options: SecureContextOptions = {
    ...(certificateAuthority === '' ? {} : { ca: certificateAuthority }),
    ...(clientCertificate === '' ? {} : { cert: clientCertificate, key: clientKey }),
  };
  let secureContext: SecureContext;
  try {
    secureContext = createSecureContext(options);
  } catch (error) {
    throw new TargetError(`the certificates cannot be used: ${(error as Error).message}`);
  }
  return {
    secureContext,
    rejectUnauthorized: !credentials.skipTlsVerify,
    servername: credentials.tlsServerName || host,
  };
}
