/** Reads the file of `--authentication-config` (README.md). */
import { ConfigError } from '../../../base/options/config-error.ts';
import { aggregateText } from '../../../semantics/errors/aggregate-text.ts';
import {
  configurationDocument,
  configurationProblems,
} from '../../configuration/configuration-file.ts';
import { authenticationErrors, jwtErrors, type JwtRules } from './jwt-errors.ts';
import { AUTHENTICATION_FORM, type AuthenticationDocument } from './jwt-form.ts';
import type { Compile } from './mapping-errors.ts';
import { hasExpressions } from './oidc-issuers.ts';

export type FileRules = Omit<JwtRules, 'compile'>;

/** Throws ConfigError, in one line. */
export function decodeJwtFile(text: string): AuthenticationDocument {
  if (text === '') throw new ConfigError('empty config data');
  return configurationDocument(text, AUTHENTICATION_FORM);
}

/** Finds errors in a file, in the words of a running server. */
export async function jwtFileProblems(
  document: AuthenticationDocument,
  rules: FileRules,
): Promise<readonly string[]> {
  const compile = await compileOf(document);
  return configurationProblems(authenticationErrors(document, { ...rules, compile }));
}

/** Makes an issuer, to see that it can be made. Throws ConfigError, in one line. */
export async function checkIssuers(
  document: AuthenticationDocument,
  rules: FileRules,
): Promise<void> {
  const compile = await compileOf(document);
  for (const one of document.jwt ?? []) {
    const problems = configurationProblems(jwtErrors(one ?? {}, '', { ...rules, compile }));
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
