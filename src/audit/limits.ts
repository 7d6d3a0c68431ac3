/** Bounds of the audit log, each with its reason and what happens when it is reached. */

/**
 * A policy may be so long: some 15,000 rules, of which each request looks at all until one holds. A
 * longer one ends the start: to read it would take minutes.
 */
export const AUDIT_POLICY_BYTES_MAX = 1024 * 1024;

/**
 * A list of which an audit event tells may be so long; a longer one is left out of its event, which
 * says so. A whole list lies in memory until it is written.
 */
export const AUDITED_OBJECT_BYTES_MAX = 16 * 1024 * 1024;

/** The bound of an answer in YAML, which another thread needs some seconds to read again. */
export const AUDITED_YAML_BYTES_MAX = 1024 * 1024;

/**
 * So many lists of audit events are on their way to a webhook at a time. What comes meanwhile waits
 * in the buffer whose size is an option, and is lost where that is full: a webhook that hangs costs
 * no more memory than that.
 */
export const AUDIT_WEBHOOK_DELIVERIES_MAX = 8;

/**
 * When the server stops, it waits so long for a webhook that does not answer, half as long as for
 * the requests; what is not sent by then is lost.
 */
export const AUDIT_WEBHOOK_CLOSE_MS_MAX = 5_000;

/** As often a list is sent that the webhook does not take; then its events are lost. */
export const AUDIT_WEBHOOK_TRIES_MAX = 5;
