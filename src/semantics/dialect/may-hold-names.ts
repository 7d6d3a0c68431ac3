const DOMAIN_ENDS = ['cluster', 'k8s', 'kubernetes'];
/** Ends of the names of namespaces, and of managers. */
const NAME_ENDS = ['-system', '-public', '-node-lease', '-apiserver"', '-controller-manager"'];
const ALWAYS_READ = new Set(['Status', 'List', 'WatchEvent']);

/**
 * Whether a text may hold a name to swap. False is certain. Most documents hold none, and this
 * search for rare letters saves parsing them.
 */
export function mayHoldNames(text: string): boolean {
  for (let at = text.indexOf('.io'); at >= 0; at = text.indexOf('.io', at + 3)) {
    for (const end of DOMAIN_ENDS) if (text.endsWith(end, at)) return true;
  }
  for (let at = text.indexOf('kube'); at >= 0; at = text.indexOf('kube', at + 4)) {
    if (text.startsWith('ctl"', at + 4) || isNameEnd(text, at + 4)) return true;
  }
  for (let at = text.indexOf('cl'); at >= 0; at = text.indexOf('cl', at + 2)) {
    if (text.startsWith('ient"', at + 2)) return true;
    if (text.startsWith('uster-', at + 2) && isNameEnd(text, at + 7)) return true;
  }
  // Escapes may spell any of these.
  return text.includes('\\u00');
}

/** Kinds whose documents hold short words that are swapped, and messages. */
export function isReadAlways(kind: string): boolean {
  return ALWAYS_READ.has(kind) || kind.startsWith('Namespace');
}

function isNameEnd(text: string, at: number): boolean {
  for (const end of NAME_ENDS) if (text.startsWith(end, at)) return true;
  return false;
}
