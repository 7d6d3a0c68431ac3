/**
 * The files of `test/catalogue` describe one kind each: valid and invalid objects, and what the
 * server makes of them. `test/resources/catalogue.test.ts` runs them on the kind's own code,
 * `test/flow/catalogue.test.ts` on a server.
 */

import type { FeatureGate } from '../../src/release/feature-gates.ts';

/** Merged into an object: plain members are merged, lists replaced, undefined removes a member. */
export type Change = Readonly<Record<string, unknown>>;

/** The broken rule, in words. */
type Rule = string;

/** `<field>: <message>` of each cause, in order; empty when the write is accepted. */
type Causes = readonly string[];

export interface KindCases {
  /** The minor of the release that the rows hold for; absent is the default one. */
  readonly release?: number;
  /** The feature gates of the server: the rows of other files have them off. */
  readonly featureGates?: readonly FeatureGate[];
  /** The served version, `batch/v1`, and the kind: `CronJob`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Overrides the name that the runner chooses, where a kind restricts names. */
  readonly name?: (unique: string) => string;
  /** The least object that is accepted, without apiVersion, kind and name. */
  readonly minimal: Change;
  /** All members besides metadata that the server answers with: defaults included. */
  readonly minimalStored: Change;
  /** An object with every member of the kind that a client may set. */
  readonly full: Change;
  /** The stored form of `full`; absent when all of it comes back as it was sent. */
  readonly fullStored?: Change;
  /**
   * Changes of `minimal` that make it invalid, or, with no causes, leave it valid. A change may
   * name `metadata.name`.
   */
  readonly invalid: readonly (readonly [Rule, Change, Causes])[];
  /** An object is made of `minimal` and the first change, and then updated by the second. */
  readonly updates?: readonly (readonly [Rule, Change, Change, Causes])[];
  /** The updates through `/status`. */
  readonly statusUpdates?: readonly (readonly [Rule, Change, Change, Causes])[];
}
