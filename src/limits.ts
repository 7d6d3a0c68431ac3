/**
 * The bounds of the server, each with its reason and what happens when it is reached; those of the
 * front alone, of calls of webhooks and of observability are in `limits.ts` of their folders.
 */

/** The share of each front in a bound of the whole server: all shares together stay within it. */
export function shareOf(bound: number, fronts: number): number {
  return Math.max(1, Math.floor(bound / fronts));
}

/** A request body may have this size (src/codec/README.md#bodies); a larger one is answered 413. */
export const REQUEST_BODY_BYTES_MAX = 3 * 1024 * 1024;

/**
 * The text of a stored object may be so long: more than any body asks for in honest ways. Without
 * it patches could let an object grow for ever. A longer one is tried again without its
 * managedFields, and then answered 500 as the reference's store does (src/codec/README.md#bodies).
 */
export const STORED_TEXT_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Text of what is wrong with one object; what comes after it is not told. Names of fields grow with
 * their depth, so that a small body could ask for an answer of hundreds of megabytes.
 */
export const CAUSES_CHARACTERS_MAX = 256 * 1024;

/**
 * Text of warnings that the deletion of a collection collects; what comes after it is not told, and
 * headers have less room anyway.
 */
export const COLLECTED_WARNINGS_CHARACTERS_MAX = 64 * 1024;

/**
 * A body that is larger waits for its turn, so that others need not wait for all of such bodies:
 * it takes some milliseconds to read. Writes of objects that are larger take several turns
 * (src/shard/README.md#large-writes).
 */
export const LARGE_BODY_BYTES = 64 * 1024;

/** Size of a request's headers, path and query included; uWebSockets.js answers 431 beyond it. */
export const REQUEST_HEADERS_BYTES_MAX = 64 * 1024;

/** Requests waiting in one shard's mailbox. One more is answered 429 with Retry-After. */
export const MAILBOX_REQUESTS_MAX = 8_192;

/**
 * Body bytes waiting in one shard's mailbox, so that large bodies cannot fill the memory before
 * the count does: 32 of the largest. One more request is answered 429 with Retry-After.
 */
export const MAILBOX_BYTES_MAX = 96 * 1024 * 1024;

/**
 * Versions leased ahead of use. A crash skips what is left of the block, and a lease costs a
 * commit: this is several seconds of writing at full speed.
 */
export const VERSION_LEASE_BLOCK = 100_000;

/** Address space reserved for the store's map; the file grows as data does, not to this. */
export const STORE_MAP_BYTES = 256 * 1024 ** 3;

/**
 * Pages of a new store. A record of 4 KB, such as a Pod, takes two pages of 4 KiB for itself, and a
 * quarter of one of these: the file, and what of it is in memory, is a fourth to a third smaller.
 */
export const STORE_PAGE_BYTES = 16 * 1024;

/**
 * Records of so many bytes and more are compressed, with a part of one of so many that were written
 * first as the dictionary: a longer one costs each of them more than it saves.
 */
export const COMPRESSED_BYTES_MIN = 2 * 1024;
export const DICTIONARY_CHOICE_RECORDS = 256;
export const DICTIONARY_BYTES_MAX = 8 * 1024;

/**
 * For so long a record that was checked is read again without a check, which is a third of what a
 * list costs: damage that comes meanwhile is served until then at most. And so many blocks of 32
 * versions of a log are remembered for it, in 64 bytes each at most: of 32 objects that were
 * written one after another, or of one. What comes beyond that is checked each time.
 */
export const CHECKED_MS_MAX = 10_000;
export const CHECKED_BLOCKS_MAX = 1024 * 1024;

/** Sub-databases of one store: one for each built-in type, and one for all custom types. */
export const STORE_TYPES_MAX = 256;

/** Records of a dropped log that are removed in one commit, for which others may have to wait. */
export const DROP_STEP_RECORDS = 100;

/**
 * Writes of one commit, and bytes of their records: bounds the latency of the first writer in it,
 * and lets deletions go on in parts where the disk has no room for all of them.
 */
