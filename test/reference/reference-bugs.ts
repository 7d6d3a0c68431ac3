/** Differences that are mistakes of the reference, or that clients are better off without. */
import type { AcceptedDifference } from './accepted-refusals.ts';

/** The reference has the same events with a MODIFIED more. */
const ONE_MORE_CHANGE =
  /^events (none → MODIFIED|([\w ]+) → \2 MODIFIED|((?:\w+ )*)(\w[\w ]*) → \3MODIFIED \4)$/;

export const REFERENCE_BUGS: readonly AcceptedDifference[] = [
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
    kinds: / StorageVersion$/,
    requests: /^(update|patch|apply)/,
    differences:
      /^status cause only here: \w+ metadata\.finalizers\[\]: .*neither a standard finalizer/,
    reason:
      'bug of the reference: it does not look at the finalizers of its own objects in updates',
  },
  {
    since: 33,
    kinds: /^autoscaling\/v1 HorizontalPodAutoscaler$/,
    requests: /^(patch|update)/,
    differences: /^object metadata\.managedFields: 1 items → 2 items$/,
    reason: 'bug of the reference: it notes an owner of an annotation that it drops',
  },
  {
    kinds: /^apps\/v1 StatefulSet$/,
    differences: /fieldsV1\.f:spec\.f:persistentVolumeClaimRetentionPolicy\b/,
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
    differences:
      /^(code 422 \(|status cause only here: \w+ )status\.\w+: Invalid value: N: must be greater/,
    reason: 'bug of the reference: through v1beta1 a status may have negative numbers',
  },
  {
    kinds: /^v1 Service$/,
    requests: /^(update|apply) status/,
    differences: /^code 404 \(NotFound: services "…" not found\) → /,
    reason: 'bug of the reference: a write of the status of a missing Service creates it',
  },
  {
    kinds: /^admissionregistration\.\S+ ValidatingAdmissionPolicy$/,
    requests: /^(update|apply) status/,
    differences: /^code 404 \(NotFound: validatingadmissionpolicies\..* → /,
    reason: 'bug of the reference: a write of the status of a missing policy creates it',
  },
  {
    differences: /^code [24]\d\d.* → 0$|^code 500 .*→ 0$/s,
    reason:
      'bug of the reference: some patches make it fail, some quantities keep it busy for too long',
  },
  {
    since: 33,
    kinds: /^v1 Service$/,
    requests: /^create/,
    differences:
      /^status cause only (here: \w+ (metadata\.(name|labels|annotations|finalizers|ownerReferences)|spec\.\w+)[\w.[\]]*: |there: \w+ spec\.clusterIPs: .*failed to allocate IP: IPAddress)/,
    reason:
      'bug of the reference: of a Service without a name nothing is told but that no address ' +
      'can be noted for it',
  },
  {
    kinds: /^v1 Service$/,
    requests: /^(create|update|apply)$/,
    origins: /^seed /,
    differences:
      /^code 422 \(spec\.clusterIPs: Invalid value: .*provided IP is already allocated\) → (20[01]|409 \(AlreadyExists: .*)$|^status cause only (here: \w+ spec\.clusterIPs: .*provided IP|there: \w+ spec\.ports\[\]\.nodePort: .*provided port) is already allocated$/,
    reason:
      'bug of the reference: a dry run looks for ports that are taken and not for addresses, and a Service that a write of its status has created holds no address, and frees that of another one when it goes',
  },
  {
    kinds: /^batch\/\S+ CronJob$/,
    requests: / status$/,
    differences:
      /^(code 422 \(|status cause only here: \w+ )metadata\.finalizers\[\]: Invalid value: .*neither a standard finalizer/,
    reason:
      'bug of the reference: a write of the status of a CronJob takes a finalizer that its other writes refuse',
  },
  {
    requests: /^patch strategic/,
    differences: /^code .* → 500 \(: unknown patch type: merge in map: /,
    reason:
      'bug of the reference: $patch: merge, one of the directives, makes a 500 in some places',
  },
  {
    differences:
      /^code 400 \(BadRequest: the API version in the data \(\/\) does not match.* → |^status message Incorrect version specified in apply patch\. Specified patch version: \/, /,
    reason: 'bug of the reference: the version "/" is taken for none',
  },
  {
    requests: /^apply/,
    differences:
      /^(code 400 \(BadRequest: metadata\.managedFields must be nil\)|status message metadata\.managedFields must be nil) → /,
    reason:
      'bug of the reference: it overlooks managedFields that hold null, and fails on others later',
  },
  {
    kinds: / LimitRange$/,
    differences: /^code 400 \(.*quantities must match.* → 20[01]$/,
    reason: 'bug of the reference: a sign without digits is read as 0',
  },
  {
    differences: /→ 500 \(: strconv\.ParseUint: parsing "…": invalid syntax\)$/,
    reason:
      'bug of the reference: a version that cannot be read is a mistake of the client, not 500',
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
    requests: / of what is deleted$/,
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
  {
    kinds: / Event$/,
    requests: /^apply$/,
    differences: /^code 409 \(\..*conflict with .* → (20[01]|400|422)/,
    reason:
      'bug of the reference: owners noted through one group of Events are lost through the other',
  },
  {
    kinds: /^(admissionregistration|discovery)\S+ |^v1 (ConfigMap|Secret)$/,
    requests: /^(watch|update|patch)/,
    differences: new RegExp(
      `${ONE_MORE_CHANGE.source}|^object metadata\\.generation: number → number$`,
    ),
    reason: 'bug of the reference: an empty text is another one than none, and so a change',
  },
  {
    kinds: / (PersistentVolume|PersistentVolumeClaim|CronJob|IngressClass|LimitRange)$/,
    requests: /^watch$/,
    differences: ONE_MORE_CHANGE,
    reason: 'bug of the reference: defaults of what a create clears are stored by the first update',
  },
  {
    kinds: / (Deployment|ReplicaSet|StatefulSet|ReplicationController)$/,
    differences:
      /^(event (MODIFIED|DELETED) )?object (items\.\*\.|rows\.\*\.object\.)?metadata\.managedFields(: \d items → \d items|\.\*\.time: text → missing|\.\*\.fieldsV1\.f:spec\.f:replicas: \{\} → missing)$/,
    reason:
      'bug of the reference: a scale notes its owner again and again, and without the time of it',
  },
  {
    kinds: / (Deployment|ReplicaSet|StatefulSet|ReplicationController)$/,
    requests: /^watch$/,
    differences: ONE_MORE_CHANGE,
    reason: 'bug of the reference: a scale that changes nothing is noted as a change of its owner',
  },
  {
    requests: /^(create|update|patch).* repeating items( of its status)?$/,
    differences: /^object metadata\.managedFields: (list → missing|\d items → \d items)$/,
    reason:
      'bug of the reference: all owners are lost when a set or a list with keys, in what is reset (a status) too, has an item twice',
  },
  {
    requests: /^update status repeating items$/,
    differences: /^object metadata\.managedFields\.\*\.fieldsV1\.f:metadata: object → missing$/,
    reason:
      'bug of the reference: whose status has an item twice in what is reset owns no labels any more, though they stay',
  },
  {
    requests: /^(create|update|patch).* with items that lack their keys$/,
    differences: /^object metadata\.managedFields: list → missing$/,
    reason:
      'bug of the reference: all owners are lost when an item of a list with keys, in a status that is reset too, has none',
  },
  {
    requests: /^(create|update|patch).* with owners that are no map$/,
    differences: /^object metadata\.managedFields: list → missing$/,
    reason: 'bug of the reference: all owners are lost when those of a template are no map',
  },
  {
    kinds: / HorizontalPodAutoscaler$/,
    differences: /^(event \w+ )?object (items\.\*\.)?spec\.metrics(\.\*\.|: \d items → \d items)/,
    reason:
      'bug of the reference: it stores v1, which puts a target for cpu last and knows only one',
  },
  {
    kinds: / HorizontalPodAutoscaler$/,
    differences: /^(event \w+ )?object (items\.\*\.)?status\.currentMetrics\.\*\./,
    reason: 'bug of the reference: it stores v1, in which a current value is never absent',
  },
  {
    kinds: / HorizontalPodAutoscaler$/,
    requests: / Table$/,
    differences: /^object rows\.\*\.cells\.\*: text → text$/,
    reason:
      'bug of the reference: it stores v1, which puts a target for cpu last and knows only one',
  },
  {
    kinds: /^autoscaling\/v1 HorizontalPodAutoscaler$/,
    requests: /^patch/,
    differences: /^object metadata\.annotations\.autoscaling\S+metrics: text → text$/,
    reason: 'bug of the reference: a dry patch shows the metrics in the annotation twice, or empty',
  },
  {
    requests: /^(apply|patch strategic)/,
    differences:
      /^code (500 \(: failed to convert new object .*|422 \(patch: .*json: )cannot unmar(shal number)?.* → (20[01]$|422 |400 \(BadRequest: the name of the object )|^code 500 \(: failed to convert new object \(\/\S*…\) → 400 \(BadRequest: the name of the object/,
    reason: 'bug of the reference: a number that its member cannot hold is read as another one',
  },
  {
    requests: /^patch strategic/,
    differences:
      /^status (cause only here: FieldValueInvalid patch: .*json: cannot unmarshal number N into|cause only there: \w+ [\w.[\]]+: Invalid value: N: |details\.(group|kind|name): missing → )/,
    reason: 'bug of the reference: a number that its member cannot hold is read as another one',
  },
  {
    kinds: / PodSchedulingContext$/,
    requests: /^get Table status$/,
    differences: /^code 404 .* → 406 /,
    reason: 'bug of the reference: the status alone of this kind has no Table',
  },
  {
    kinds: /^v1 Endpoints$/,
    requests: /^update of what is deleted/,
    differences: /^object metadata\.deletion(Timestamp|GracePeriodSeconds): missing → /,
    reason: 'bug of the reference: what an update creates may be in deletion from its first moment',
  },
  {
    since: 24,
    kinds: /^v1 Service$/,
    requests: /^delete$/,
    differences: /^object spec\.internalTrafficPolicy: missing → "Cluster"$/,
    reason: 'bug of the reference: a deletion shows a policy that all reads leave out',
  },
  {
    kinds: /^v1 Service$/,
    differences: /^object spec\.ports\.\*\.nodePort: number → number$/,
    reason: 'bug of the reference: dry runs show ports outside of the range of node ports',
  },
  {
    kinds: / PersistentVolume$/,
    differences:
      /^(code 422 \(|status cause only here: \w+ )spec\.flexVolume: Forbidden: may not specify more|^status cause only there: \w+ spec\.flexVolume\.options\[\]: .*namespaces are reserved$/,
    reason:
      'bug of the reference: a flexVolume is not counted as a second source, and is checked as if it were the only one',
  },
  {
    requests: / of an amount beyond all measure$/,
    differences: /^code .* → 0$/,
    reason: 'bug of the reference: it writes out all digits of an amount, and answers nothing',
  },
  {
    requests: /^patch/,
    differences: /^code .* → 0$/,
    reason: 'bug of the reference: it panics at some patches, and answers nothing',
  },
  {
    requests: /^patch strategic/,
    differences: /^code 4.* → 500 \(: merging lists cannot yet be specified in the patch\)$/,
    reason: 'bug of the reference: what is wrong in a patch is a mistake of the client, not 500',
  },
  {
    requests: /^patch/,
    differences:
      /^(code (200|422 .*) → 400 \(BadRequest: |status message resourceVersion: Invalid value: .* → )the name of the object .* was undeterminable/s,
    reason: 'bug of the reference: a patch that takes the metadata or the version loses the object',
  },
  {
    kinds: / (Deployment|ReplicaSet|StatefulSet|ReplicationController)$/,
    requests: /^apply$/,
    differences: /^code 409 \(\.spec\.replicas: conflict with .* → (20[01]|400)/,
    reason: 'bug of the reference: a scale takes the replicas from their owner',
  },
  {
    requests: /^(update|patch|apply)/,
    differences: /^object metadata\.selfLink: missing → text$/,
    reason:
      'bug of the reference: dry runs show a selfLink that was sent, which other writes clear',
  },
  {
    requests: /^create$/,
    differences: /^object metadata\.resourceVersion: missing → text$/,
    reason: 'bug of the reference: dry runs show a version that is no number, which others clear',
  },
  {
    kinds: /^v1 Service$/,
    differences:
      /^code 422 \(spec\.ports\[\]\.nodePort: Invalid value: N: provided port is not in the valid range.* → 20[01]$/,
    reason: 'bug of the reference: dry runs show ports outside of the range of node ports',
  },
  {
    kinds: / CustomResourceDefinition$/,
    differences: /^code 422 \(.*: Invalid value: N: {2}in body should be a multiple of N\) → 0$/,
    reason: 'bug of the reference: it panics at multiples of 0, and answers nothing',
  },
  {
    kinds: /^autoscaling\/v2(beta\d)? HorizontalPodAutoscaler$/,
    requests: / status$/,
    differences: /^object status\.(currentMetrics|conditions): (null|missing) → list$/,
    reason: 'bug of the reference: it stores v1, in which a list that is emptied stays as it was',
  },
  {
    kinds: /^autoscaling\/v2(beta2)? HorizontalPodAutoscaler$/,
    requests: /^(update|patch)/,
    differences: /^object spec\.behavior: missing → object$/,
    reason: 'bug of the reference: it stores v1, in which a behavior that is taken away stays',
  },
  {
    requests: /^apply.* with owners that are no map$/,
    differences:
      /^code (20[01]|422 .*) → 500 \(: failed to create typed patch object .*managedFields\[N\]\.fieldsVN: expected map/,
    reason:
      'bug of the reference: what nobody reads in a template, who owns its fields, makes a 500',
  },
  {
    kinds: /^v1 (ConfigMap|Secret)$/,
    requests: /^(apply|patch strategic)$/,
    differences:
      /^(code 200 → 422 \(|status cause only there: \w+ )(binaryData|data): Forbidden: field is immutable/,
    reason:
      'bug of the reference: to applies and strategic patches, bytes that are empty and immutable have changed',
  },
  {
    kinds: /^v1 Pod$/,
    requests: /^create eviction$/,
    origins: /^deleteOptions\.dryRun(\[\])? ← /,
    differences:
      /^code (201|422 \(dryRun: .*) → 500 \(: Non-matching dry-run options in request and content/,
    reason: 'bug of the reference: what is wrong in the options of an eviction makes a 500',
  },
  {
    kinds: /^autoscaling\/v2(beta2)? HorizontalPodAutoscaler$/,
    requests: /^apply$/,
    origins:
      /^spec\.metrics\[\]\.(object|pods|resource|external)\.target\.(value|averageUtilization) ← absent$/,
    differences:
      /^object metadata\.managedFields\.\*\.fieldsV1\.f:spec\.f:metrics: missing → \{\}$/,
    reason: 'bug of the reference: it stores v1, which drops this value of a target at once',
  },
  {
    kinds: /^autoscaling\/v2 HorizontalPodAutoscaler$/,
    requests: /^apply status$/,
    origins: /^status\.currentMetrics\[\]\.resource\.current\.value ← absent$/,
    differences:
      /^object metadata\.managedFields\.\*\.fieldsV1\.f:status\.f:currentMetrics: missing → \{\}$/,
    reason: 'bug of the reference: it stores v1, which drops this value of a metric at once',
  },
  {
    kinds: /^v1 ReplicationController$/,
    requests: /^(update|patch \w+|apply) status$/,
    differences: /^object metadata\.managedFields\.\*\.fieldsV1\.f:metadata: object → missing$/,
    reason:
      'bug of the reference: labels that a write of the status leaves out are gone, until each read takes them from the template again',
  },
  {
    kinds: / CertificateSigningRequest$/,
    requests: /^apply/,
    differences:
      /^code 20[01] → 500 \(: failed to create typed patch object .*\.spec\.extra\.\w+(\[N\])?: expected/,
    reason:
      'bug of the reference: what a server says of who asks, and takes from nobody, makes a 500',
  },
];
