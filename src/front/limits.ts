/** Every bound of the front alone, with its reason and what happens when it is reached. */
import { PAGE_BYTES_TARGET } from '../limits.ts';

/**
 * Bytes held of bodies that are still being received, of all connections together: 32 of the
 * largest. One more is answered 429, unless an older one comes so slowly, after its first moments,
 * that it is refused instead.
 */
export const RECEIVED_BYTES_MAX = 96 * 1024 * 1024;
export const RECEIVED_BYTES_PER_SECOND_MIN = 256 * 1024;
export const RECEIVED_MS_MIN = 2_000;

/**
 * Bytes of such bodies after which those that come are left to later turns of the front: some
 * milliseconds. Thousands of connections may have something to be read at once.
 */
export const RECEIVED_TURN_BYTES = 2 * 1024 * 1024;

/** A body may take so long, as in the reference; then its request is answered 504. */
export const RECEIVED_MS_MAX = 60_000;

/**
 * Bytes of pages taken from one shard after which the front asks it for no further one in the same
 * turn, since sockets are not looked at meanwhile: two, so that a lone list need not wait.
 */
export const LIST_TURN_BYTES = 2 * PAGE_BYTES_TARGET;

/** Frames and bytes that one channel keeps for readers that lag; older ones come from history. */
export const CHANNEL_RING_FRAMES_MAX = 4_096;
export const CHANNEL_RING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Live watches that are written to in one turn of the front; others are served between turns. And
 * watches that are opened in one turn, and of one type before its shard has answered: requests that
 * come later need not wait for all, and sockets are looked at in between, though the shard answers
 * while answers are taken. Where so many wait for a shard, one more is answered 429 with
 * Retry-After.
 */
export const WATCHES_WRITTEN_PER_TURN = 512;
export const WATCHES_OPENED_AT_ONCE = 64;
export const WATCHES_TO_OPEN_MAX = 32_768;

/**
 * Bytes of documents that all fronts together keep of what clients got: some ten thousand objects.
 * What is not got again goes first. And the longest document that is kept.
 */
export const KEPT_DOCUMENTS_BYTES_MAX = 64 * 1024 * 1024;
export const KEPT_DOCUMENT_BYTES_MAX = 64 * 1024;

/** A removed type waits at most this long until its watches have their last events. */
export const LAST_EVENTS_MS_MAX = 5_000;

/**
 * Large bodies wait for their turn (`LARGE_BODY_BYTES`). So many may wait, and so many bytes of
 * them; one more request is answered 429 with Retry-After.
 */
export const LARGE_BODIES_MAX = 4_096;
export const LARGE_BODIES_BYTES_MAX = 96 * 1024 * 1024;

/**
 * YAML is read in a thread that users have in turns. So much may wait for it of one user, some
 * seconds of their own, and of all; more is answered 429 with Retry-After.
 */
export const YAML_USER_BYTES_MAX = 4 * 1024 * 1024;
export const YAML_WAITING_BYTES_MAX = 32 * 1024 * 1024;

/**
 * A body whose type is YAML, and which begins as JSON, is only looked at for whether it is JSON
 * where it is longer: what is not takes some milliseconds to read as YAML where it is read.
 */
export const YAML_LOOKED_AT_BYTES = 2 * 1024;

/**
 * The body of an operation may have this size; a larger one is answered 413. The front reads it
 * itself, and all of its requests wait meanwhile: some milliseconds, and one body in a turn where
 * it is longer than the second. So much may wait of one user, and of all; more is answered 429 with
 * Retry-After.
 */
export const OPERATION_BODY_BYTES_MAX = 64 * 1024;
export const OPERATION_TURN_BYTES_MIN = 1024;
export const OPERATION_USER_BYTES_MAX = 4 * 1024 * 1024;
export const OPERATION_WAITING_BYTES_MAX = 32 * 1024 * 1024;

/** A node agent, pod or endpoint that takes no connection within this time is unreachable. */
export const NODE_DIAL_MS_MAX = 10_000;

/**
 * Another server of the API has so long to begin its answer, as all requests have in the reference,
 * and so long where it only lists what it has.
 */
export const REMOTE_ANSWER_MS_MAX = 60_000;
export const REMOTE_DISCOVERY_ANSWER_MS_MAX = 5_000;

/**
 * Answers are gzipped in pieces of this size, and so many of them at once: half of the threads in
 * which the runtime does such work, since commits are made there too.
 */
export const GZIP_PIECE_BYTES = 64 * 1024;
export const GZIP_TURNS_AT_ONCE = 2;

/**
 * A message that a client sends over a WebSocket. Clients of commands send 32 KiB at a time; the
 * library cuts a connection that has a longer one than this.
 */
export const SOCKET_MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

/** The time between two pings on a WebSocket: below what networks take for a dead connection. */
export const SOCKET_PING_MS = 30_000;

/**
 * An answer of a node agent, pod or endpoint that says such a length, or less, is passed on in one
 * piece, with its length; a longer one in chunks as it comes.
 */
export const PASSED_WHOLE_BYTES_MAX = 64 * 1024;

/**
 * A page of HTML that is passed on is looked at in pieces of the first size. One that is packed is
 * unpacked in pieces of the second, of which none becomes more than about a thousand times itself.
 * A link that is longer than the third stays as it is: what is known of one is held.
 */
export const PAGE_PIECE_BYTES = 16 * 1024;
export const PACKED_PIECE_BYTES = 256;
export const LINK_BYTES_MAX = 8 * 1024;

/** So much of what a node agent says when it refuses a log is told to the client. */
export const AGENT_ERROR_BYTES_MAX = 50_000;

/**
 * Bounds the bytes that wait for an agent that takes less than a client sends over a WebSocket: the
 * library cannot hold the client back. A session in which more waits is cut.
 */
export const SESSION_BYTES_MAX = 16 * 1024 * 1024;

/** A request may have so many headers; uWebSockets.js answers 431 to one more. */
export const REQUEST_HEADERS_MAX = 98;

/** So much of a path, and of the names of a request and of who asks, is in a line of the log. */
export const LOGGED_PATH_CHARACTERS_MAX = 1_024;
export const LOGGED_NAME_CHARACTERS_MAX = 256;

/**
 * The time that a connection may take for a handshake of TLS, for the head of a request, also after
 * the answer to another one, or to take a part of its answer; and how fast a body has to come, in
 * the mean of that time. uWebSockets.js cuts what is slower, and so do connections that Node
 * serves.
 */
export const IDLE_MS_MAX = 10_000;
export const BODY_BYTES_PER_SECOND_MIN = 16 * 1024;

/** A thread knows of so many users, or twice as many, by which rights they last acted as others. */
export const IMPERSONATORS_KEPT = 5_000;

/** The slow requests that a front remembers for people: a screen or two of them. */
export const SLOW_REQUESTS_KEPT_MAX = 100;
/** The audit events that are shown to people, and how much of the file is read for them. */
export const RECENT_EVENTS_MAX = 100;
export const RECENT_EVENT_BYTES_MAX = 256 * 1024;

/**
 * A front proposes creates itself while so many of its other requests wait for their shard: the
 * shard has enough to do then. With 16 the front of 64 connections proposed too many, and the shard
 * waited for it. Longer bodies, and more than so many in a turn of the front, are left to the
 * shard, which others of the front do not wait for.
 */
export const SHARD_REQUESTS_MIN = 40;
export const PROPOSED_BODY_BYTES_MAX = 32 * 1024;
export const PROPOSED_IN_TURN_MAX = 16;
