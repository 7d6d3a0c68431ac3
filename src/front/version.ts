/** /version (API-FACTS 9.3): the release that this service behaves like, and its runtime. */

export const SERVED_VERSION = { major: '1', minor: '23', patch: '17' } as const;

/** The members that clients read; there is no Go here, so `goVersion` names the runtime. */
export function versionDocument(): Readonly<Record<string, string>> {
  const { major, minor, patch } = SERVED_VERSION;
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.${patch}+shardplane`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  };
}
