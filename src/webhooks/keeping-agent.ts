/** Connections over HTTPS to servers that answer for this one: they are kept, and verified. */
import type { Agent, AgentOptions } from 'node:https';
import type { PeerCertificate } from 'node:tls';
import { WEBHOOK_IDLE_MS_MAX } from './limits.ts';
import { COMMON_NAME_ALONE } from './webhook-errors.ts';

/** Keeps connections for a while. Not imported before: it loads Node's HTTP client. */
export function keepingAgent(options: AgentOptions = {}): Agent {
  const https = process.getBuiltinModule('node:https');
  return new https.Agent({
    keepAlive: true,
    timeout: WEBHOOK_IDLE_MS_MAX,
    // Connections are used again only where this is the agent's, and not the request's.
    checkServerIdentity,
    ...options,
  });
}

/**
 * The options of a connection that trusts an authority (PEM); '' for those that the runtime trusts.
 * As in the reference what is in the bundle is trusted, signed by another or not.
 */
export function trusting(authority: string): {
  readonly ca?: string;
  readonly allowPartialTrustChain?: true;
} {
  return authority === '' ? {} : { ca: authority, allowPartialTrustChain: true };
}

/** As the runtime does it, but that a common name is no name of a server. */
function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const error = process.getBuiltinModule('node:tls').checkServerIdentity(host, certificate);
  if (error !== undefined || certificate.subjectaltname !== undefined) return error;
  return Object.assign(new Error('no names'), { code: COMMON_NAME_ALONE });
}
