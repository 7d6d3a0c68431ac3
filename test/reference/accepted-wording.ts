/**
 * Differences between two refusals with the same code and reason: in words, and in what else is
 * told.
 */
import { DECODING, REFUSAL, type AcceptedDifference } from './accepted-refusals.ts';

export const WORDING: readonly AcceptedDifference[] = [
  {
    differences: /^object columnDefinitions\.\*\.description: /,
    reason: 'wording: what a column of a Table shows is described in words of our own',
  },
  {
    differences: new RegExp(`^status message .*(?:${DECODING.source})`, 's'),
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
    requests: /^patch/,
    differences:
      /^status cause …FieldValueInvalid patch: Invalid value: "\{.*… → …FieldValueInvalid patch: /,
    reason: 'wording: a patched object is shown with its members in the order of each server',
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
    kinds: /AccessReview$/,
    differences: /^status (message|details\.\w+|cause)/,
    reason: 'wording: the reference refuses a review without its kind and name, by other members',
  },
  {
    requests: /^(list|delete|create|update|patch|apply)/,
    differences: new RegExp(
      '^status (details\\.\\w+: .*|cause only (here|there): \\w+ )' +
        `(${REFUSAL.optionNames}|"\\w+Options")`,
    ),
    reason: 'wording: of several wrong options each server tells others first',
  },
  {
    differences: /^status details\.(name|group): .*(missing|text)$/,
    requests: /^(list|deletecollection|create|update|patch|apply)/,
    reason: 'wording: a refusal of the options of a request names no object',
  },
  {
    kinds: / (Event|PodDisruptionBudget)$/,
    differences: /^status cause only (here|there): \w+ metadata\./,
    reason: 'bug of the reference: it does not check all metadata of Events and disruption budgets',
  },
  {
    kinds: / CertificateSigningRequest$/,
    requests: /^create/,
    differences: /^status cause only here: \w+ metadata\.(name|generateName): .*may not contain/,
    reason: 'all problems are told at once; the reference looks at these names last, and alone',
  },
  {
    kinds: / Job$/,
    requests: /^create/,
    differences: /^status cause only here: \w+ metadata\.labels: /,
    reason:
      'labels that a Job has of its template are checked; the reference adds them where it reads what is stored',
  },
  {
    requests: / of a long text$/,
    differences:
      /^status cause only there: FieldValueInvalid [\w.[\]]+: .*(a valid label must be|name part must consist)/,
    reason: 'a text that is too long for a name or a label is not also refused for its characters',
  },
  {
    differences:
      /^status cause only here: \w+ [\w.[\]]*volumeMounts\[\]\.mountPath: .*must not already exist as a path in volumeDevices$/,
    reason:
      'wording: of devices with the same name the reference looks at the path of the last one',
  },
  {
    kinds: / StatefulSet$/,
    differences: /^status cause only here: \w+ spec\.template\./,
    reason:
      'the template of a StatefulSet is checked like every other; the reference does it by half',
  },
  {
    kinds: / (Deployment|ReplicaSet|DaemonSet|ReplicationController|Job|CronJob)$/,
    differences: /^status cause only here: \w+ spec\.(jobTemplate\.spec\.)?template\./,
    reason: 'the template is checked also where its selector is not valid',
  },
  {
    differences: /^status cause (only (here|there)|value): \w+ [\w.[\]]*ephemeralContainers\[\]/,
    reason: 'wording: the reference tells the index of an ephemeral container twice',
  },
  {
    differences:
      /^status cause only (here|there): \w+ [\w.[\]]*\b(ceph(fs|FS)|downward?API|(gceP|p)ersistentDisk\.\w+|csi\.nodePublishSecretRef ?\.name|projected(\.sources\[\](\.\w+)*)?(\.path)?): /,
    reason: 'wording: the reference calls some sources of volumes by two names',
  },
  {
    differences: new RegExp(
      '^status cause only here: \\w+ ([\\w.[\\]]*\\bvolumes\\[\\]|spec(\\.source\\.inlineVolumeSpec)?)\\.' +
        '(awsElasticBlockStore|azureDisk|azureFile|cinder|configMap|gitRepo|hostPath|persistentVolumeClaim|flexVolume|gcePersistentDisk|glusterfs|iscsi|nfs|secret|local|nodeAffinity|photonPersistentDisk|portworxVolume|' +
        'quobyte|rbd|scaleIO|storageos|vsphereVolume)\\b',
    ),
    reason: 'all sources of a volume are checked; the reference checks the first of several',
  },
  {
    differences: /^status cause .*if it was previously negative\)/s,
    reason: 'wording: the reference shows what of a Pod may not change as a text of its language',
  },
  {
    differences: /^status cause only (here|there): FieldManagerConflict /,
    reason: 'bug of the reference: of several conflicts it tells the last one again and again',
  },
  {
    requests: /^apply/,
    differences: /^status message failed to create typed patch object/,
    reason: 'wording: of several members that are not of their type each server tells others',
  },
  {
    kinds: / (Pod|Binding)$/,
    requests: /^create( binding| eviction)?$/,
    differences:
      /^status message .* → name in URL does not match name in (Binding|Eviction) object$/,
    reason: 'wording: what is for another Pod is refused in words of its own there',
  },
  {
    differences: /^status cause only there: \w+ metadata\.deletionTimestamp: .*field is immutable$/,
    reason: 'wording: the reference prints times as its language does, and tells this twice',
  },
  {
    requests: /^(update|patch|apply)/,
    differences: /^status cause only there: \w+ metadata\.generateName: .*may not contain/,
    reason: 'wording: the reference holds it to the rule of paths and to that of names',
  },
  {
    kinds: / (ConfigMap|Secret)$/,
    differences: /^status cause only (here|there): \w+ data(\[\])+: /,
    reason: 'wording: the reference tells the path of an empty key in its own way',
  },
  {
    kinds: / PodSecurityPolicy$/,
    differences: /^status cause only (here|there): \w+ spec\.volumes(\[\])?: /,
    reason: 'wording: of a source that is not known the reference tells no index',
  },
  {
    kinds: / Pod$/,
    differences: /^status cause only (here|there): \w+ (status|metadata)\.conditions\[\]\./,
    reason: 'wording: the reference tells conditions under another path',
  },
  {
    kinds: /WebhookConfiguration$/,
    differences: /^status cause only (here|there): \w+ webhooks\[\]\.clientConfig\./,
    reason: 'wording: URLs are taken apart by the libraries of two languages',
  },
  {
    kinds: / CustomResourceDefinition$/,
    differences:
      /^status cause only there: \w+ (status\.storedVersions|spec\.(scope|names\.\w+|conversion\.strategy)): /,
    reason: 'wording: of a definition with other problems the reference tells more of them',
  },
  {
    kinds: / Namespace$/,
    requests: /finalize/,
    differences: /^status cause only (here|there): \w+ spec\.finalizers(\[\])?: /,
    reason: 'wording: of a finalizer that is wrong the reference tells the index here only',
  },
  {
    kinds: / PodSecurityPolicy$/,
    differences:
      /^status cause (only there: \w+ spec\.allowedCSIDrivers\.|….*supported values: .* → ….*supported values: )/,
    reason: 'wording: the reference lists sets in any order, and a driver under a path of its own',
  },
  {
    requests: /^(list|deletecollection)/,
    differences: /^status message .*is not a known field selector.* → field label /,
    reason: 'wording: the reference has two texts for a field that is not selectable',
  },
  {
    differences: /^status cause only there: FieldValueInvalid [\w.[\]]+: .*a lowercase RFC/,
    reason: 'a name that is too long is not also refused for its characters',
  },
  {
    kinds: /WebhookConfiguration$/,
    requests: /^apply$/,
    origins: /^webhooks\[\]\.clientConfig\.caBundle ← /,
    differences: /^status message failed to convert new object .*: illegal base/,
    reason: 'wording: the reference says once more that it decodes JSON',
  },
  {
    kinds: /^v1 Service$/,
    requests: /^create$/,
    differences:
      /^status cause only there: FieldValueDuplicate spec\.ports\[\]\.nodePort: Duplicate value: N$/,
    reason: 'wording: the reference gives ports to what it refuses, and one to two that are alike',
  },
  {
    kinds: /^v1 Service$/,
    requests: /^(create|update|apply).* of a port out of range\b/,
    differences:
      /^(code 422 .* → 500 \(undefined: failed to allocate requested HealthCheck|status (cause only here: |cause only there: \w+ spec\.(ports\[\]\.nodePort|healthCheckNodePort): .*not in the valid range|details\.name: ))/,
    reason: 'the reference gives ports before it checks anything else, and refuses for them alone',
  },
  {
    kinds: / NetworkPolicy$/,
    requests: /^delete/,
    differences:
      /^status (message Operation cannot be fulfilled on NetworkPolicy\.networking\S* .* → .*NetworkPolicy\.extensions |details\.group: text → "extensions"$)/,
    reason: 'bug of the reference: it calls the group of network policies by its former name',
  },
  {
    differences: /^status message the body is not valid (Unicode|UTF)/,
    reason: 'nothing that a client wrote is changed in silence: what is no Unicode is refused',
  },
  {
    kinds: /^admissionregistration\./,
    differences: /^status cause ….*\nERROR: <input>:\d+:\d+: Syntax error: /s,
    reason: 'wording: of an expression with several mistakes the first is told, there each',
  },
  {
    requests: /^patch strategic/,
    differences: /^header warning only (here|there) \((accepted|refused)\): unknown field "…"$/,
    reason: 'wording: a directive that means nothing may be a member, of which writers are warned',
  },
  {
    requests: /^patch strategic/,
    differences: /^status message .* → unknown patch type: /,
    reason: 'wording: of a patch with several mistakes another one is found first',
  },
  {
    requests: /^apply/,
    differences:
      /^status message failed to convert new object \(.*\) to proper version: (.*) → failed to convert new object: \1/,
    reason: 'wording: what a write is reset to is converted by itself there',
  },
  {
    requests: / of a long text/,
    differences: /^status cause only there: FieldValueInvalid \S+: .*must be no more than N bytes$/,
    reason: 'wording: of a text that is far too long nothing else is told than that',
  },
];
