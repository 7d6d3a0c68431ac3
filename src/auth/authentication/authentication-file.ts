/**
 * The file of `--authentication-config` (oidc/README.md): it names issuers of tokens, and says what
 * is open to those who show nothing.
 */
import { configurationText } from '../configuration/configuration-file.ts';
import { ConfigError } from '../../base/options/config-error.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import type { AnonymousConfig } from './anonymous.ts';
import type { OidcConfig } from './oidc/entry.ts';
import type { AuthenticationDocument } from './oidc/jwt-form.ts';
import { issuersIn, reloadJwtFile, type JwtReloadOptions } from './oidc/jwt-reload.ts';
import { checkIssuers, decodeJwtFile, jwtFileProblems } from './oidc/read-jwt-file.ts';
import { defaultIssuer } from './service-accounts/account-tokens.ts';

export { reloadJwtFile };

/** The options that it goes with. */
interface FileOptions {
  readonly oidc: OidcConfig;
  readonly anonymous: AnonymousConfig;
  readonly serviceAccounts: { readonly issuers: readonly string[] };
}

/** The file as it was at the start, and the options that it makes. */
export interface AuthenticationFile<Options> extends Pick<
  JwtReloadOptions,
  'file' | 'text' | 'document' | 'rules'
> {
  readonly config: Options;
}

/** Rejects with ConfigError, in one line. */
export async function readAuthenticationFile<Options extends FileOptions>(
  config: Options,
  gates: FeatureGates,
): Promise<AuthenticationFile<Options>> {
  const { file } = config.oidc;
  const { text, document } = readFile(file);
  const { anonymous } = document;
  if (anonymous && config.anonymous.isGiven) {
    throw new ConfigError(
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is ' +
        'configured in authentication configuration file',
    );
  }
  const problems = await jwtFileProblems(document, { gates, ownIssuers: [] });
  if (problems.length > 0) {
    throw new ConfigError(`invalid authentication configuration: ${aggregateText(problems)}`);
  }
  const { issuers } = config.serviceAccounts;
  const ownIssuers = issuers.length > 0 ? issuers : [defaultIssuer(ownDialect())];
  const rules = { gates, ownIssuers };
  await checkIssuers(document, rules);
  const oidc = { ...config.oidc, issuers: issuersIn(document) };
  const known = { ...config, oidc, anonymous: anonymousOf(document) ?? config.anonymous };
  return { file, text, document, rules, config: known };
}

function readFile(file: string): { text: string; document: AuthenticationDocument } {
  try {
    const text = configurationText(file);
    return { text, document: decodeJwtFile(text) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const start = `failed to load authentication configuration from file "${file}"`;
    throw new ConfigError(`${start}: ${error.message}`);
  }
}

function anonymousOf({ anonymous }: AuthenticationDocument): AnonymousConfig | undefined {
  if (!anonymous) return undefined;
  const { enabled = false, conditions } = anonymous;
  const paths = (conditions ?? []).map((one) => one?.path ?? '');
  return { isAllowed: enabled, isGiven: false, paths };
}
