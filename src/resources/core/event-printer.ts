/** How an event shows in a Table, in either of its groups. */
import type { Event } from '#messages/core.v1';
import { ageSince } from '../../semantics/age-text.ts';
import { column, NAME_COLUMN, nameOf, wideColumn } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const EVENT_PRINTER = definePrinter<Event>()({
  columns: [
    column('Last Seen', 'string', 'How long ago the event happened last.'),
    column('Type', 'string', 'The type of the event, such as Normal or Warning.'),
    column('Reason', 'string', 'Why the event happened, in one word for machines.'),
    column('Object', 'string', 'The object that the event is about.'),
    wideColumn('Subobject', 'string', 'The part of the object that the event is about.'),
    wideColumn('Source', 'string', 'Which component reports the event, and where it runs.'),
    column('Message', 'string', 'What happened, in words for people.'),
    wideColumn('First Seen', 'string', 'How long ago the event happened first.'),
    wideColumn('Count', 'string', 'How often the event has happened.'),
    { ...NAME_COLUMN, priority: 1 },
  ],
  members: {
    involvedObject: { kind: true, name: true, fieldPath: true },
    series: { count: true, lastObservedTime: true },
    firstTimestamp: true,
    lastTimestamp: true,
    eventTime: true,
    type: true,
    reason: true,
    message: true,
    count: true,
    source: { component: true, host: true },
    reportingComponent: true,
    reportingInstance: true,
  },
  cells(event) {
    const { involvedObject: about = {}, series, firstTimestamp, lastTimestamp } = event;
    const first = firstTimestamp ?? event.eventTime;
    const last = series ? series.lastObservedTime : (lastTimestamp ?? first);
    return [
      ageSince(last),
      event.type ?? '',
      event.reason ?? '',
      (about.kind ?? '').toLowerCase() + (about.name ? `/${about.name}` : ''),
      about.fieldPath ?? '',
      sourceText(event),
      (event.message ?? '').trim(),
      ageSince(first),
      series ? (series.count ?? 0) : (event.count ?? 1),
      nameOf(event),
    ];
  },
});

function sourceText({ source = {}, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || (reportingComponent ?? '');
  const instance = source.host || (reportingInstance ?? '');
  return instance === '' ? component : `${component}, ${instance}`;
}
