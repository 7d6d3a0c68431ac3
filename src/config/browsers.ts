/** Options about pages in browsers. */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { re2Package } from '../base/text/re2.ts';
import { parsedOf } from './values.ts';

export const BROWSER_FLAGS = {
  'cors-allowed-origins': {
    value: 'PATTERNS',
    preset: '',
    help: 'pages from elsewhere that may use the API: regular expressions, with commas between',
  },
  'strict-transport-security-directives': {
    value: 'LIST',
    preset: '',
    help: 'tell browsers to use HTTPS only, such as max-age=31536000,includeSubDomains',
  },
} as const satisfies Record<string, Flag>;

export interface BrowserConfig {
  /** Regular expressions (RE2) of origins; pages of no other one may use the API. */
  readonly allowedOrigins: readonly string[];
  /** The value of the header `Strict-Transport-Security`; '' for none. */
  readonly transportSecurity: string;
}

/** Throws ConfigError. */
export function browserConfig(values: FlagValues<typeof BROWSER_FLAGS>): BrowserConfig {
  const origins = values['cors-allowed-origins'];
  const directives = values['strict-transport-security-directives'];
  return {
    allowedOrigins: parsedOf('cors-allowed-origins', origins, patternsOf),
    transportSecurity: directives === '' ? '' : directives.split(',').map(directive).join('; '),
  };
}

function patternsOf(list: string): readonly string[] {
  const patterns = list === '' ? [] : list.split(',');
  for (const pattern of patterns) re2Package().RE2JS.compile(pattern);
  return patterns;
}

function directive(text: string): string {
  if (/^(?:includeSubDomains|preload|max-age=[^=]*)$/.test(text)) return text;
  throw new ConfigError(
    `--strict-transport-security-directives has "${text}": ` +
      'give max-age=SECONDS, includeSubDomains and preload',
  );
}
