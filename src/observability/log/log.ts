/** Lines on stderr: what the server tells of itself (src/observability/README.md#the-log). */

export const LOG_FORMATS = ['text', 'json'] as const;

/** The settings of the log; plain data, for every thread. */
export interface LogSettings {
  readonly format: (typeof LOG_FORMATS)[number];
}

export type LogLevel = 'error' | 'info';

/** Further members of a line, for programs. */
export type LogMembers = Readonly<Record<string, unknown>>;

let chosen: LogSettings = { format: 'text' };

/** Chooses how this thread writes lines; it is text where nobody chooses. */
export function chooseLog(settings: LogSettings): void {
  chosen = settings;
}

/** Writes a line; `actor` is who says it, '' for the server as a whole. */
export function writeLog(
  level: LogLevel,
  text: string,
  { actor = '', members = {} }: { readonly actor?: string; readonly members?: LogMembers } = {},
): void {
  process.stderr.write(`${lineOf(chosen, level, text, actor, members)}\n`);
}

function lineOf(
  { format }: LogSettings,
  level: LogLevel,
  text: string,
  actor: string,
  members: LogMembers,
): string {
  if (format === 'text') return `shardplane${actor === '' ? '' : ` ${actor}`}: ${quiet(text)}`;
  const who = actor === '' ? {} : { actor };
  return JSON.stringify({ ts: Date.now(), level, ...who, msg: text, ...members });
}

/**
 * Escapes text of webhooks, so that it cannot look like a line of the server, or move a terminal.
 */
function quiet(text: string): string {
  return text.replaceAll(/\r?\n(?! )/g, '\n    ').replaceAll(/(?![\t\n])\p{Cc}/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Logs an error without members for programs. */
export function logError(text: string): void {
  writeLog('error', text);
}

export function logInfo(text: string): void {
  writeLog('info', text);
}
