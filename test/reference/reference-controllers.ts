/**
 * Differences by what another part of the reference's server changes after the answer, at any time.
 */
import type { AcceptedDifference } from './accepted-refusals.ts';

export const ASYNCHRONOUS: readonly AcceptedDifference[] = [
  {
    since: 33,
    kinds: /^v1 Service$/,
    differences: /^code 20[01] → 422 \(spec\.clusterIPs: .*is not in the valid range/,
    reason: 'which ranges of addresses there are is noted by controllers, here and there',
  },
  {
    since: 24,
    kinds: / FlowSchema$/,
    differences:
      /^(code 409 \(Conflict: .* the object has been modified.* → |(event \w+ )?object (items\.\*\.)?(status\.conditions: (list → missing|\d items → \d items)|metadata\.managedFields(\.\*\.time)?: (text → (text|missing)|\d items → \d items|list → missing)|rows\.\*\.(cells\.\*: "True" → text|object\.(status\.conditions: list → missing|metadata\.managedFields: \d items → \d items)))|events ((ADDED|MODIFIED|DELETED) ?)+ → ((ADDED|MODIFIED|DELETED) ?)+)$/,
    reason: 'here it is noted whether the level of a schema exists; there flow control is off',
  },
  {
    kinds: / LimitRange$/,
    requests: /^watch$/,
    differences: /^events (ADDED.* → none|none → ADDED.*)$/,
    reason: 'one that comes without a name is given a UUID by each server, another one',
  },
  {
    kinds: / Endpoints$/,
    differences:
      /^events (.* )?→ (.* )?DELETED$|^code (200 → (201$|404 \(NotFound)|409 \(AlreadyExists.* → 201$|422 .* → 404 \(NotFound)/,
    reason:
      'the reference deletes the Endpoints of a deleted Service; their controller does it too',
  },
  {
    kinds: / Endpoints$/,
    requests: /^list/,
    differences: /^object (items|rows): /,
    reason:
      'the reference deletes the Endpoints of a deleted Service; their controller does it too',
  },
  {
    kinds: / APIService$/,
    requests: /^apply$/,
    differences:
      /^status cause only here: \w+ (metadata\.name|spec\.\w+): |^status cause ….* → ….*\.example\.com"…$|^code 422 \(spec\.(versionPriority|groupPriorityMinimum): .* → 200$/,
    reason: 'an API service that the reference has made of a definition has what is not applied',
  },
  {
    kinds: / LimitRange$/,
    requests: /^list/,
    differences: /^object (items|rows)\./,
    reason: 'one that comes without a name is given a UUID by each server, and so another place',
  },
  {
    kinds: /^v1 Service$/,
    requests: / proxy|^get/,
    differences: /^code (404 .* → 503|503 .* → 404) \((ServiceUnavailable: no endpoints|NotFound)/,
    reason: 'a Service is answered for, or its Endpoints, which the reference deletes with it',
  },
  {
    kinds: / Event$/,
    requests: /^watch$/,
    differences: /^events none → ADDED$/,
    reason: 'a controller inside of the reference records that it mends the address of a Service',
  },
  {
    kinds: / PriorityClass$/,
    requests: /^create$/,
    differences: /^code 201 → 409 \(AlreadyExists/,
    reason: 'the reference makes the two classes of the system itself',
  },
  {
    kinds: / (CustomResourceDefinition|APIService)$/,
    requests: /^(get|list|update|patch|apply|watch|delete)/,
    differences:
      /^(event \w+ )?object (items\.\*\.|rows\.\*\.object\.)?(status\.(conditions|acceptedNames|storedVersions)|metadata\.(managedFields(: \d items|\.\*\.fieldsV1\.f:status\.)|finalizers|deletion\w+|labels\.kube-aggregator))/,
    reason: 'controllers inside of the reference write definitions and API services afterwards',
  },
  {
    kinds: / CustomResourceDefinition$/,
    requests: /^delete$/,
    differences:
      /^object (kind: "Status" → |status: "Success" → object|(apiVersion|spec|details|metadata\.\w+): )/,
    reason: 'a finalizer of a controller inside of the reference holds a deleted definition',
  },
  {
    kinds: / CustomResourceDefinition$/,
    requests: / status$/,
    differences: /^object metadata\.\w+/,
    reason: 'bug of the reference: a write of the status of a definition writes its metadata too',
  },
  {
    kinds: / (CustomResourceDefinition|APIService)$/,
    requests: /^watch$/,
    differences: /^events (none|(ADDED|MODIFIED|DELETED| )+) → (none|(ADDED|MODIFIED|DELETED| )+)$/,
    reason: 'controllers inside of the reference write definitions and API services afterwards',
  },
  {
    kinds: / CustomResourceDefinition$/,
    differences:
      /^code ((200|409 .*|422 .*) → (404 \(NotFound|409 \(Conflict|422 \((spec|status)\.)|404 \(NotFound.* → (20[01]|409 \(Conflict|422 \()|201 → 409 \(AlreadyExists|409 \(AlreadyExists.* → 201$)|^status message object is being deleted: .* → .*already exists$/,
    reason: 'controllers inside of the reference end definitions later, and change them meanwhile',
  },
  {
    kinds: / APIService$/,
    differences:
      /^code (404 \(NotFound: apiservices.* → |422 \((metadata\.name|status\.conditions\[\]\.status): .* → (200$|409 )|20[01] → (200|404 \(NotFound|409 \())/,
    reason: 'controllers inside of the reference make API services of definitions, again and again',
  },
  {
    kinds: /^flowcontrol\..* FlowSchema$/,
    requests: /^watch/,
    differences: /^events MODIFIED( MODIFIED)* → none$/,
    reason:
      'flow control, which says whether levels exist, is off in the reference that is compared',
  },
];
