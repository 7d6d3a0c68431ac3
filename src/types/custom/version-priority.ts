/** Ranks the versions of a group as clients prefer them, by their names alone. */
import { compareTexts } from '../../base/text/compare-texts.ts';

interface ParsedVersion {
  /** Larger is more stable. */
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const STABILITIES = ['alpha', 'beta', ''] as const;
/** At most as many digits as a number holds exactly. */
const CONVENTIONAL = /^v(\d{1,15})(?:(alpha|beta)(\d{1,15}))?$/;

/**
 * Negative when the first version is preferred: stable before beta before alpha, then the newer
 * first; unconventional names last, by name.
 */
export function compareVersionNames(one: string, other: string): number {
  const a = parseVersion(one);
  const b = parseVersion(other);
  if (a === undefined || b === undefined) {
    return Number(a === undefined) - Number(b === undefined) || compareTexts(one, other);
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

function parseVersion(version: string): ParsedVersion | undefined {
  const match = CONVENTIONAL.exec(version);
  if (match === null) return undefined;
  const [, major, word = '', minor = 0] = match;
  const stability = STABILITIES.findIndex((one) => one === word);
  return { stability, major: Number(major), minor: Number(minor) };
}
