/** The release that this service behaves like. */
export const SERVED_VERSION = { major: '1', minor: '23', patch: '17' } as const;

/** Its first two parts, as rules about releases name it: `1.23`. */
export const SERVED_MINOR = `${SERVED_VERSION.major}.${SERVED_VERSION.minor}`;