export const COMMIT_WRITES_MAX = 4_096;
export const COMMIT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Bytes in one page of a list; backpressure acts per page. Each client holds up to three in
 * memory, so the lists that are open share the target, down to the minimum.
 */
export const PAGE_BYTES_TARGET = 1024 * 1024;
export const PAGE_BYTES_MIN = 128 * 1024;

/** Longer runs of items are not kept: most of their cost is to copy them (`kept-runs.ts`). */
export const RUN_BYTES_MAX = 256 * 1024;
/** A thread keeps so many bytes of them. This holds a list of 10,000 objects of 1.5 KB. */
export const KEPT_RUNS_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Bytes of items that one type holds of lists that say first how long they are, from when they
 * are measured until they are sent, beside those that are kept anyway: ten pages of 500 pods. What
 * is longer is made twice, once to measure it and once to send it.
 */
export const LIST_MADE_BYTES_MAX = 16 * PAGE_BYTES_TARGET;

/**
 * Bytes of pages after which a shard makes no further one in the same turn: other requests wait
 * for no more than these and the last page.
 */
export const PAGE_TURN_BYTES = 512 * 1024;

/**
 * Looking at one object of the table counts as so many of these bytes, since copying them takes as
 * long.
 */
export const LOOK_BYTES = 32;

/** Objects that a list or watch with selectors looks at in one turn: some milliseconds. */
export const LOOKED_AT_MAX = 16_384;

/**
 * Old versions that one commit drops beside what it writes, so that its writers do not notice, and
 * the time between two of them: together 50,000 a second, more than anyone writes.
 */
export const COMPACTION_STEP_VERSIONS = 500;
export const COMPACTION_PAUSE_MS = 10;

/**
 * Records of the other dialect that are looked at in one turn, and their bytes after which no
 * further one is: some milliseconds, and as many for the commit that follows.
 */
export const TRANSLATION_STEP_RECORDS = 200;
export const TRANSLATION_STEP_BYTES = 64 * 1024;

/** How often compaction looks for versions that have left the history window. */
export const COMPACTION_INTERVAL_MS = 1_000;

/** Old versions put in order at once, which takes some milliseconds; the rest comes after them. */
export const COMPACTION_BATCH_VERSIONS = 32_768;

/**
 * Bytes given to one watch's socket at once: what a cork takes without copying twice, and about
 * what a reader that stalls holds in memory. Also what one step of catching up looks at.
 */
export const WATCH_WRITE_BYTES_MAX = 256 * 1024;

/**
 * Resource types that are emptied of terminating namespaces at a time: shards share threads, and
 * each of them takes steps of many deletions, between which the others have to wait.
 */
export const NAMESPACE_TYPES_AT_ONCE = 4;

/** A namespace that is being emptied is looked at again after this when objects remain. */
export const NAMESPACE_RETRY_MS = 250;

/** Entries of its table that a shard looks at for one answer about who owns whom. */
export const OWNERSHIP_PAGE_ENTRIES = 5_000;

/**
 * Objects of one type that the garbage collector looks at, and deletes, in one step: some
 * milliseconds, after which the requests that wait have their turn. After this time no further one
 * is, where they are large.
 */
export const GARBAGE_STEP_OBJECTS = 200;
export const GARBAGE_STEP_MS = 10;

/**
 * Objects that are deleted in one turn of those that are deleted together, and the time after which
 * no further one is: large ones take long.
 */
export const DELETE_STEP_OBJECTS = 100;
export const DELETE_STEP_MS = 5;

/** The garbage collector retries failed work, such as a commit on a full disk, after this time. */
export const GARBAGE_RETRY_MS = 1_000;

/**
 * Definitions that are served together: requests are routed anew once for all of them. So many, and
 * no further one after so many characters of schemas; what comes later is served after them. So
 * many of their shards start at a time, some milliseconds in a turn of the thread that they are on.
 */
export const DEFINITIONS_AT_ONCE = 64;
export const DEFINITIONS_SCHEMA_CHARACTERS = 4 * 1024 * 1024;
export const TYPES_STARTED_AT_ONCE = 8;

/**
 * A definition that could not be served, or whose objects are not all gone, is looked at again
 * after.
 */
