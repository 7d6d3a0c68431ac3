/** The bounds of the client, each with its reason. */

/** Of a call that has none of its own: etcd gives a write up after seven seconds. */
export const CALL_DEADLINE_MS = 8_000;

/** A server that has not taken a connection by then is passed over: it is on the same network. */
export const CONNECT_MS_MAX = 1_000;

/**
 * A read is sent to another server when half of its time has passed, but not before this: a leader
 * is elected in one to two seconds.
 */
export const READ_ATTEMPT_MS_MIN = 3_000;

/** Where no server takes connections, they are tried again, and watches and leases as well. */
export const RETRY_PAUSE_MS = 100;

/** A watch that hears nothing asks how far it is; without an answer it goes to another server. */
export const WATCH_SILENCE_MS = 2_000;
export const WATCH_ANSWER_MS_MAX = 2_000;

/**
 * A window of HTTP/2: with the usual 64 KB a long answer waits for the network every few messages.
 */
export const WINDOW_BYTES = 4 * 1_024 * 1_024;

/** Etcd closes connections that ask more often than every five seconds. */
export const PING_MS = 10_000;
export const PING_ANSWER_MS_MAX = 3_000;
