/** The server's self-signed certificate, made on the first start when none is given. */
import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isIP } from 'node:net';
import { writePrivate } from './credentials.ts';

const VALID_DAYS = 3_650;
const DAY_MS = 86_400_000;

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** `tls.crt` and `tls.key` in the data folder, for the loopback names and `bindAddress`. */
export async function selfSignedCertificate(
  dataDir: string,
  bindAddress: string,
): Promise<CertificateFiles> {
  const files = { certFile: join(dataDir, 'tls.crt'), keyFile: join(dataDir, 'tls.key') };
  if (existsSync(files.certFile) && existsSync(files.keyFile)) return files;
  // Only the first start needs it, and loading it takes longer than the rest of a start.
  const { generate } = await import('selfsigned');
  const names = new Set(['localhost', hostname()]);
  const addresses = new Set(['127.0.0.1', '::1']);
  if (isIP(bindAddress) === 0) names.add(bindAddress);
  else addresses.add(bindAddress);
  const pems = await generate([{ name: 'commonName', value: 'shardplane' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...[...names].map((value) => ({ type: 2 as const, value })),
          ...[...addresses].map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  writePrivate(files.keyFile, pems.private);
  writeFileSync(files.certFile, pems.cert);
  return files;
}
