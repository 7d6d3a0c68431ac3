/** Numbers and times for people. */

/** `12`, `1.5 k`, `23 M`: three digits are enough at a glance. */
export function shortNumber(value: number): string {
  const units = ['', ' k', ' M', ' G'];
  let at = 0;
  let rest = value;
  while (Math.abs(rest) >= 1_000 && at < units.length - 1) {
    rest /= 1_000;
    at += 1;
  }
  const digits = Math.abs(rest) >= 100 || Number.isInteger(rest) ? 0 : 1;
  return `${rest.toFixed(digits)}${units[at]}`;
}

/** `3.1 MB`. */
export function bytes(value: number): string {
  return `${shortNumber(value)}${value >= 1_000 ? '' : ' '}B`;
}

/** Seconds as `0.4 ms`, `12 ms`, `1.2 s`, `3 min`. */
export function duration(seconds: number): string {
  if (seconds >= 120) return `${Math.round(seconds / 60)} min`;
  if (seconds >= 1) return `${seconds.toFixed(1)} s`;
  const ms = seconds * 1_000;
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

/** The time of day; '' of none. */
export function timeOfDay(time: string | number | undefined): string {
  if (time === undefined || time === '') return '';
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toLocaleTimeString();
}
