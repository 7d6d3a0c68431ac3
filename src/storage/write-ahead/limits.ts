/** Bounds of the write-ahead log; README.md says what each is for. */

/** A file of it is used anew when the store has been flushed. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
/** A file grows by this much at a time, so that few writes change its length. */
export const EXTENSION_BYTES = 256 * 1024;
/** What one turn appends beyond this is flushed with the store. */
export const GROUP_BYTES_MAX = 8 * 1024 * 1024;
