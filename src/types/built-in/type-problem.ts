/** Bodies of built-in types may leave their kind and version to the URL. */
import type { NamedType, Served } from '../served-version.ts';

/**
 * The problem of the kind and version that a document names, '' for none; both may be absent.
 * `internalType` is the name of the stored version in errors of conversion: `core.ConfigMap`.
 */
export function typeProblem(
  { kind: expected, version, groupVersion }: Pick<Served, 'kind' | 'version' | 'groupVersion'>,
  internalType: string,
  { kind, apiVersion }: NamedType,
): string {
  if (kind !== '' && kind !== expected) {
    const sentVersion = apiVersion.split('/').at(-1) || version;
    return (
      `${kind} in version "${sentVersion}" cannot be handled as a ${expected}: ` +
      `converting (${sentVersion}.${kind}) to (${internalType}): unknown conversion`
    );
  }
  if (apiVersion === '' || apiVersion === groupVersion) return '';
  return (
    `the API version in the data (${apiVersion}) does not match ` +
    `the expected API version (${groupVersion})`
  );
}
