/** Names of trust bundles: those of a signer begin with it. */
import { dnsSubdomain } from '../../semantics/metadata/names.ts';

/** The problems of the name of a bundle of a signer, or of none. */
export function bundleNameProblems(
  name: string,
  signer: string,
  prefix = false,
): readonly string[] {
  if (signer === '') {
    if (!name.includes(':')) return dnsSubdomain(name, prefix);
    return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  }
  const start = `${signer.replaceAll('/', ':')}:`;
  if (name.startsWith(start)) return dnsSubdomain(name.slice(start.length), prefix);
  return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${start}`];
}

/** Finds what is wrong with a name that says its signer itself. */
export function trustBundleNameProblems(name: string): readonly string[] {
  const end = name.lastIndexOf(':');
  return bundleNameProblems(name, end < 0 ? '' : name.slice(0, end).replaceAll(':', '/'));
}
