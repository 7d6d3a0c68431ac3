/** The user that the claims of a token tell of (../../README.md#issuers-of-tokens). */
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { ownRelease } from '../../../release/release.ts';
import type { User } from '../../../semantics/user.ts';
import { AuthenticationError } from '../../authenticator.ts';
import { CREDENTIAL_ID, tokenCredentialId } from '../credential-id.ts';
import type { JsonMembers } from '../json-web-token.ts';
import { knownUser } from '../users.ts';
import type { ClaimPrograms, ClaimResults } from './claim-programs.ts';
import { ClaimError, hasClaim, textOf, textsOf, truthOf } from './go-claims.ts';
import type { JwtDocument } from './jwt-form.ts';

const TELLS_ID = ownRelease().has('credentialIdsTold');

/** `programs` are those of the issuer, where it has expressions. Throws AuthenticationError. */
export function tokenUser(
  claims: JsonMembers,
  jwt: JwtDocument,
  programs: ClaimPrograms | undefined,
): User {
  const results = programs?.of(claims);
  const name = nameOf(claims, jwt, results);
  const groups = groupsOf(claims, jwt, results);
  const uid = uidOf(claims, jwt, results);
  const extra = { ...idOf(claims), ...results?.extra() };
  checkRequired(claims, jwt);
  results?.checkClaims();
  const user = { name, uid, groups, ...(Object.keys(extra).length > 0 && { extra }) };
  programs?.checkUser(user);
  return knownUser(user);
}

function nameOf(
  claims: JsonMembers,
  { claimMappings }: JwtDocument,
  results: ClaimResults | undefined,
): string {
  const told = results?.text('username');
  if (told === '') throw problem('empty username via CEL expression is not allowed');
  if (told !== undefined) return told;
  const { claim = '', prefix } = claimMappings?.username ?? {};
  const name = told ?? read(`parse username claims ${quoteText(claim)}`, textOf, claims, claim);
  if (claim === 'email' && hasClaim(claims, 'email_verified')) {
    const isVerified = read("parse 'email_verified' claim", truthOf, claims, 'email_verified');
    if (!isVerified) throw problem('email not verified');
  }
  return `${prefix ?? ''}${name}`;
}

function groupsOf(
  claims: JsonMembers,
  { claimMappings }: JwtDocument,
  results: ClaimResults | undefined,
): readonly string[] {
  const { claim = '', prefix } = claimMappings?.groups ?? {};
  if (claim === '' || !hasClaim(claims, claim)) return results?.groups() ?? [];
  const groups = read(`parse groups claim ${quoteText(claim)}`, textsOf, claims, claim);
  return groups.map((group) => `${prefix ?? ''}${group}`);
}

function uidOf(
  claims: JsonMembers,
  { claimMappings }: JwtDocument,
  results: ClaimResults | undefined,
): string {
  const { claim = '' } = claimMappings?.uid ?? {};
  if (claim === '') return results?.text('uid') ?? '';
  return read(`parse uid claim ${quoteText(claim)}`, textOf, claims, claim);
}

function idOf({ jti }: JsonMembers): Record<string, readonly string[]> {
  const tellsId = TELLS_ID && typeof jti === 'string' && jti !== '';
  return tellsId ? { [CREDENTIAL_ID]: [tokenCredentialId(jti)] } : {};
}

function checkRequired(claims: JsonMembers, { claimValidationRules }: JwtDocument): void {
  for (const rule of claimValidationRules ?? []) {
    const { claim = '', requiredValue: value = '' } = rule ?? {};
    if (claim === '') continue;
    if (!hasClaim(claims, claim)) {
      throw problem(`required claim ${claim} not present in ID token`);
    }
    const found = read(`parse claim ${claim}`, textOf, claims, claim);
    if (found === value) continue;
    throw problem(`required claim ${claim} value does not match. Got = ${found}, want = ${value}`);
  }
}

function read<Value>(
  what: string,
  of: (claims: JsonMembers, claim: string) => Value,
  claims: JsonMembers,
  claim: string,
): Value {
  try {
    return of(claims, claim);
  } catch (error) {
    if (!(error instanceof ClaimError)) throw error;
    throw problem(`${what}: ${error.message}`);
  }
}

function problem(what: string): AuthenticationError {
  return new AuthenticationError(`oidc: ${what}`);
}
