/** Parts that several views have. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html, type Content, type View } from './html.ts';

/** A titled part of a page. */
export function Panel({
  title,
  children,
  isWide = false,
}: {
  readonly title: string;
  readonly children?: Content;
  readonly isWide?: boolean;
}): View {
  return html`<section class=${isWide ? 'panel wide' : 'panel'} aria-label=${title}>
    <h2>${title}</h2>
    <div class="scrolls" tabindex="0">${children}</div>
  </section>`;
}

/** Lines of cells; the first of each is its name. */
export function Rows({
  head,
  rows,
  none = 'nothing',
}: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly none?: string;
}): View {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  return html`<table>
    <thead>
      <tr>
        ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...rest]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${rest.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Lines beyond the ones that are seen, so that scrolling shows no gap. */
const SPARE = 10;

/** A long list of lines of one height, of which only those that are seen are in the page. */
export function LongList<Item>({
  items,
  height,
  line,
  label,
  head,
}: {
  readonly items: readonly Item[];
  /** Of a line, in pixels. */
  readonly height: number;
  readonly line: (item: Item, at: number) => Content;
  readonly label: string;
  readonly head?: Content;
}): View {
  const place = useRef<HTMLDivElement>(null);
  const [[top, seen], setSeen] = useState<readonly [number, number]>([0, 0]);
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = place.current ?? {};
    setSeen([scrollTop, clientHeight]);
  };
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / height) - SPARE);
  const last = Math.min(items.length, Math.ceil((top + seen) / height) + SPARE);
  return html`<div class="long" ref=${place} onScroll=${look} role="list" aria-label=${label}>
    ${head}
    <div style=${{ height: `${first * height}px` }}></div>
    ${items.slice(first, last).map((item, at) => line(item, first + at))}
    <div style=${{ height: `${(items.length - last) * height}px` }}></div>
  </div>`;
}
