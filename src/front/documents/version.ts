/**
 * /version (../README.md#other-documents): the release that this service behaves like, and its
 * runtime.
 */
import { ownRelease } from '../../release/release.ts';

const { name, version, has } = ownRelease();
const [major = '', minor = ''] = name.split('.');
/** As the document and the programs of the reference say it. */
export const SERVED_RELEASE = `${version}+shardplane`;

/** Which sources the server was built from, and when. */
export interface BuildOrigin {
  /** 40 hexadecimal digits. */
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
}

/** Who is emulated, and the oldest release that it can be beside: the one before. */
const EMULATION = {
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(Number(minor) - 1),
};

/** The members that clients read. There is no Go here, so `goVersion` names the runtime. */
export function versionDocument(origin: BuildOrigin): Readonly<Record<string, string>> {
  return {
    major,
    minor,
    ...(has('emulationIsTold') && EMULATION),
    gitVersion: SERVED_RELEASE,
    gitCommit: origin.gitCommit,
    gitTreeState: origin.gitTreeState,
    buildDate: origin.buildDate,
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  };
}

/** The facts of this build as labels of a metric. */
export function buildLabels(origin: BuildOrigin): Readonly<Record<string, string>> {
  const { gitVersion, gitCommit, gitTreeState, buildDate, goVersion, ...rest } =
    versionDocument(origin);
  return {
    ...rest,
    git_version: gitVersion ?? '',
    git_commit: gitCommit ?? '',
    git_tree_state: gitTreeState ?? '',
    build_date: buildDate ?? '',
    go_version: goVersion ?? '',
  };
}
