/** Bounds of what is written to etcd, and of waits for it. */

/** Etcd's own bound of a request, 1.5 MiB, less keys and what is around them. */
export const OBJECT_BYTES_MAX = 1_536 * 1_024 - 16 * 1_024;
/**
 * Records of one transaction: a group with a long object in it is one write longer than this, and
 * still below etcd's bound.
 */
export const GROUP_BYTES_MAX = 1_024 * 1_024;
/** Etcd takes 128 operations in a transaction; three are those of the group, turn and version. */
export const GROUP_WRITES_MAX = 125;
/** Transactions of one type that etcd has at a time. */
export const GROUPS_UNDER_WAY_MAX = 4;

/** One that is not answered by then is in doubt. */
export const TXN_MS_MAX = 4_000;
/** Clients are told after so long that etcd does not answer; they are to hear of it within 10 s. */
export const APPEND_MS_MAX = 7_000;
export const RETRY_MS = 100;
/**
 * Objects of one answer while a view is built: at first, since nobody knows how long they are, and
 * at most. With those of an answer the next is to be no longer than so many bytes.
 */
export const RANGE_OBJECTS_MIN = 32;
export const RANGE_OBJECTS = 500;
export const RANGE_BYTES = 4 * 1_024 * 1_024;
/** Between two questions how far a watch is. */
export const PROGRESS_MS = 50;
/** Reads that ask for the newest state are told after so long that nobody knows it. */
export const FRESH_MS_MAX = 9_000;
/** Groups of so many records are one commit while a view catches up. */
export const VIEW_APPEND_RECORDS = 1_000;
/** A lease counts as over so long before it is: clocks of two machines do not run alike. */
export const LEASE_MARGIN_MS = 500;
/** A version that nobody has heard of by then was never issued. */
export const ISSUED_MS_MAX = 3_000;
/** Between two questions how far all is where nobody writes. */
export const IDLE_PROGRESS_MS = 1_000;
