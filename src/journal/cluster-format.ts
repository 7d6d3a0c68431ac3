/**
 * Which builds of the program can share an etcd: a number says the form of what stands there, and
 * of what servers tell each other. Neighbours read each other, so that servers can be replaced one
 * by one; the form that is written is the oldest that a server of the cluster has, and the setting
 * says which.
 */
import { ConfigError } from '../base/options/config-error.ts';

/** That of this build: one more with each change that an older build cannot read. */
export const CLUSTER_FORMAT = 1;

/** The setting with the format that is written. */
export const FORMAT_SETTING = 'format';

/** What a server says of its build. */
export interface Build {
  /** For people. */
  readonly version: string;
  /** Absent of builds from before there were formats. */
  readonly format?: number;
}

export function areNeighbours(one: Build, other: Build): boolean {
  const { format = NaN } = one;
  return Math.abs(format - (other.format ?? NaN)) <= 1;
}

/** As a line says it. */
export function buildName({ version, format = 0 }: Build): string {
  return `version ${version} (format ${format})`;
}

/** Throws ConfigError where one of the servers, or what is written, is too old or new for `own`. */
export function checkBuild(own: Build, servers: readonly Build[], written: string | undefined) {
  const other = servers.find((server) => !areNeighbours(own, server));
  if (other !== undefined) {
    throw new ConfigError(
      `a server of ${buildName(other)} shares the etcd, and this one is of ${buildName(own)}: ` +
        'only neighbouring formats go together; go from one to the next',
    );
  }
  const { format = 0 } = own;
  const stored = Number(written ?? format);
  if (stored > format) {
    throw new ConfigError(
      `what is in etcd has format ${stored}, which this server of ${buildName(own)} cannot read: ` +
        'start the version of the program that wrote it, or a newer one',
    );
  }
  if (stored < format - 1) {
    throw new ConfigError(
      `what is in etcd has format ${stored}, which is too old for ${buildName(own)}: ` +
        `start all servers with a version of format ${stored + 1} first`,
    );
  }
}
