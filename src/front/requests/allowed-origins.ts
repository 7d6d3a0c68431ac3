/** Origins whose pages may use the API, by the regular expressions of the options. */
import { re2Package } from '../../base/text/re2.ts';
import type { AllowsOrigin } from './browser-pages.ts';

/** One that matches anywhere in an origin allows it, as in the reference. */
export function allowedOrigins(patterns: readonly string[]): AllowsOrigin {
  const expressions = patterns.map((pattern) => re2Package().RE2JS.compile(pattern));
  return (origin) => expressions.some((expression) => expression.matcher(origin).find());
}
