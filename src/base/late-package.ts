import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/**
 * A function that gives a package. A thread loads it when it first calls that: what a start does
 * not need costs none then. The type is that of the package's module.
 */
export function latePackage<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => (loaded ??= requireHere(name) as Package);
}
