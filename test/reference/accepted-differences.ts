/**
 * What `npm run check:reference` may find between this server and the reference of release 1.23:
 * each with the reason for which it stays.
 */

import {
  DECODING,
  REFUSAL,
  REFUSED_BY_BOTH,
  type AcceptedDifference,
} from './accepted-refusals.ts';

export type { AcceptedDifference };

/** Words only: the code and the reason are the same. */
const WORDING: readonly AcceptedDifference[] = [
  {
    differences: /^object columnDefinitions\.\*\.description: /,
    reason: 'wording: what a column of a Table shows is described in words of our own',
  },
  {
    differences: new RegExp(`^status message .*(?:${DECODING.source})`),
    reason: 'wording: a body that does not decode is refused in the words of the decoder',
  },
  {
    differences: /^status message .*continue key is not valid/,
    reason: 'wording: continue tokens are opaque and made differently',
  },
  {
    differences: /^status message (.*StorageError|….* → …)/s,
    reason: 'wording: keys of the store, and texts that differ in a part only',
  },
  {
    differences: /^status cause (\w+ [\w.[\]]*): .* → \1: /s,
    reason: 'wording: the same field is refused for the same reason in other words',
  },
  {
    differences: /^status cause value: /,
    reason: 'wording: the reference prints values of its own types as its language does',
  },
  {
    differences: /^status causes are there more than once/,
    reason: 'wording: the reference tells some problems twice',
  },
  {
    requests: /^get( scale)?$/,
    differences: /^status (message .* not found → |details\.(kind|group): ).*/,
    reason: 'wording: the reference says for some kinds that their scale was not found',
  },
];

