/**
 * The string formats that `proto/` may name in its `format` and `key_format` options. A check
 * returns the problems of a value (../README.md#names); the validator compiles `isValid` in.
 */
import { configKey, dnsLabel, dnsSubdomain, labelValue, qualifiedName } from '../metadata/names.ts';

export type FormatCheck = (value: string) => readonly string[];

export const FORMAT_CHECKS: Readonly<Record<string, FormatCheck>> = {
  'dns-subdomain': (value) => dnsSubdomain(value),
  'dns-label': (value) => dnsLabel(value),
  'config-key': configKey,
  'qualified-name': qualifiedName,
  'label-value': labelValue,
};

/** The checks as yes or no, by the same names: the generated validators import it. */
export const FORMATS: Readonly<Record<string, (value: string) => boolean>> = Object.fromEntries(
  Object.entries(FORMAT_CHECKS).map(([name, check]) => [
    name,
    (value: string) => check(value).length === 0,
  ]),
);