export const DEFINITION_RETRY_MS = 1_000;

/**
 * The garbage collector remembers so many objects that have gone with their types. It leaves alone
 * dependents of others, as it does with owners of any kind that nobody serves.
 */
export const GARBAGE_GONE_UIDS_MAX = 100_000;

/** How often expired events are looked for; finding none costs one read. */
export const EXPIRY_INTERVAL_MS = 1_000;

/** Records that the walk for expired objects reads, and objects that it removes, in a turn. */
export const EXPIRY_STEP_RECORDS = 2_000;
export const EXPIRY_STEP_REMOVALS = 500;

/**
 * A YAML body may have this size; a larger one is answered 413. The worst of that size takes most
 * of a second to parse.
 */
export const YAML_BODY_BYTES_MAX = 256 * 1024;

/**
 * Where the short-lived objects of a thread live. For a front a quarter of the runtime's default
 * holds a turn's worth of requests as well, and keeps 20 MB less resident. With as little, the
 * writes that wait for a commit outlive their generation in a shard's thread: with twice as much a
 * Pod is created at 0.86 of the CPU, and with more at the same.
 */
export const FRONT_YOUNG_GENERATION_MB = 12;
export const SHARD_YOUNG_GENERATION_MB = 24;

/**
 * States at old versions that a shard keeps between the pages of lists, and the objects in them
 * all: about 30 MB. Beyond it the one that was used longest ago is found again when asked for.
 */
export const PAST_STATES_MAX = 64;
export const PAST_STATES_ENTRIES_MAX = 150_000;

/**
 * For a list at an old version: what was replaced since that one turn looks at, and how many old
 * versions it reads. Others are served between turns.
 */
export const PAST_STATE_STEP_ENTRIES = 100_000;
export const PAST_STATE_STEP_VERSIONS = 2_000;

/**
 * All shards together cache so many bytes of encoded objects: binary forms, rows of Tables, and
 * versions that are not stored. This holds 10,000 pods of 5 KB and the other objects that
 * controllers list again and again, or the rows of 200,000 pods. When there are more, a part of
 * them is cached (`encoding-cache.ts`).
 */
export const ENCODING_CACHE_BYTES_MAX = 64 * 1024 * 1024;

/** How often a thread looks whether others want the room of what it keeps and nobody asks for. */
export const YIELD_ROOM_INTERVAL_MS = 1_000;

/** For so long a lease of a server's identity says that it lives, and so often it is renewed. */
export const IDENTITY_LEASE_SECONDS = 3_600;
export const IDENTITY_LEASE_RENEW_MS = 10_000;

/** Storage versions are looked at again after so long. */
export const STORAGE_VERSIONS_INTERVAL_MS = 600_000;

/** An object that programs find the API by is looked at so long after it has changed. */
export const BOOTSTRAP_INTERVAL_MS = 1_000;

/**
 * So much of the disk is kept free by writes of objects, and so much by all that must go on:
 * deletions, which make room in the end, and what a start or stop notes down. Between the two is
 * room for thousands of deletions. The disk is looked at so often at most.
 */
export const FREE_SPACE_BYTES_MIN = 16 * 1024 * 1024;
export const FREE_SPACE_FOR_DELETIONS_BYTES_MIN = 2 * 1024 * 1024;
export const FREE_SPACE_CHECK_MS = 50;

/**
 * So much is looked at for the columns of a custom object in a Table, in values and characters of
 * cells: paths that go everywhere several times would never come to an end. Cells after that are
 * empty. No honest columns come near.
 */
export const CUSTOM_ROW_WORK_MAX = 4_000_000;

/**
 * A type that has so many objects at a start writes some of them in protobuf and throws them away
 * (`warm-up.ts`), at most so many and about so many bytes of them. With so many pods nearly all of
 * what writes them is compiled: 30 ms of the type's thread, and as much of those that compile. It
 * begins after others have started; a turn is so short that nobody notices, and two thirds of the
 * time are left to who asks.
 */
