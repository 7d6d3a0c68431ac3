/** Text in pages. */
import { escapeHtml } from '../../src/base/text/escape-html.ts';

/** As text, in attributes as well. */
export function quoted(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;');
}

/** Cells are HTML; those that begin with a number stand on the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cells = (row: readonly string[], tag: string): string =>
    row
      .map((cell) => `<${tag}${/^-?[\d.,]+$/.test(cell) ? ' class="n"' : ''}>${cell}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table>`;
}
