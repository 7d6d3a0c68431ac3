/** The page of a browser at `/`: what this server is, and where to go on. */
import type { Dialect } from '../../semantics/dialect/dialect.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-files.ts';
import { acceptClauses, takesType } from '../requests/accept.ts';

export interface RootPage {
  /** The version of the program. */
  readonly version: string;
  readonly apiDomain: Dialect['domain'];
  /** Where clients reach it: `http://127.0.0.1:8080`. */
  readonly addresses: readonly string[];
  /** Commands to begin with. */
  readonly commands: readonly string[];
}

export const HTML_TYPE = 'text/html; charset=utf-8';
/** The page needs its own script and style, and asks this server alone. */
export const PAGE_HEADERS = {
  Vary: 'Accept',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const LINKS = [
  ['/api', 'the core group'],
  ['/apis', 'all other groups'],
  ['/openapi/v2', 'OpenAPI 2, one document'],
  ['/openapi/v3', 'OpenAPI 3, one document for each group version'],
  ['/healthz', 'health'],
  ['/readyz', 'whether it takes requests'],
  ['/version', 'the release that it behaves like'],
] as const;
/** Those that need no token. */
const PUBLIC: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/version']);

/** Whether a client would rather have a page than JSON, as browsers say. */
export function prefersHtml(accept: string): boolean {
  for (const { type } of acceptClauses(accept)) {
    if (takesType(type, 'application/json')) return false;
    if (takesType(type, 'text/html')) return true;
  }
  return false;
}

/** Whether a Host header is an address or name of the loopback, or the address listened on. */
export function namesThisMachine(host: string, bindAddress: string): boolean {
  const name = host.replace(/:[0-9]*$/, '').toLowerCase();
  const isLoopback = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/.test(name);
  return isLoopback || name === bindAddress || name === `[${bindAddress}]`;
}

/** The page; `paths` is all that is served, for those who may know it, else undefined. */
export function rootPageHtml(page: RootPage, paths: readonly string[] | undefined): string {
  const { version, apiDomain, addresses, commands } = page;
  const links = LINKS.map(([path, what]) => {
    const needs = paths === undefined && !PUBLIC.has(path) ? ' (with a token)' : '';
    return `<li>${link(path)}: ${escapeHtml(what)}${needs}`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>shardplane</title>
<link rel="stylesheet" href="${PAGE_STYLE}">
<script type="module" src="${PAGE_SCRIPT}"></script>
<div id="app" data-api-domain="${escapeHtml(apiDomain)}"></div>
<main id="about">
<h1>shardplane</h1>
<p>A cluster API service, version ${escapeHtml(version)}, with the names of
<code>${escapeHtml(apiDomain)}</code>, at ${addresses.map(code).join(' and ')}.
${paths === undefined ? 'Requests need a bearer token.' : ''}
${commandsHtml(commands)}<h2>Where to look</h2>
<ul>
${links.join('\n')}
</ul>
${paths === undefined ? '' : pathsHtml(paths)}</main>
</html>
`;
}

function commandsHtml(commands: readonly string[]): string {
  if (commands.length === 0) return '';
  return `<h2>First commands</h2>\n<pre>${commands.map(escapeHtml).join('\n')}</pre>\n`;
}

function pathsHtml(paths: readonly string[]): string {
  const items = paths.map((path) => `<li>${link(path)}`);
  return `<h2>All paths</h2>\n<ul>\n${items.join('\n')}\n</ul>\n`;
}

function link(path: string): string {
  const escaped = escapeHtml(path);
  return `<a href="${escaped}">${escaped}</a>`;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
