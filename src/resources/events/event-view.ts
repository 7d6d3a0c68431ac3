/** The shape of events in the group `events.cluster.io` (API-FACTS 14.2 "Event mapping"). */
import type { ApiObject } from '../kind.ts';

type Names = Readonly<Record<string, string>>;

/** What other names members have here, by the stored ones; the rest is the same. */
const NAMES_HERE: Names = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
};
const STORED_NAMES: Names = Object.fromEntries(
  Object.entries(NAMES_HERE).map(([stored, here]) => [here, stored]),
);

/** From the names of `events.cluster.io`. */
export function eventToStored(event: ApiObject): ApiObject {
  return renamed(event, STORED_NAMES);
}

/** And back. */
export function eventFromStored(event: ApiObject): ApiObject {
  return renamed(event, NAMES_HERE);
}

function renamed(event: ApiObject, names: Names): ApiObject {
  const result: ApiObject = { metadata: event.metadata };
  for (const member in event) result[names[member] ?? member] = event[member];
  return result;
}
