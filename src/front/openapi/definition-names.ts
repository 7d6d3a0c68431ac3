/** Names of definitions: of the schema model, as clients know them (README.md#other-documents). */
import type { Dialect } from '../../semantics/dialect/dialect.ts';

/** What two dialects of the same documents call differently. */
export interface VendorWords {
  /** In `io.<domain>.api…` and in the domain of API groups, `<name>.<domain>.io`. */
  readonly domain: string;
  /** In the package of API services, `<program>-aggregator`. */
  readonly program: string;
  /** In the media type of binary bodies, `application/vnd.<platform>.protobuf`. */
  readonly platform: string;
}

export const NEUTRAL_WORDS: VendorWords = {
  domain: 'cluster',
  program: 'cluster',
  platform: 'cluster',
};

const VENDOR_WORDS: Readonly<Record<Dialect['domain'], VendorWords>> = {
  'cluster.io': NEUTRAL_WORDS,
  'k8s.io': { domain: 'k8s', program: 'kube', platform: 'kubernetes' },
};

export function vendorWords({ domain }: Pick<Dialect, 'domain'>): VendorWords {
  return VENDOR_WORDS[domain];
}

const META = 'apimachinery.pkg.apis.meta.v1';
/** Types whose names do not begin with the package of a message. */
const LEAF_NAMES: Readonly<Record<string, string>> = {
  Time: `${META}.Time`,
  MicroTime: `${META}.MicroTime`,
  Duration: `${META}.Duration`,
  FieldsV1: `${META}.FieldsV1`,
  Quantity: 'apimachinery.pkg.api.resource.Quantity',
  IntOrString: 'apimachinery.pkg.util.intstr.IntOrString',
  RawExtension: 'apimachinery.pkg.runtime.RawExtension',
  VersionInfo: 'apimachinery.pkg.version.Info',
};

/**
 * The definition of a message or leaf type: `core.v1.Pod` is `io.cluster.api.core.v1.Pod`,
 * `Quantity` is `io.cluster.apimachinery.pkg.api.resource.Quantity`.
 */
export function definitionName(
  type: string,
  { domain, program }: Pick<VendorWords, 'domain' | 'program'>,
): string {
  const leaf = LEAF_NAMES[type];
  if (leaf !== undefined) return `io.${domain}.${leaf}`;
  switch (type.slice(0, type.indexOf('.'))) {
    case 'meta':
      return `io.${domain}.apimachinery.pkg.apis.${type}`;
    case 'apiextensions':
      return `io.${domain}.apiextensions-apiserver.pkg.apis.${type}`;
    case 'apiregistration':
      return `io.${domain}.${program}-aggregator.pkg.apis.${type}`;
    default:
      return `io.${domain}.api.${type}`;
  }
}

/** An API group as the dialect has it: `storage.cluster.io` in the words of another domain. */
export function groupName(group: string, { domain }: Pick<VendorWords, 'domain'>): string {
  return group.replace(/\.cluster\.io$/, `.${domain}.io`);
}

/**
 * The message of a kind by its group and version: `rbac.authorization.cluster.io`, `v1` and `Role`
 * are `rbac.v1.Role`; the core group's package is `core`.
 */
export function messageName(group: string, version: string, kind: string): string {
  const dot = group.indexOf('.');
  const name = group === '' ? 'core' : dot === -1 ? group : group.slice(0, dot);
  return `${name}.${version}.${kind}`;
}