export const WARM_UP_OBJECTS_MIN = 1_000;
export const WARM_UP_OBJECTS = 2_000;
export const WARM_UP_BYTES = 8 * 1024 * 1024;
export const WARM_UP_DELAY_MS = 100;
export const WARM_UP_STEP_MS = 2;
export const WARM_UP_PAUSE_MS = 4;

/** How long a webhook has for all of an answer, and for the handshake before it. */
export const WEBHOOK_MS_MAX = 30_000;
export const WEBHOOK_HANDSHAKE_MS_MAX = 10_000;

/**
 * Objects that a webhook has converted are cached in so many characters for each type, besides
 * those that a request waits for, and for so long: the webhook may be replaced by one that answers
 * otherwise. The reference calls it for each read.
 */
export const CONVERSIONS_CHARACTERS_MAX = 8 * 1024 * 1024;
export const CONVERSION_KEPT_MS_MAX = 10_000;

/** Objects that one call asks a conversion webhook for, in characters; one object at least. */
export const CONVERSION_BATCH_CHARACTERS_MAX = 256 * 1024;

/** So many calls of the conversion webhook of a type are under way at once; others wait. */
export const CONVERSION_CALLS_AT_ONCE = 32;

/**
 * A request that has to wait for others is begun again for so long, each time that something else
 * is needed, or that the object has changed meanwhile. The reference ends requests after that time.
 */
export const WAITING_REQUEST_MS_MAX = 60_000;

/** Events that wait for a webhook; when there are more, their watches end. */
export const WAITING_EVENTS_MAX = 4_096;
export const WAITING_EVENTS_BYTES_MAX = 4 * 1024 * 1024;

/**
 * An address that is held for a service that is not there goes after so long: by then the request
 * that would make the service is over.
 */
export const ORPHAN_ADDRESS_MS = 60_000;
/** A service that is there, but has other addresses, is looked at again after this time. */
export const MOVED_ADDRESS_MS = 5_000;
/**
 * A range of addresses that is being deleted stays for so long, so that all who give out addresses
 * know it.
 */
export const ENDING_RANGE_MS = 10_000;

/** How many objects a controller works on at a time: their writes share commits. */
export const CONTROLLER_WORK_AT_ONCE = 16;
/** A controller retries failed work after so long, twice as long each time, ... */
export const CONTROLLER_RETRY_MS = 10;
/** ... up to this. */
export const CONTROLLER_RETRY_MS_MAX = 30_000;
/** Leases of fake nodes hold for so long, as those of kubelets do: a quarter of it renews them. */
export const FAKE_LEASE_SECONDS = 40;
/** Leases are renewed in so many turns, one part of the nodes each. */
export const FAKE_LEASE_TURNS = 10;
/** Who waits for longer looks again after so long: timers reach no further than some weeks. */
export const CONTROLLER_WAIT_MS_MAX = 86_400_000;

/** A migration waits so long for its resource to come, as in the reference. */
export const MIGRATION_TYPE_WAIT_MS = 60_000;
/** Objects that a migration lists at a time. */
export const MIGRATED_AT_ONCE = 500;

/** An election is looked at again so often: a lease that ends is no event. */
export const ELECTION_LOOK_MS = 5_000;
/** Candidates that have ended are removed so often, as in the reference. */
export const CANDIDATE_ROUND_MS = 30 * 60_000;

/** Tokens that nobody uses are looked for so often, as in the reference, ... */
export const LEGACY_TOKENS_ROUND_MS = 86_400_000;
/** ... in lists of so many objects. */
export const LEGACY_TOKENS_AT_ONCE = 500;

/** The objects of flow control are looked at so often, as the reference does it, ... */
export const FLOW_CONTROL_INTERVAL_MS = 60_000;
/** ... and at most so many of a type. */
export const FLOW_OBJECTS_MAX = 10_000;
/** So long after a change of them schemas are told whether there is their level. */
export const FLOW_TOLD_AFTER_MS = 200;

/** The creation of an object that a cluster begins with is retried after so long, ... */
export const START_OBJECTS_RETRY_MS = 1_000;
/** ... so often, as the reference does; then the start fails. */
export const START_OBJECTS_TRIES_MAX = 30;
