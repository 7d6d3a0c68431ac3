/** /version (API-FACTS 9.3): the release that this service behaves like, and its runtime. */

export const SERVED_VERSION = { major: '1', minor: '23', patch: '17' } as const;

/**
 * The members that clients read. There is no Go here, so `goVersion` names the runtime; a build
 * is of a folder and not of a commit, so `gitCommit` is empty.
 */
export function versionDocument(builtAt: Date): Readonly<Record<string, string>> {
  const { major, minor, patch } = SERVED_VERSION;
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.${patch}+shardplane`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: `${builtAt.toISOString().slice(0, 19)}Z`,
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  };
}
