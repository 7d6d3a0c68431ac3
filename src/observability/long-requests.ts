/** Requests that last as long as their clients want. */
const LONG_SUBRESOURCES = ['attach', 'exec', 'proxy', 'log', 'portforward'];
/** Profiles, and backups of this server. */
const LONG_PATHS = ['/debug/pprof/', '/shardplane/backups'];
const LONG_VERBS = ['watch', 'proxy'];

/** The parts of a request by which a long one is told from others. */
interface Asked {
  readonly isResource: boolean;
  readonly verb: string;
  readonly subresource: string;
  readonly path: string;
}

export function isLongRunning({ isResource, verb, subresource, path }: Asked): boolean {
  if (!isResource) return LONG_PATHS.some((one) => path.startsWith(one));
  return LONG_VERBS.includes(verb) || LONG_SUBRESOURCES.includes(subresource);
}
