/**
 * A version of a kind as the conversions know it: rules from and to the stored version, over
 * documents as users write them (README.md).
 */
import type { ApiObject } from '../resources/kind.ts';

/** Is told of a member that the other version cannot keep, or that it needs and does not get. */
export type Report = (path: string, why: string) => void;

/** Where one version has another default than the stored one. */
export interface DefaultDifference {
  /** As `spec.updateStrategy.type`; `webhooks[].failurePolicy` means each item of a list. */
  readonly path: string;
  /** Undefined where this version has none: the member is required there. */
  readonly here: unknown;
  /** The default in the stored version. */
  readonly stored: unknown;
  /** Whether an object has the default at all. */
  readonly applies?: (object: ApiObject) => boolean;
}

export interface ManifestVersion {
  readonly groupVersion: string;
  /** Its message, where the server serves it. */
  readonly message?: string;
  /** As `1.21`; absent for versions that stay, '' where the table does not say since when. */
  readonly deprecatedSince?: string;
  /** As `1.24`; absent for versions that are older than all that are served. */
  readonly introducedIn?: string;
  /** As `1.25`. */
  readonly removedIn?: string;
  /** The group version that replaces it; '' when none does. */
  readonly replacement?: string;
  readonly defaults?: readonly DefaultDifference[];
  /** From this version to the stored one; may change its argument. */
  toStored?(object: ApiObject, report: Report): ApiObject;
  /** From the stored version to this one; may change its argument. */
  fromStored?(object: ApiObject, report: Report): ApiObject;
}

/** A version that release 1.23 no longer serves. */
export interface RemovedVersion extends ManifestVersion {
  readonly removedIn: string;
  readonly kinds: readonly string[];
}
