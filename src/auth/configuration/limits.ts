/** Bounds of how a file that says who decides is followed, with their reasons. */

/** So often the file is looked at where its folder does not tell of changes. */
export const CONFIGURATION_LOOK_MS = 60_000;

/** So long after a change it is read: writers may take several steps, and often do. */
export const CONFIGURATION_SETTLE_MS = 50;
