/** Definitions of public projects, and objects of their kinds, may differ in these. */
import type { AcceptedDifference } from './accepted-refusals.ts';

/** By the groups of those definitions. */
const CUSTOM =
  /^\S*(cert-manager\.io|gateway\.networking\.(x-)?k8s\.io|monitoring\.coreos\.com|leaves\.example\.com|cluster\.x-k8s\.io)\//;

export const OF_CUSTOM_TYPES: readonly AcceptedDifference[] = [
  {
    kinds: CUSTOM,
    differences: /^code \d+ .*→ 429 \(TooManyRequests: storage is \(re\)initializing\)$/,
    reason: 'the reference reads a type that has just come, and asks clients to come again',
  },
  {
    kinds: CUSTOM,
    differences: /^(event \w+ )?object order of members$/,
    reason: 'documents begin with kind, apiVersion and metadata; the reference sorts all members',
  },
  {
    kinds: CUSTOM,
    differences:
      /^code (400 \(BadRequest|422 \(patch): .*Object 'apiVersion' is missing in .* → (500|404|422|409) \(/,
    reason: 'a body without an apiVersion is the fault of the client, and refused before others',
  },
  {
    kinds: CUSTOM,
    requests: /^update/,
    differences: /^code 422 \(kind: Invalid value: .*: must be \w+\) → 40[49] \(/,
    reason: 'what an object says of its type is looked at before what is stored',
  },
  {
    kinds: CUSTOM,
    requests: /^create with a status$/,
    differences: /^object metadata\.managedFields: list → missing$/,
    reason: 'bug of the reference: all owners are lost for a status that is none, which is dropped',
  },
  {
    kinds: CUSTOM,
    requests: /^apply/,
    differences: /^code 422 \(metadata\.(labels|annotations): .* → 20[01]$/,
    reason: 'bug of the reference: labels that are null in an apply are stored, and never checked',
  },
  {
    kinds: CUSTOM,
    differences: /^status cause ….*Invalid value: "integer": .* → ….*Invalid value: "number": /,
    reason:
      'numbers are told apart by their value (src/types/README.md#limits): 0e-1 is the integer 0',
  },
  {
    kinds: /^leaves\.example\.com\//,
    requests: /^(create|update|patch merge)$/,
    differences: /^object metadata\.managedFields: list → missing$/,
    origins: /^spec\.formats\.\w+ ← \[\]$/,
    reason: 'bug of the reference: a text of a format may be a list, and then all owners are lost',
  },
  {
    kinds: /^leaves\.example\.com\//,
    requests: /^create$/,
    differences: /^object metadata\.managedFields: list → missing$/,
    origins: /^metadata\.managedFields\[\]\.apiVersion ← /,
    reason:
      'bug of the reference: owners in a version that does not exist cost a custom object all',
  },
  {
    kinds: /^leaves\.example\.com\//,
    requests: /^(update|patch merge)$/,
    differences: /^object metadata\.managedFields: missing → list$/,
    origins: /^metadata\.managedFields\[\]\.apiVersion ← /,
    reason:
      'bug of the reference: an update with owners in a version that does not exist leaves them all',
  },
  {
    kinds: CUSTOM,
    requests: /^apply of what is deleted$/,
    differences: /^code 200 → 422 \(metadata: Invalid value: /,
    origins: /^metadata\.deletionTimestamp ← /,
    reason: 'when an object ends is not for its writers to say, so that what they send is not read',
  },
  {
    kinds: CUSTOM,
    requests: /^apply scale/,
    differences:
      /(failed to create manager for existing fields: failed to convert live object .*) → (failed to (convert new object|create typed patch object) |20\d)/,
    reason: 'bug of the reference: a scale that changes nothing is noted as a change of its owner',
  },
  {
    kinds: CUSTOM,
    requests: /^(update|patch merge|apply) status/,
    differences:
      /^status cause only (here|there): FieldValueInvalid (<nil>|status): Invalid value: "…": Checked value must be of type /,
    reason: 'where the status is written the whole object is checked, and places are those in it',
  },
];
