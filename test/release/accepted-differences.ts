/** Where the documents of this server differ from those of a release, and why they may. */
import type { AcceptedFact } from '../../tools/release/fact-differences.ts';

const REQUIRED_BODIES = 'version 3 says of bodies that they are required, as version 2 does';

export const ACCEPTED: readonly AcceptedFact[] = [
  {
    since: 24,
    until: 29,
    subjects: /^operation .* how$/,
    change: /^body:\S+! → body:\S+$/,
    reason: REQUIRED_BODIES,
  },
  {
    since: 24,
    until: 29,
    subjects: /^v2 operation .* how$/,
    change: /^nothing → .* body:\S+! /,
    reason: REQUIRED_BODIES,
  },
  {
    since: 32,
    subjects: /^operation .* how$/,
    change: /^nothing → ([<>]application\/(apply-patch\+)?cbor(-seq)? ?)+$/,
    reason: 'CBOR is not served: it is an alpha feature of the reference, and off',
  },
  {
    subjects: /^(operation \/logs\/|document logs$)/,
    reason: 'the reference lists files of its machine below /logs, of which there are none here',
  },
  {
    until: 27,
    subjects: /^document apis\/apiregistration\.k8s\.io/,
    change: /→ nothing$/,
    reason: 'version 3 tells of the aggregator too; the reference does so from 1.27 on',
  },
  {
    until: 27,
    subjects: /^definition kube-aggregator\./,
    change: /^(item\.)?default=\S+ → nothing$/,
    reason: 'version 3 tells of the aggregator too; the reference does so from 1.27 on',
  },
  {
    until: 24,
    subjects: /^definition /,
    change: /^nothing → enum=\S+$/,
    reason: 'of 1.23, which has a feature for it that is off, the values that are checked are told',
  },
  {
    since: 26,
    subjects: /^definition meta\.v1\.Status$/,
    change: /^kinds=v1\/Status → kinds=resource\.k8s\.io\/v1alpha[12]\/Status,v1\/Status$/,
    reason: 'a kind of one alpha version of one group is named by mistake',
  },
  {
    since: 28,
    subjects: /^definition admissionregistration\.v1alpha1\.Variable$/,
    change: /^map=atomic → nothing$/,
    reason: 'versions share the message, and in the others a variable has one owner as a whole',
  },
  {
    subjects: /^definition /,
    change: /^(item\.)?enum=\S+ → nothing$/,
    reason: 'values that are checked are told, whether or not the published type lists them',
  },
];
