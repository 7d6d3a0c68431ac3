/**
 * `npm run check:reference` may find these differences between this server and the reference of
 * release 1.23: each with the reason for which it stays.
 */

import { WORDING } from './accepted-wording.ts';
import { REFUSAL, REFUSED_BY_BOTH, type AcceptedDifference } from './accepted-refusals.ts';
import { OF_CUSTOM_TYPES } from './custom-types.ts';
import { OF_ODD_PATHS } from './odd-paths.ts';
import { REFERENCE_BUGS } from './reference-bugs.ts';
import { ASYNCHRONOUS } from './reference-controllers.ts';

export type { AcceptedDifference };

/** The specification of this server says otherwise. */
const SPECIFIED: readonly AcceptedDifference[] = [
  {
    kinds: /^storage\.\S+ CSIDriver$/,
    requests: /^(create|apply)/,
    differences:
      /^code 422 \((spec: Required value|metadata\.name: Too long).* → (201$|409 )|^status cause only here: \w+ (spec: Required value|metadata\.name: Too long)/,
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
      /^code 422 \((spec\.csi\.nodeStageSecretRef|status\.phase: Unsupported).* → 20[01]$|^status cause only here: \w+ spec\.csi\.nodeStageSecretRef\.name(space)?: /,
    reason: 'a reference to a secret has a name and a namespace, and a phase is one of five',
  },
  {
    requests: / of a disk without its lun$/,
    differences:
      /^code 422 \(([\w.[\]]*\biscsi\.lun: Required value|spec\.template: .*field is immutable|spec\.persistentvolumesource: Forbidden).* → 20[01]$|^status cause only here: \w+ [\w.[\]]*\biscsi\.lun: Required value/,
    reason: 'a volume over iSCSI says its lun, be it 0',
  },
  {
    differences:
      /^code 422 \(.*serviceAccountToken\.path: Invalid value.*must be a relative.* → 20[01]$/,
    reason: 'the path of a projected token is relative to the mount point',
  },
  {
    kinds: / ControllerRevision$/,
    differences: /\b(data|fieldsV1\.f:data)\b/,
    reason:
      'data may be left out, and is owned by its members (src/semantics/fields/README.md#limits)',
  },
  {
    kinds: / StatefulSet$/,
    differences: /^code 422 \(spec\.template\.spec\..* → (20[01]$|409 )/,
    reason:
      'the template of a StatefulSet is checked like every other; the reference does it by half',
  },
  {
    differences:
      /^(code 422 \(.*|status cause only here: \w+ .*)emptyDir\.medium: Unsupported value/,
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
    differences: new RegExp(`^code .* → ${REFUSAL.decoding}`, 's'),
    reason: 'of a member that comes twice the last one counts; the reference decodes both',
  },
  {
    requests: / repeating members$/,
    differences:
      /^(object |code ([24]|500 \(\w+: yaml: ).* → [245]|status (cause only (here|there)|\w+:?) )/s,
    reason: 'of a member that comes twice the last one counts; the reference merges both',
  },
  {
    differences: new RegExp(`^code .* → ${REFUSAL.emptyDryRun}`, 's'),
    reason: 'dryRun without a value is none; the reference refuses an empty one in some places',
  },
  {
    requests: /^deletecollection/,
    differences: /^code 200 → 409 \(Conflict: .*the ResourceVersion in the precondition/,
    reason: 'the resourceVersion of a collection is that of its list, and no precondition',
  },
  {
    requests: / resetting owners$/,
    differences: /^object metadata\.managedFields: list → missing$/,
    reason:
      'an empty list of owners resets none, and after a reset the writer owns what it changes; ' +
      'in the reference both leave no owners until the next apply',
  },
  {
    until: 25,
    differences: /^code 4(00|22) \(.*(strict decoding error|json: unknown field).* → /s,
    reason: 'fieldValidation is served here; it is an alpha of 1.23, and off',
  },
];

/** This server differs by design, and by how the two are run. */
const INTENDED: readonly AcceptedDifference[] = [
  {
    kinds: /^v1 Pod$/,
    requests: /^watch$/,
    differences: /^event (MODIFIED|DELETED) object metadata\.managedFields: 2 items → 1 items$/,
    reason: 'the server is the owner of the condition that an eviction notes; there nobody is',
  },
  {
    kinds: /^resource\.\S+v1beta1 ResourceClaim(Template)?$/,
    differences:
      /^status cause only (here: \w+ [\w.[\]]+\.exactly\.count: .*greater than zero|there: \w+ [\w.[\]]+\.exactly\.allocationMode: Unsupported value: "")/,
    reason:
      'a request of devices without a class is refused; its mode has the default all the same',
  },
  {
    kinds: / APIService$/,
    requests: / status\b/,
    differences:
      /^(code 200 → 422 \(|status cause only there: \w+ )metadata\.deletionTimestamp: Invalid value|^status cause only here: \w+ metadata\.generateName: .*must be `spec/,
    reason:
      'of a status the time of a deletion is left out, and the names are checked all the same',
  },
  {
    kinds: / ResourceClassParameters$/,
    differences: /^object vendorParameters\.\*\.parameters: missing → null$/,
    reason: 'parameters that a driver has not are not there',
  },
  {
    kinds: /^v1 Node$/,
    requests: /^(create|update|patch)/,
    differences: /fieldsV1\.f:status\.f:allocatable: object → missing$/,
    reason: 'who sends what is allocatable as empty gets the default at once, and owns it',
  },
  {
    kinds: /^v1 Namespace$/,
    requests: /^create/,
    differences: /^object metadata\.labels\.kubernetes\.io\/metadata\.name: text → text$/,
    reason: 'a generated name is another one on each server, in this label too',
  },
  {
    kinds: /^v1 PersistentVolumeClaim$/,
    differences: /^object spec\.dataSource(Ref)?: object → missing$/,
    reason: 'snapshots may be named by their neutral group too; the reference knows one name',
  },
  {
    until: 25,
    differences: /^header warning only here \(\w+\): (unknown field|duplicate field|line N: key)/,
    reason: 'fieldValidation is served here; it is an alpha of 1.23, and off',
  },
  {
    kinds: /^flowcontrol\.\S+ FlowSchema$/,
    requests: /^list Table$/,
    differences: /^object rows\./,
    reason: 'rows are in the order of names, as of all lists; the reference sorts by precedence',
  },
  {
    requests: /^patch strategic/,
    differences: /^code 400 \(BadRequest: invalid patch format of primitive list\) → /,
    reason:
      'what is no list of plain values has none to delete; the reference merges or ignores it',
  },
  {
    kinds: / CustomResourceDefinition$/,
    requests: /^create$/,
    differences: /^code 422 \(metadata\.annotations\[\]: .*protected groups .* → 201$/,
    reason: 'groups below the domain of the neutral names are protected too',
  },
  {
    requests: /^(create|update|apply)/,
    differences:
      /^code 400 \(BadRequest: .*yaml: line N: .* → (20[01]|4|500 \(: failed to create typed)/,
    reason: 'what is no YAML is refused; the reference reads some of it',
  },
  {
    origins:
      /\.ephemeral\.volumeClaimTemplate\.metadata\.(finalizers|managedFields|ownerReferences) ← \[\]$/,
    differences:
      /^code 20[01] → 422 \([\w.[\]]*\.volumeClaimTemplate\.metadata\.(finalizers|managedFields|ownerReferences): Forbidden: cannot be set( for an ephemeral volume)?\)$/,
    reason: 'a list in metadata that is empty is none; the reference takes it for a value here',
  },
  {
    kinds: / CustomResourceDefinition$/,
    origins: /\.items ← (\[\]|"A_B")$/,
    differences:
      /^status cause only (here|there): \w+ [\w.[\]]*\.items: .*must (have a schema|only have a single schema) if|^object metadata\.generation: /,
    reason: 'items that are no schema and no schemas are none; the reference tells them from none',
  },
  {
    differences: /^code 413 /,
    reason:
      'a body of YAML may be as long as the limits of this server say (src/front/README.md#limits)',
  },
  {
    kinds: / CustomResourceDefinition$/,
    differences: /^(event \w+ )?object (items\.\*\.)?spec\.versions\.\*\.schema\./,
    reason: 'what schemas hold is kept as it was sent; the reference drops what it does not know',
  },
  {
    requests: / scale$/,
    differences: /^(code 200 → 422 \(|status cause only there: \w+ )metadata\./,
    reason: 'of a Scale only the replicas are written, so that the rest of it is not checked',
  },
  {
    requests: /^apply scale$/,
    differences: /^code 500 \(: failed to create manager for existing fields: .*duplicate.* → 200$/,
    reason: 'a scale is applied as a part of its object, which must have no items twice for it',
  },
  {
    differences:
      /→ (400 \(BadRequest|500 \(): .*cannot unmarshal number \S+ into Go struct field .* of type int/,
    reason: 'a whole number may be written as 1.0 or 1e3, which are the same in JSON',
  },
  {
    requests: /^(create|update|apply|delete)/,
    differences: /→ (400 \(BadRequest|500 \(): .*yaml: did not find expected/,
    reason: 'a key of YAML may be long; the reference reads no more than 1024 characters of it',
  },
  {
    requests: / with breaks of YAML 1\.1$/,
    differences: /^(object|code|status) /,
    reason: 'line breaks are those of YAML 1.2; the reference knows three more, as YAML 1.1 did',
  },
  {
    differences:
      /(securityContext\.privileged: Forbidden: |hostProcess containers are )disallowed by cluster policy/,
    reason: 'privileged containers are a flag of the reference (--allow-privileged)',
  },
  {
    differences: /^header warning only (here|there) \(refused\): /,
    reason: 'a refusal that follows late comes with warnings on one of the servers',
  },
  {
    requests: / of a value of each server$/,
    differences: /^object [\w.*]+: text → text$/,
    reason: 'what each server has of its own, such as a version, was sent as something else',
  },
  {
    kinds: / TokenReview$/,
    differences: /^object status\.(user|audiences)/,
    reason: 'who asks has another name and uid on each server',
  },
  {
    kinds: / SelfSubjectReview$/,
    differences: /^object status\.userInfo\.(uid|username|groups|extra)/,
    reason: 'who asks has another name and uid on each server',
  },
  {
    kinds: / CertificateSigningRequest$/,
    differences: /object spec\.(uid|username|groups|extra)/,
    reason: 'who asks has another name and uid on each server',
  },
  {
    kinds: /SubjectAccessReview$/,
    differences: /^object status\.(allowed|denied|reason)/,
    reason: 'the reference runs without an authorizer of its own: it allows everything to everyone',
  },
  {
    kinds: /SubjectRulesReview$/,
    differences: /^object status\./,
    reason: 'what the caller may do depends on the authorizer of the reference',
  },
  {
    until: 32,
    differences: /^code 422 \((sendInitialEvents|.*ListOptions).*sendInitialEvents/,
    reason: 'streaming lists are served here, so that their option is checked; 1.23 ignores it',
  },
  {
    until: 32,
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
    requests: /^(list|deletecollection)/,
    differences: /^code 200 → 410 \(Expired: The resourceVersion for the provided list is too old/,
    reason: 'history is kept for a time and not for a number of changes: old versions are served',
  },
  {
    requests: /^list/,
    differences:
      /^code 410 \(Expired: The resourceVersion for the provided list is too old.* → 200$/,
    reason: 'both keep five minutes; the reference forgets what is older every five minutes only',
  },
  {
    kinds: /^apiextensions\.\S+ CustomResourceDefinition$/,
    differences: /^(object|event \w+ object) order of members/,
    reason: 'the schema of the items of a list is stored as it was sent',
  },
  {
    kinds: /^apiextensions\.\S+ CustomResourceDefinition$/,
    differences:
      /^(code 20[01] → 422 \(|status cause only there: \w+ ).*default: Invalid value: .*boundary value must be of type integer/,
    reason:
      'a bound that is no integer bounds integers too; the reference then refuses all of them',
  },
  {
    kinds: /^resource\.\S+ (ResourceClaim|ResourceClaimTemplate|DeviceClass)$/,
    differences: /^(object|event \w+ object) order of members/,
    reason: 'the parameters of a driver are stored as they were sent, in any version',
  },
  {
    since: 31,
    kinds: /^resource\.\S+ (ResourceClaim|ResourceClaimTemplate)$/,
    requests: /^(patch|apply)/,
    differences: /^code 200 → 422 \(spec: Invalid value: .*field is immutable\)$/,
    reason:
      'the parameters of a driver stay as they were sent; the reference sorts their members when ' +
      'it patches a claim, and then finds them changed',
  },
  {
    kinds: /^resource\.\S+ ResourceClaim$/,
    differences:
      /^object (metadata\.managedFields\.\*\.fieldsV1\.f:status\.f:devices\.\?\.f:data\b|status\.devices\.\*\.data\b)/,
    reason: 'what a driver tells is owned by its members (src/semantics/fields/README.md#limits)',
  },
  {
    kinds: / Namespace$/,
    requests: /^create/,
    differences:
      /^status cause only here: \w+ metadata\.labels: Invalid value: "…": a valid label must/,
    reason: 'the label that names a namespace is looked at, be the name generated or not',
  },
  {
    kinds: / PodCertificateRequest$/,
    differences:
      /^object (spec|metadata\.managedFields\.\*\.fieldsV1\.f:spec)\..*stubPKCS10Request: /,
    reason: 'a request without a byte is none',
  },
  {
    kinds: / (Mutating|Validating)WebhookConfiguration$/,
    requests: /^(update|patch|apply)/,
    origins: / ← \[\]$/,
    differences: /^object metadata\.generation: number → number$/,
    reason: 'an empty list in the place of none is no change',
  },
  {
    kinds: /^resource\.\S+ ResourceSlice$/,
    differences: /^status cause ….*Duplicate value: \{.*"counters":/,
    reason: 'counters whose names are numbers are told before others',
  },
  {
    kinds: / ControllerRevision$/,
    requests: /^apply/,
    differences: /^header warning only there \(accepted\): line N: key "…" already set in map$/,
    reason: 'data of a revision is not looked into',
  },
  {
    differences: /^status cause only there: \w+ metadata\.finalizers: .*name part must consist of/,
    origins: /^seed /,
    reason: 'a name that is far too long is not held against patterns',
  },
  {
    since: 31,
    kinds: /^resource\.\S+ ResourceClaimTemplate$/,
    differences:
      /^(code 20[01] → 422 \(|status cause only there: \w+ )spec\.metadata\.\w+: Forbidden: cannot be set\)?$/,
    reason: 'a member that says nothing is as good as absent',
  },
  {
    since: 37,
    kinds: /^resource\.\S+\/v1(beta1|alpha3) Resource(Claim|ClaimTemplate|Slice)$/,
    differences:
      /^status cause (only (there: \w+ spec\.[\w.[\]]*(exactly\.allocationMode: Unsupported|requests\[\]\.\w+|basic\.)|here: \w+ spec\.[\w.[\]]*(exactly\.(allocationMode|tolerations|selectors|derivedAttributes)|devices\[\]\.\w+|requests\[\]: Duplicate))|….*"allocationMode":"ExactCount","count":-?\d+.* → .*"name":"","deviceClassName":"")/,
    reason:
      'errors are told by the places and the defaults of v1; the reference tells some by those of ' +
      'the version of the request',
  },
  {
    requests: /^list/,
    differences: /^object (metadata\.(continue|remainingItemCount)|items|rows): .*(items|missing)/,
    reason: 'a limit counts for resourceVersion=0 too; the cache of the reference ignores it',
  },
];

export const ACCEPTED: readonly AcceptedDifference[] = [
  ...WORDING,
  ...SPECIFIED,
  ...REFUSED_BY_BOTH,
  ...REFERENCE_BUGS,
  ...INTENDED,
  ...OF_CUSTOM_TYPES,
  ...OF_ODD_PATHS,
  ...ASYNCHRONOUS,
];
