/** Adds headers for pages in browsers to every answer (../README.md#pages-in-browsers). */
import { ALLOWS_NO_ORIGIN, corsHeaders } from '../requests/browser-pages.ts';
import { hasControls } from '../answers/header-text.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

/** Answers the question of a browser whether a page that is allowed may send what it wants to. */
export function tellPages({ exchange, arrival }: RequestContext, { pages }: StageTools): void {
  const { allowsOrigin, transportSecurity } = pages;
  if (transportSecurity !== '' && arrival.isSecure) {
    exchange.setHeader('Strict-Transport-Security', transportSecurity);
  }
  // The header is not even asked for where no page is allowed.
  if (allowsOrigin === ALLOWS_NO_ORIGIN) return;
  const origin = arrival.request.getHeader('origin');
  if (origin === '' || hasControls(origin) || !allowsOrigin(origin)) return;
  for (const [name, value] of Object.entries(corsHeaders(origin))) exchange.setHeader(name, value);
  if (exchange.head.method === 'options') exchange.sendPassed(204, [], undefined);
}
