/** Paths as nobody should write them, and questions to discovery, may differ in these. */
import type { AcceptedDifference } from './accepted-refusals.ts';

const kinds = /^any path$/;

export const OF_ODD_PATHS: readonly AcceptedDifference[] = [
  {
    kinds,
    requests: /^PATCH$/,
    differences: /^code 415 .* → 406 /,
    reason: 'a patch is refused for its type; without a body the reference goes on to another rule',
  },
  {
    kinds,
    requests: /^accept$/,
    differences:
      /^code (200|404 .*) → 406 \(NotAcceptable: N: Not Acceptable(\n\nAvailable .*)?\)$/,
    reason: '`application/*` takes JSON at every path; not all routers of the reference know it',
  },
  {
    kinds,
    requests: /^accept$/,
    differences: /^code 406 \(.*the requested object is not a list.* → 404 /,
    reason: 'both refuse: what cannot be shown as asked is told before what is missing',
  },
  {
    kinds,
    differences: /^object paths: /,
    reason: 'the root lists the checks and pages that a server has',
  },
  {
    kinds,
    requests: /^accept$/,
    differences: /^body: .*columnDefinitions/s,
    reason: 'wording: columns are described in words of our own',
  },
  {
    kinds,
    requests: /^watch one$/,
    differences: /^code 200 → 404 \(NotFound: /,
    reason: 'a GET of one object with watch is a watch, as the specification says',
  },
  {
    kinds,
    requests: /^DELETE$/,
    differences: /^code 405 .* → 200$/,
    since: 26,
    reason: 'the reference forgets what it has counted when its metrics are deleted',
  },
  {
    kinds,
    differences: /^body: .*kubernetes_healthcheck/s,
    since: 26,
    reason: 'each server has the checks of its own parts',
  },
];
