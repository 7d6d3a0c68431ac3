/**
 * Rules for versions that are still served. Their conversions leave to the server some members that
 * a manifest must have, or cannot have.
 */
import type { ApiObject } from '../resources/kind.ts';
import type { Report } from './manifest-version.ts';
import { itemsAt, objectAt } from './members.ts';

type Rule = (object: ApiObject, report: Report) => void;

const NEEDED_OF_EVENTS = ['eventTime', 'reportingController', 'reportingInstance', 'action'];
const GONE_OF_EVENTS = ['Source', 'FirstTimestamp', 'LastTimestamp', 'Count'];

/** By `<group version> <kind>`: after an object was converted to the stored version. */
export const AFTER_TO_STORED: ReadonlyMap<string, Rule> = new Map([
  ['discovery.cluster.io/v1beta1 EndpointSlice', dropTopology],
]);

/** By `<group version> <kind>`: after an object was converted to this version. */
export const AFTER_FROM_STORED: ReadonlyMap<string, Rule> = new Map([
  ['events.cluster.io/v1 Event', checkEvent],
]);

/** The rest of the topology is only read in v1. */
function dropTopology(object: ApiObject, report: Report): void {
  for (const [endpoint, place] of itemsAt(object, 'endpoints')) {
    const rest = objectAt(endpoint, 'deprecatedTopology');
    delete endpoint['topology'];
    delete endpoint['deprecatedTopology'];
    const keys = Object.keys(rest ?? {}).join(', ');
    if (keys !== '') report(`${place}.deprecatedTopology`, `cannot be written: ${keys}`);
  }
}

function checkEvent(event: ApiObject, report: Report): void {
  for (const name of [...NEEDED_OF_EVENTS, 'reason', 'type']) {
    if (event[name] === undefined || event[name] === '') report(name, 'is required of new events');
  }
  for (const name of GONE_OF_EVENTS.map((end) => `deprecated${end}`)) {
    if (event[name] !== undefined) report(name, 'is not permitted in new events');
  }
}
