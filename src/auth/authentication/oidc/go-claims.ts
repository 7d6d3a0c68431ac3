/** Claims as texts, and what the reference says of those that are none. */
import type { JsonMembers } from '../json-web-token.ts';

/** A claim that is not as it should be. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError';
}

/** How a value of JSON is called that is of another type. */
export function goWord(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

export function hasClaim(claims: JsonMembers, claim: string): boolean {
  return Object.hasOwn(claims, claim);
}

/** Throws ClaimError. */
export function textOf(claims: JsonMembers, claim: string): string {
  return presentText(presentValue(claims, claim));
}

/** Throws ClaimError. */
export function truthOf(claims: JsonMembers, claim: string): boolean {
  const value = presentValue(claims, claim) ?? false;
  if (typeof value === 'boolean') return value;
  throw new ClaimError(`json: cannot unmarshal ${goWord(value)} into Go value of type bool`);
}

/** A text alone is a list of one. Throws ClaimError. */
export function textsOf(claims: JsonMembers, claim: string): readonly string[] {
  const value = presentValue(claims, claim);
  if (value === null) return [];
  if (!Array.isArray(value)) return [presentText(value)];
  const texts = value.map((item: unknown) => item ?? '');
  return texts.every((item) => typeof item === 'string') ? texts : [presentText(value)];
}

function presentValue(claims: JsonMembers, claim: string): unknown {
  if (!hasClaim(claims, claim)) throw new ClaimError('claim not present');
  return claims[claim];
}

function presentText(value: unknown): string {
  const text = value ?? '';
  if (typeof text === 'string') return text;
  throw new ClaimError(`json: cannot unmarshal ${goWord(text)} into Go value of type string`);
}
