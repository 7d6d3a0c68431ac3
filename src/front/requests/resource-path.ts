/**
 * Reads the part of a path after its group and version. Authorization and routes share this one
 * reading, so that nobody is let do one thing and does another
 * (../README.md#attributes-of-a-request).
 */

export interface ResourcePath {
  /** An old way to ask for a verb, in the place of the method's; '' where there is none. */
  readonly verb: '' | 'watch' | 'proxy';
  /** In the path of a namespace its own name; '' where the path has none, or an empty one. */
  readonly namespace: string;
  /** The path has a segment for the namespace of what it names, which may be empty. */
  readonly inNamespace: boolean;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** Where the segments after the subresource begin. */
  readonly restAt: number;
}

/** Where a path ends after `watch` or `proxy`, `resource` is ''. */
export function readResourcePath(segments: readonly string[], start: number): ResourcePath {
  const verb = pathVerb(segments[start]);
  let at = verb === '' ? start : start + 1;
  let namespace = '';
  let inNamespace = false;
  // A namespace is in itself.
  if (segments[at] === 'namespaces') {
    namespace = segments[at + 1] ?? '';
    inNamespace = segments.length > at + 2 && !isNamespaceSubresource(segments[at + 2]);
    if (inNamespace) at += 2;
  }
  return {
    verb,
    namespace,
    inNamespace,
    resource: segments[at] ?? '',
    name: segments[at + 1] ?? '',
    subresource: segments[at + 2] ?? '',
    restAt: at + 3,
  };
}

function pathVerb(segment: string | undefined): ResourcePath['verb'] {
  return segment === 'watch' || segment === 'proxy' ? segment : '';
}

function isNamespaceSubresource(segment: string | undefined): boolean {
  return segment === 'status' || segment === 'finalize';
}
