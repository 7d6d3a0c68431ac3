/** Reads the file of `--authentication-config` (README.md). */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../../base/options/config-error.ts';
import { ConfigDocumentError, readConfigDocument } from '../../../codec/yaml/config-document.ts';
import { aggregateText } from '../../../semantics/errors/aggregate-text.ts';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { authenticationErrors, jwtErrors, type JwtRules } from './jwt-errors.ts';
import { AUTHENTICATION_FORM, type AuthenticationDocument } from './jwt-form.ts';
import type { Compile } from './mapping-errors.ts';
import { hasExpressions } from './oidc-issuers.ts';

export type FileRules = Omit<JwtRules, 'compile'>;

/** Throws ConfigError, in one line. */
export function jwtFileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file or directory' : (error as Error).message;
    throw new ConfigError(`open ${file}: ${why}`);
  }
}

/** Throws ConfigError, in one line. */
export function decodeJwtFile(text: string): AuthenticationDocument {
  if (text === '') throw new ConfigError('empty config data');
  try {
    return readConfigDocument(text, AUTHENTICATION_FORM);
  } catch (error) {
    if (!(error instanceof ConfigDocumentError)) throw error;
    const lines = error.message.split('\n').map((line) => line.trim());
    throw new ConfigError(lines.join(' '));
  }
}

/** What is wrong with what a file says, and in the words of a running server. */
export async function jwtFileProblems(
  document: AuthenticationDocument,
  rules: FileRules,
): Promise<readonly string[]> {
  const compile = await compileOf(document);
  return texts(authenticationErrors(document, { ...rules, compile }));
}

/** What is wrong with an issuer when it is made. Throws ConfigError, in one line. */
export async function checkIssuers(
  document: AuthenticationDocument,
  rules: FileRules,
): Promise<void> {
  const compile = await compileOf(document);
  for (const one of document.jwt ?? []) {
    const problems = texts(jwtErrors(one ?? {}, '', { ...rules, compile }));
    if (problems.length > 0) throw new ConfigError(aggregateText(problems));
    const { egressSelectorType: egress = '' } = one?.issuer ?? {};
    // There is no other way to issuers than that to everything else.
    if (egress === '') continue;
    throw new ConfigError(`oidc: egress lookup required with egress selector type "${egress}"`);
  }
}

/** The code that reads expressions is loaded where there are some. */
async function compileOf({ jwt }: AuthenticationDocument): Promise<Compile> {
  if (jwt?.some((one) => hasExpressions(one ?? {}))) {
    return (await import('./claim-programs.ts')).compileClaim;
  }
  return () => ({ problem: '', uses: { email: false, verified: false } });
}

function texts(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ field, message }) => {
    // What follows shows where in the expression it is, on lines of its own.
    return `${field}: ${message.replaceAll(/\n \|.*/g, '')}`;
  });
}
