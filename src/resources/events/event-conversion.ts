/**
 * Conversion of events from and to the group `events.cluster.io`
 * (src/resources/core/README.md#events).
 */
import type { ApiObject } from '../kind.ts';

type Names = Readonly<Record<string, string>>;

/** Names of members in `events.cluster.io` by their stored names, where they differ. */
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

/** To the stored names; changes nothing else. */
export function eventToStored(event: ApiObject): ApiObject {
  return renamed(event, STORED_NAMES);
}

/** To the names of `events.cluster.io`. */
export function eventFromStored(event: ApiObject): ApiObject {
  return renamed(event, NAMES_HERE);
}

function renamed(event: ApiObject, names: Names): ApiObject {
  const result: ApiObject = { metadata: event.metadata };
  for (const member in event) result[names[member] ?? member] = event[member];
  return result;
}
