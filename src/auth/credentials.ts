/** The admin's token and kubeconfig, made on the first start. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlText } from '../codec/yaml/yaml-text.ts';
import { OwnFileError, readOwn, writePrivate } from './own-files.ts';

export interface KubeconfigOptions {
  readonly dataDir: string;
  /** Where clients reach the server: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The certificate that they are to trust; '' without HTTPS. */
  readonly authorityFile: string;
}

const TOKEN_BYTES = 32;
/** The shortest token that somebody may choose: a shorter one could be found by trying. */
const TOKEN_CHARACTERS_MIN = 16;
const TOKEN = new RegExp(`^[!-~]{${TOKEN_CHARACTERS_MIN},}$`);

/** Where the admin's credentials are. */
export function credentialFiles(dataDir: string): { tokenFile: string; kubeconfig: string } {
  return {
    tokenFile: join(dataDir, 'admin.token'),
    kubeconfig: join(dataDir, 'admin.kubeconfig'),
  };
}

/** Whether a text can be the token of the administrator. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Reads the token, or makes one. Throws OwnFileError where what is there is none. */
export function adminToken(dataDir: string): string {
  const { tokenFile: file } = credentialFiles(dataDir);
  const stored = readOwn(file)?.trim() ?? '';
  if (isToken(stored)) return stored;
  if (stored !== '') {
    throw new OwnFileError(
      `${file} holds no token of ${TOKEN_CHARACTERS_MIN} or more letters, digits and signs: ` +
        'restore it, or remove it to get a new one',
    );
  }
  // In base64 it could begin with a dash, which command lines take for an option.
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  writePrivate(file, `${token}\n`);
  return token;
}

/** Writes `admin.kubeconfig` where it is missing or says something else. */
export function adminKubeconfig(options: KubeconfigOptions, token: string): string {
  const { kubeconfig: file } = credentialFiles(options.dataDir);
  const text = kubeconfigText(options, 'admin', { token });
  if (readOwn(file) !== text) writePrivate(file, text);
  return file;
}

/** A kubeconfig for one user of one server; `credentials` is what it says of the user. */
export function kubeconfigText(
  { server, authorityFile }: Pick<KubeconfigOptions, 'server' | 'authorityFile'>,
  user: string,
  credentials: Readonly<Record<string, string>>,
): string {
  const name = 'shardplane';
  const authority =
    authorityFile === ''
      ? {}
      : { 'certificate-authority-data': readFileSync(authorityFile).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...authority } }],
    users: [{ name: user, user: credentials }],
    contexts: [{ name, context: { cluster: name, user } }],
    'current-context': name,
  };
  return yamlText(JSON.stringify(config));
}
