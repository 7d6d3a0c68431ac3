/**
 * Definitions in groups of the API itself need an approval (README.md#custom-resource-definitions).
 */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownDialect, ownName } from '../../semantics/dialect/own-names.ts';

export const APPROVED_ANNOTATION = ownName('api-approved.cluster.io');

const APPROVAL_HELP = 'https://github.com/kubernetes/enhancements/pull/1111';
/** The domains of the API itself; public clients treat the last two as such in either dialect. */
const PROTECTED_DOMAINS = [ownDialect().domain, 'k8s.io', 'kubernetes.io'];
/** An absolute URL with a host, as a request may name it: neither blanks nor broken escapes. */
const URL_WITH_HOST =
  /^[a-z][-+.a-z0-9]*:\/\/(?:[-\w.:~!$&'()*+,;=%@]*@)?(?:\[[^\]/?]+\]|[^\s[\]/?#@\\^`{|}%:]+)(?::\d*)?(?:\/(?:[^%?]|%[0-9a-f]{2})*)?(?:\?.*)?$/i;
// oxlint-disable-next-line no-control-regex -- a URL with one of them is none
const CONTROL = /[\u0000-\u001f\u007f]/;

export interface ApiApproval {
  readonly state: 'missing' | 'approved' | 'bypassed' | 'invalid';
  /** The message of the condition, or of the error. */
  readonly message: string;
}

/** Whether definitions in the group need an approval. */
export function isProtectedGroup(group: string): boolean {
  return PROTECTED_DOMAINS.some((domain) => `.${group}`.endsWith(`.${domain}`));
}

/** Reads the approval of a definition from its annotations. */
export function apiApproval(annotations: Readonly<Record<string, string>> = {}): ApiApproval {
  const approval = annotations[APPROVED_ANNOTATION] ?? '';
  const start = `protected groups must have approval annotation "${APPROVED_ANNOTATION}"`;
  if (approval === '') return { state: 'missing', message: `${start}, see ${APPROVAL_HELP}` };
  if (approval.startsWith('unapproved')) {
    return { state: 'bypassed', message: `not approved: ${quoteText(approval)}` };
  }
  if (URL_WITH_HOST.test(approval) && !CONTROL.test(approval)) {
    return { state: 'approved', message: `approved in ${approval}` };
  }
  const form = 'with either a URL or a reason starting with "unapproved"';
  return { state: 'invalid', message: `${start} ${form}, see ${APPROVAL_HELP}` };
}
