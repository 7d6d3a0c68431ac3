/** Bounds of what is told about the server, each with its reason and what happens beyond it. */

/**
 * Memory for the metrics of one thread: numbers of about 80,000 histograms, and 150,000 names. It
 * is taken as it is needed. A series beyond it is not shown, and counted as refused.
 */
export const METRIC_CELLS_BYTES_MAX = 16 * 1024 * 1024;
export const METRIC_SERIES_BYTES_MAX = 32 * 1024 * 1024;

/** The time between two looks at figures that change by themselves. */
export const SAMPLE_INTERVAL_MS = 1_000;

/**
 * The time between two looks of a thread at how late it is; a whole second for one that has less to
 * do than this part of the time, since ten looks a second of each thread cost more than all else
 * that an idle server does.
 */
export const EVENT_LOOP_LOOK_MS = 100;
export const BUSY_UTILIZATION_MIN = 0.02;

/**
 * Making a scrape takes no more of a front's time than one part of so many: one that is asked for
 * sooner gets the last again.
 */
export const SCRAPE_TIME_PARTS = 10;

/** Lines of a scrape are put together for so long before others have their turn. */
export const SCRAPE_TURN_MS = 3;

/** A profile takes so long when nobody says how long, and at most. */
export const PROFILE_SECONDS = 30;
export const PROFILE_SECONDS_MAX = 300;
/** A profile of memory has one allocation in so many bytes. */
export const PROFILE_SAMPLE_BYTES = 128 * 1024;
/** A thread may take so long to begin, and to put what it has found together. */
export const PROFILE_GRACE_MS = 30_000;
