/**
 * A request that does not say what it wants, or about which nothing can be said, which is answered
 * with a text and no Status.
 */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { escapeHtml } from '../../base/text/escape-html.ts';

export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest';

  /** The body of the answer, which is 500 as in the reference. */
  textFor(url: string): string {
    return escapeHtml(`Internal Server Error: ${quoteText(url)}: ${this.message}\n`);
  }
}
