/** How the program ends when it cannot go on. */
import { endNow } from './end-process.ts';
import { logError } from './observability/log/log.ts';

/** Failures that a user can mend: shown as one line, without a stack. */
const USER_ERRORS: ReadonlySet<string> = new Set([
  'ConfigError',
  'RuntimeConfigError',
  'StoreError',
  'OwnFileError',
  'TokenFileError',
  'CertificateError',
  'TlsFileError',
  'ListenError',
  'AuditLogError',
]);

/** Says on stderr why, and ends the process with code 1. */
export function fail(error: Error): never {
  const text = USER_ERRORS.has(error.name) ? error.message : (error.stack ?? error.message);
  logError(text);
  endNow(1);
}

/** Makes an Error of a thrown value, which may be anything. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
