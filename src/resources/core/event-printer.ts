/** How an event shows in a Table, in either of its groups. */
import type { EventSeries } from '#messages/core.v1';
import { ageSince } from '../../semantics/age-text.ts';
import { NAME } from '../printer-cells.ts';
import { definePrinter, text, wide } from '../printer.ts';

const FIRST = 'firstTimestamp eventTime';

// prettier-ignore
export const EVENT_PRINTER = definePrinter([
  text('Last Seen', 'How long ago the event happened last.',
    `${FIRST} series{lastObservedTime} lastTimestamp`,
    (first?: string, time?: string, series?: EventSeries, last?: string) =>
      ageSince(series ? series.lastObservedTime : (last ?? first ?? time))),
  text('Type', 'The type of the event, such as Normal or Warning.', 'type'),
  text('Reason', 'Why the event happened, in one word for machines.', 'reason'),
  text('Object', 'The object that the event is about.', 'involvedObject.kind involvedObject.name',
    (kind = '', name = '') => kind.toLowerCase() + (name && `/${name}`)),
  wide('Subobject', 'The part of the object that the event is about.', 'involvedObject.fieldPath'),
  wide('Source', 'Which component reports the event, and where it runs.',
    'source.component reportingComponent source.host reportingInstance', sourceText),
  text('Message', 'What happened, in words for people.', 'message', (said = '') => said.trim()),
  wide('First Seen', 'How long ago the event happened first.', FIRST,
    (first?: string, time?: string) => ageSince(first ?? time)),
  wide('Count', 'How often the event has happened.', 'series{count} count',
    (series?: EventSeries, count = 1) => (series ? (series.count ?? 0) : count)),
  { ...NAME, priority: 1 },
]);

function sourceText(source = '', component = '', host = '', instance = ''): string {
  const where = host || instance;
  return where === '' ? source || component : `${source || component}, ${where}`;
}
