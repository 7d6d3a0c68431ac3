/**
 * Names of definitions: of the schema model, as clients know them
 * (src/front/README.md#other-documents).
 */
import { ownDialect, ownGroup } from '../../semantics/dialect/own-names.ts';

const { domain, aggregator } = ownDialect();
/** `io.cluster`. */
const VENDOR = domain.split('.').toReversed().join('.');
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

/** The packages of groups whose packages are not named like them. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  [ownGroup('internal.apiserver.cluster.io'), 'apiserverinternal'],
]);

/**
 * The definition of a message or leaf type: `core.v1.Pod` is `io.cluster.api.core.v1.Pod`,
 * `Quantity` is `io.cluster.apimachinery.pkg.api.resource.Quantity`. A custom type is named with
 * its group: `example.com/v1.Thing` is `com.example.v1.Thing`.
 */
export function definitionName(type: string): string {
  if (isCustomType(type)) {
    const [group = '', name = ''] = type.split('/');
    return `${group.split('.').toReversed().join('.')}.${name}`;
  }
  const leaf = LEAF_NAMES[type];
  if (leaf !== undefined) return `${VENDOR}.${leaf}`;
  switch (type.slice(0, type.indexOf('.'))) {
    case 'meta':
      return `${VENDOR}.apimachinery.pkg.apis.${type}`;
    case 'apiextensions':
      return `${VENDOR}.apiextensions-apiserver.pkg.apis.${type}`;
    case 'apiregistration':
      return `${VENDOR}.${aggregator}.pkg.apis.${type}`;
    default:
      return `${VENDOR}.api.${type}`;
  }
}

/** Whether a type is named with its group: no message is. */
export function isCustomType(type: string): boolean {
  return type.includes('/');
}

/**
 * The message of a kind by its group and version: `rbac.authorization.cluster.io`, `v1` and `Role`
 * are `rbac.v1.Role`; the core group's package is `core`.
 */
export function messageName(group: string, version: string, kind: string): string {
  const dot = group.indexOf('.');
  const name = PACKAGES.get(group) ?? (dot === -1 ? group : group.slice(0, dot));
  return `${name}.${version}.${kind}`;
}
