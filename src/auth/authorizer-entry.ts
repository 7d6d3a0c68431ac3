/**
 * A way of authorization, a mode of `--authorization-mode`, as options and threads know it: its
 * flags and their checks, and how a thread makes it.
 */
import type { Flag } from '../base/options/flag.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { FollowType } from '../replicas/follow-type.ts';
import type { Authorizer } from './authorizer.ts';
import type { RbacAuthorizer } from './rbac/rbac-authorizer.ts';

/** The tools of a thread. */
export interface AuthorizationNeeds {
  readonly follow: FollowType;
  /** Roles and bindings, if the caller follows them already. */
  readonly rbac?: RbacAuthorizer;
}

export type MakeAuthorizer = (needs: AuthorizationNeeds) => Authorizer;

export interface AuthorizerEntry<FlagName extends string, Settings> {
  readonly flags: Readonly<Record<FlagName, Flag>>;
  /**
   * Reads its flags, and the files that they name, into plain data that threads can be given.
   * `isOn`: it is among the modes. Throws ConfigError.
   */
  readonly read: (
    values: Readonly<Record<FlagName, string>>,
    isOn: boolean,
    gates: FeatureGates,
  ) => Settings;
  /**
   * Loads its code, which then makes it without waiting: what is imported above it takes no names,
   * because options are read before the dialect is chosen.
   */
  readonly load: (settings: Exclude<Settings, undefined>) => Promise<MakeAuthorizer>;
}

/** Any of them: whoever goes through all gives each what is its own. */
export interface AnyAuthorizer {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly read: (
    values: Readonly<Record<string, string>>,
    isOn: boolean,
    gates: FeatureGates,
  ) => unknown;
  readonly load: (settings: never) => Promise<MakeAuthorizer>;
}

/** Has its types follow from each other. */
export function authorizer<FlagName extends string, Settings>(
  entry: AuthorizerEntry<FlagName, Settings>,
): AuthorizerEntry<FlagName, Settings> {
  return entry;
}
