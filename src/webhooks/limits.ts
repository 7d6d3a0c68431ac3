/** Bounds of what webhooks are asked, with their reasons. */

/** A webhook that decides who may is asked so often while it is busy, first after so long. */
export const WEBHOOK_TRIES_MAX = 5;
export const WEBHOOK_RETRY_MS = 500;

/** So many of its answers are kept, or up to twice as many, of questions that are shorter. */
export const AUTHORIZATION_ANSWERS = 4_096;
export const REVIEWED_CHARACTERS_MAX = 10_000;

/** An answer of a webhook that is longer fails the call: it is held in memory, and read at once. */
export const WEBHOOK_ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** Bounds the answer of a webhook that is only told something: the rest is not read. */
export const WEBHOOK_UNREAD_ANSWER_BYTES_MAX = 64 * 1024;

/** A connection to a webhook is kept for so long after its last call. */
export const WEBHOOK_IDLE_MS_MAX = 60_000;

/** Connections to one webhook of a thread. Further calls wait for them, within their time. */
export const WEBHOOK_CONNECTIONS_MAX = 256;

/**
 * Calls of admission webhooks of one sort that a thread waits for, and bytes of what it has sent
 * with them: a webhook that hangs holds what would be written. One more write that it is to be
 * asked about is answered 429 with Retry-After.
 */
export const ADMISSION_CALLS_MAX = 4_096;
export const ADMISSION_CALLS_BYTES_MAX = 64 * 1024 * 1024;

/** For so long it is not asked again where the service of a webhook is. */
export const WEBHOOK_ADDRESS_MS_MAX = 2_000;

/** A call whose answer says `Retry-After` is made again so often, within its time. */
export const WEBHOOK_RETRIES_MAX = 10;
