/** A chart of numbers over time. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { html, type View } from './html.ts';

/** Numbers that were read one after the other. */
export interface Series {
  readonly times: readonly number[];
  /** By name; undefined where there was none at that time. */
  readonly lines: ReadonlyMap<string, readonly (number | undefined)[]>;
}

const HEIGHT = 150;
const COLOURS = ['#2f81f7', '#db6d28', '#3fb950', '#a371f7', '#e5534b', '#d4a72c', '#39c5cf'];

/** `title` tells what it is, for those who do not see it too; `show` writes a number. */
export function Chart({
  title,
  series,
  show,
}: {
  readonly title: string;
  readonly series: Series;
  readonly show: (value: number) => string;
}): View {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const names = [...series.lines.keys()];
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const ink = getComputedStyle(element).color;
    const axis = { stroke: ink, grid: { stroke: 'rgba(128, 128, 128, .2)' } };
    const drawn = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: names.length > 1, live: false },
        cursor: { drag: { x: false, y: false } },
        axes: [axis, { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => show(tick)) }],
        series: [
          {},
          ...names.map((label, at) => ({
            label,
            stroke: COLOURS[at % COLOURS.length] ?? '',
            width: 1.5,
            spanGaps: true,
          })),
        ],
        scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
      },
      dataOf(series),
      element,
    );
    plot.current = drawn;
    const observer = new ResizeObserver(() => {
      drawn.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [names.join()]);
  useEffect(() => plot.current?.setData(dataOf(series)), [series]);
  return html`<figure>
    <figcaption>${title}</figcaption>
    <div class="chart" ref=${place} role="img" aria-label=${title}></div>
  </figure>`;
}

function dataOf({ times, lines }: Series): uPlot.AlignedData {
  const values = [...lines.values()].map((line) => line.map((value) => value ?? null));
  return [[...times], ...values];
}
