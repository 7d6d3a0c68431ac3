/** The command `--write-client-cert`: a certificate and a kubeconfig for somebody. */
import { basename, dirname } from 'node:path';
import { writeClientCredentials } from './auth/client-credentials.ts';
import type { ClientName } from './auth/client-credentials.ts';
import { ConfigError } from './base/options/config-error.ts';
import type { Config } from './config/config.ts';
import { reachOf, withBoundAddress } from './server-addresses.ts';

/**
 * Gives what is to be told about the files that it wrote. Works beside a server of the folder.
 * Throws ConfigError and CertificateError.
 */
export async function writeClientCertificate(
  given: Config,
  { user, groups }: ClientName,
): Promise<string> {
  const config = await withBoundAddress(given);
  const { dataDir, signing, tls, securePort } = config;
  if (securePort === 0) {
    throw new ConfigError('--write-client-cert needs HTTPS: give a --secure-port that is not 0');
  }
  const files = await writeClientCredentials({
    user,
    groups,
    signing: { dataDir, ...signing },
    server: reachOf(config, '').https,
    authorityFile: tls.certFile,
    nowMs: Date.now(),
  });
  const { certFile, keyFile, kubeconfig, signerFile, validToMs } = files;
  const names = [kubeconfig, certFile, keyFile].map((file) => basename(file)).join(', ');
  const member = groups.length === 0 ? '' : ` in ${groups.join(', ')}`;
  const day = new Date(validToMs).toISOString().slice(0, 10);
  return (
    `shardplane wrote ${names} into ${dirname(kubeconfig)}: ${user}${member}, until ${day}, ` +
    `known to a server with --client-ca-file ${signerFile}\n`
  );
}
