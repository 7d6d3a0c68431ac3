/** Values of options, as several parts of the server read theirs. All throw ConfigError. */
import { ConfigError } from './config-error.ts';

const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
/** The longest time that a timer can wait. */
const DURATION_MS_MAX = 0x7fffffff;

export function durationOf(name: string, value: string, msMax = DURATION_MS_MAX): number {
  const match = /^([0-9]+)(ms|s|m|h)$/.exec(value);
  const ms = Number(match?.[1]) * (DURATION_UNITS_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (Number.isNaN(ms) || ms > msMax) {
    const hoursMax = Math.floor(msMax / 3_600_000);
    throw new ConfigError(
      `--${name} is "${value}": give a whole number with ms, s, m or h, up to ${hoursMax}h`,
    );
  }
  return ms;
}

export function switchOf(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new ConfigError(`--${name} is "${value}": give true or false`);
}

/** The members of a list with commas between, from one flag or several. */
export function listOf(name: string, value: string): readonly string[] {
  if (value === '') return [];
  const members = value.split(/[,\n]/).map((member) => member.trim());
  if (members.includes('')) throw new ConfigError(`--${name} is "${value}": a member is empty`);
  return members;
}

/** The values of an option that was given several times. */
export function linesOf(value: string): readonly string[] {
  return value.split('\n').filter((line) => line !== '');
}

/** A URL, or ''. */
export function httpsOf(name: string, value: string): string {
  if (value === '' || (URL.canParse(value) && new URL(value).protocol === 'https:')) return value;
  throw new ConfigError(`--${name} is "${value}": give an https URL`);
}