/** What the reference does by mistake, or what clients are better off without. */
const REFERENCE_BUGS: readonly AcceptedDifference[] = [
  {
    kinds: / Event$/,
    differences:
      /^(event MODIFIED )?object metadata\.managedFields: ([23] items → 1 items|list → missing)$/,
    reason:
      'bug of the reference: owners noted through one group of Events are lost through the other',
  },
  {
    kinds: /^autoscaling\/v2beta1 HorizontalPodAutoscaler$/,
    differences: /spec\.metrics\[\]\.object\.target\.value: Invalid value: .*must be positive/,
    reason:
      'bug of the reference: of an average it shows the targetValue 0, which it refuses when sent',
  },
  {
    kinds: /^apps\/v1 StatefulSet$/,
    differences: /fieldsV1\.f:spec\.f:persistentVolumeClaimRetentionPolicy: missing → object$/,
    reason: 'bug of the reference: it notes an owner of a member that it drops',
  },
  {
    kinds: / PodDisruptionBudget$/,
    requests: /^create/,
    differences: /^code 422 \(metadata\.(name|generateName): Invalid value.* → 201$/,
    reason: 'bug of the reference: it does not check the metadata of new disruption budgets',
  },
  {
    kinds: /^policy\/v1beta1 PodDisruptionBudget$/,
    requests: / status$/,
    differences: /^code 422 \(status\.\w+: Invalid value: N: must be greater.* → 200$/,
    reason: 'bug of the reference: through v1beta1 a status may have negative numbers',
  },
  {
    kinds: /^v1 Service$/,
    requests: /^(update|apply) status/,
    differences: /^code 404 \(NotFound: services "…" not found\) → /,
    reason: 'bug of the reference: a write of the status of a missing Service creates it',
  },
  {
    requests: /^patch strategic/,
    differences: /^code .* → 500 \(: unknown patch type: merge in map: /,
    reason:
      'bug of the reference: $patch: merge, one of the directives, makes a 500 in some places',
  },
  {
    differences: /^code 400 \(BadRequest: the API version in the data \(\/\) does not match.* → /,
    reason: 'bug of the reference: the version "/" is taken for none',
  },
  {
    requests: /^apply/,
    differences: /^code 400 \(BadRequest: metadata\.managedFields must be nil\) → /,
    reason:
      'bug of the reference: it overlooks managedFields that hold null, and fails on others later',
  },
  {
    kinds: / LimitRange$/,
    differences: /^code 400 \(.*quantities must match.* → 20[01]$/,
    reason: 'bug of the reference: a sign without digits is read as 0',
  },
  {
    requests: /^update( scale)?$/,
    differences: /→ 500 \(: strconv\.ParseUint: parsing "…": invalid syntax\)$/,
    reason:
      'bug of the reference: a version that cannot be read is a mistake of the client, not 500',
  },
  {
    requests: / scale$/,
    differences: /^code 200 → 422 \(metadata\.(namespace|labels|ownerReferences)/,
    reason: 'of a Scale only the replicas are written, so that the rest of it is not checked',
  },
  {
    differences:
      /^code 400 \(BadRequest: resourceVersion: Invalid value: .* → 500 \(: resourceVersion: Invalid/,
    reason:
      'bug of the reference: a version that cannot be read is a mistake of the client, not 500',
  },
  {
    differences: /^status message resourceVersion: Invalid value: .* → invalid resource version: /,
    reason: 'wording: the reference reads kinds without a cache in another place',
  },
  {
    differences:
      /^object metadata\.managedFields: missing → list$|fieldsV1\.f:metadata(\.f:deletion(Timestamp|GracePeriodSeconds))?: missing/,
    requests: /^(create|update|apply|patch .*)$/,
    reason: 'bug of the reference: it notes an owner of metadata that it clears',
  },
  {
    differences: /^object items: \[\] → null|^object rows: \[\] → null/,
    reason: 'bug of the reference: an empty list of metadata is null there, which is no list',
  },
  {
    differences: /^(header retry-after: N → |status details\.retryAfterSeconds: number → missing)/,
    kinds: / Event$/,
    reason: 'bug of the reference: no Retry-After for the one kind that it does not cache',
  },
];

/** What the specification of this server says otherwise. */
const SPECIFIED: readonly AcceptedDifference[] = [
  {
    kinds: /^storage\.\S+ CSIDriver$/,
    requests: /^create/,
    differences: /^code 422 \((spec: Required value|metadata\.name: Too long).* → 201$/,
    reason: 'a driver has a spec, and a name of at most 63 characters',
  },
  {
    kinds: / ControllerRevision$/,
    differences: /^(code 422 \(|status cause only here: \w+ )revision: Required value/,
    reason: 'a revision must be sent',
  },
  {
    kinds: /^v1 PersistentVolume$/,
    differences:
      /^code 422 \((spec\.csi\.nodeStageSecretRef|status\.phase: Unsupported).* → 20[01]$/,
    reason: 'a reference to a secret has a name and a namespace, and a phase is one of five',
  },
  {
    kinds: /^storage\.\S+ CSINode$/,
    differences: /^code 422 \(spec\.drivers\[\]\.nodeID: Invalid value.* → 201$/,
    reason: 'the length of a node id is checked, also where the reference counts differently',
  },
  {
    differences:
      /^code 422 \(.*serviceAccountToken\.path: Invalid value.*must be a relative.* → 20[01]$/,
    reason: 'the path of a projected token is relative, as all others are',
  },
  {
    kinds: / ControllerRevision$/,
    differences: /\b(data|fieldsV1\.f:data)\b/,
    reason: 'data may be left out, and what is in it is owned member by member (README, Limits)',
  },
  {
    kinds: / StatefulSet$/,
    differences: /^code 422 \(spec\.template\.spec\..* → 20[01]$/,
    reason:
      'the template of a StatefulSet is checked like every other; the reference does it by half',
  },
  {
    differences: /^code 422 \(.*emptyDir\.medium: Unsupported value.* → 20[01]$/,
    reason: 'a medium is empty, Memory or one of huge pages; the reference takes any text',
  },
  {
    requests: /^deletecollection$/,
    differences: /^object (kind|apiVersion|metadata\.\w+|status|details|code|items): /,
    reason: 'a deletion of a collection answers a Status; the reference lists what it deleted',
  },
  {
    differences: /^code 400 \(BadRequest: the body is not valid (Unicode|UTF)/,
    reason: 'nothing that a client wrote is changed in silence: what is no Unicode is refused',
  },
  {
    requests: / repeating members$/,
    differences: /^(code|object|status|header warning)/,
    reason:
      'of a member that comes twice the last one counts; the reference decodes both, into one',
  },
  {
    differences: new RegExp(`^code .* → ${REFUSAL.emptyDryRun}`, 's'),
    reason: 'dryRun without a value is none; the reference refuses an empty one in some places',
  },
  {
    differences: /^code 4(00|22) \(.*(strict decoding error|json: unknown field).* → /s,
    reason: 'fieldValidation is served here; it is an alpha of 1.23, and off',
  },
];

/** What this server does by design, and what differs by how the two are run. */
const INTENDED: readonly AcceptedDifference[] = [
  {
    kinds: /^v1 ServiceAccount$/,
    requests: /^create token/,
    differences: /^object metadata\.(creationTimestamp|namespace|name|managedFields): /,
    reason: 'the metadata of a token says whose it is and since when, as in later releases',
  },
  {
    kinds: /^v1 PersistentVolumeClaim$/,
    differences: /^object spec\.dataSource: object → missing$/,
    reason: 'snapshots may be named by their neutral group too; the reference knows one name',
  },
  {
    differences: /securityContext\.privileged: Forbidden: disallowed by cluster policy/,
    reason: 'privileged containers are a flag of the reference (--allow-privileged)',
  },
  {
    differences: /^header warning only there \(refused\): /,
    reason: 'a refused request is told why; warnings come with the request that is accepted',
  },
  {
    kinds: /(Review|TokenRequest)$/,
    differences:
      /^header warning only there \(accepted\): \.metadata\.ownerReferences contains dup/,
    reason: 'a review is not stored, so that nothing in its metadata matters',
  },
  {
    kinds: /Review$/,
    requests: /^create/,
    differences: /^object metadata\.(managedFields|ownerReferences|namespace): /,
    reason: 'a review is not stored, so that its metadata is answered as it was sent',
  },
  {
    kinds: / TokenReview$/,
    differences: /^object status\.(user|audiences)/,
    reason: 'who asks has another name and uid on each server',
  },
  {
    kinds: / CertificateSigningRequest$/,
    differences: /object spec\.(uid|username|groups|extra)/,
    reason: 'who asks has another name and uid on each server',
  },
  {
    kinds: /SubjectRulesReview$/,
    differences: /^object status\./,
    reason: 'what the caller may do depends on the authorizer of the reference',
  },
  {
    differences: /^code 422 \((sendInitialEvents|.*ListOptions).*sendInitialEvents/,
    reason: 'streaming lists are served here, so that their option is checked; 1.23 ignores it',
  },
  {
    requests: /^(list|deletecollection)/,
    differences: /^code 422 \(sendInitialEvents: Forbidden/,
    reason: 'streaming lists are served here, so that their option is checked; 1.23 ignores it',
  },
  {
    requests: /^list/,
    differences:
      /^code (200|410 .*) → 500 \(: etcdserver: mvcc: required revision has been compacted/,
    reason: 'history is kept for a time, and what is older is 410; the reference fails with 500',
  },
  {
    requests: /^list/,
    differences: /^code 200 → 410 \(Expired: The resourceVersion for the provided list is too old/,
    reason: 'history is kept for a time and not for a number of changes: old versions are served',
  },
  {
    differences: /^(object|event \w+ object) order of members/,
    reason: 'labels are in the order of their stored names in the k8s.io dialect (README, Limits)',
  },
  {
    requests: /^list/,
    differences: /^object (metadata\.(continue|remainingItemCount)|items|rows): .*(items|missing)/,
    reason: 'a limit counts for resourceVersion=0 too; the cache of the reference ignores it',
  },
];

/** What another part of the reference's server changes after the answer, at any time. */
const ASYNCHRONOUS: readonly AcceptedDifference[] = [
  {
    kinds: / LimitRange$/,
    requests: /^watch$/,
    differences: /^events (ADDED.* → none|none → ADDED.*)$/,
    reason: 'one that comes without a name is given a UUID by each server, another one',
  },
  {
    kinds: / Endpoints$/,
    differences:
      /^events (.* )?→ (.* )?DELETED$|^code (200 → 404 \(NotFound|409 \(AlreadyExists.* → 201$|422 .* → 404 \(NotFound)/,
    reason:
      'the reference deletes the Endpoints of a deleted Service; their controller does it too',
  },
  {
    kinds: / (Deployment|ReplicaSet|StatefulSet|ReplicationController)$/,
    differences: /^events none → MODIFIED$|^object metadata\.managedFields: . items → . items$/,
    reason: 'bug of the reference: a scale that changes nothing is noted as a change of its owner',
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
    kinds: / (CustomResourceDefinition|APIService)$/,
    requests: /^(get|list|update|patch|apply|watch|delete)/,
    differences:
      /^(event \w+ )?object (items\.\*\.|rows\.\*\.object\.)?(status|metadata\.(managedFields|finalizers|deletion\w+|resourceVersion|labels\.kube-aggregator))/,
    reason: 'controllers inside of the reference write definitions and API services afterwards',
  },
  {
    kinds: / (CustomResourceDefinition|APIService)$/,
    requests: /^watch$/,
    differences: /^events (none|(ADDED|MODIFIED|DELETED| )+) → (none|(ADDED|MODIFIED|DELETED| )+)$/,
    reason: 'controllers inside of the reference write definitions and API services afterwards',
  },
  {
    kinds: / (CustomResourceDefinition|APIService)$/,
    requests: /^(get|delete|update|patch|apply)/,
    differences:
      /^code (200 → (404 \(NotFound|409 \(Conflict)|404 \(NotFound.* → (20[01]|409 \(Conflict)|20[01] → 20[01])/,
    reason:
      'controllers inside of the reference end definitions, and make API services again, later',
  },
  {
    kinds: / (CustomResourceDefinition|APIService)$/,
    requests: /^create/,
    differences: /^code 201 → 409 \(AlreadyExists/,
    reason:
      'controllers inside of the reference end definitions, and make API services again, later',
  },
];

export const ACCEPTED: readonly AcceptedDifference[] = [
  ...WORDING,
  ...SPECIFIED,
  ...REFUSED_BY_BOTH,
  ...REFERENCE_BUGS,
  ...INTENDED,
  ...ASYNCHRONOUS,
];
