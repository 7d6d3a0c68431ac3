/** Bounds of what other servers of the API are asked, with their reasons. */

/** So often at most it is looked whether the files of the client certificate have changed. */
export const PROXY_CERTIFICATE_LOOK_MS = 1_000;

/** A document that describes what a server has may be so long: it is held, and read at once. */
export const REMOTE_DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

/** Whether a server is there has to be answered within this. */
export const REMOTE_CHECK_MS_MAX = 5_000;

/** Documents that describe what a server has, too. */
export const REMOTE_DISCOVERY_MS_MAX = 5_000;

/** So long may it take to tell or delete what a namespace has in one type. */
export const REMOTE_CONTENT_MS_MAX = 60_000;

/** A server's resources are asked for again after so long. */
export const REMOTE_REFRESH_MS = 60_000;
/** After a failure sooner: first after this, then after twice as long each time. */
export const REMOTE_RETRY_MS = 500;
