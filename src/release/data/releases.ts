/** The releases that this service can behave like: the last patch of each minor that it follows. */
export const PATCHES = {
  23: 17,
  24: 17,
  25: 16,
  26: 15,
  27: 16,
  28: 15,
  29: 14,
  30: 14,
  31: 14,
  32: 13,
  33: 13,
  34: 4,
  35: 4,
  36: 3,
  37: 2,
} as const;

/** The release that is served where nobody names one. */
export const DEFAULT_MINOR = 23;
