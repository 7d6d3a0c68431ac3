/** Warnings of finalizers of custom objects that are not refused, but may be others' too. */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { isStandardFinalizer } from '../../semantics/metadata/object-meta-validation.ts';

const WARNS = ownRelease().has('warnedOfFinalizers');
const WARNS_OF_PATHS = ownRelease().has('warnedOfPaths');

/** Those of the finalizers that the stored object does not have. */
export function finalizerWarnings(
  { finalizers = [] }: ObjectMeta,
  stored: ObjectMeta | undefined,
): string[] {
  if (!WARNS || finalizers.length === 0) return [];
  const before = new Set(stored?.finalizers);
  const added = [...new Set(finalizers)].filter((finalizer) => !before.has(finalizer));
  return added.sort().flatMap((finalizer) => {
    const told = `metadata.finalizers: ${quoteText(finalizer)}: `;
    const problems = qualifiedName(finalizer).map((problem) => told + problem);
    if (isStandardFinalizer(finalizer)) return problems;
    const path = WARNS_OF_PATHS && finalizer.includes('.') ? ' including a path (/)' : '';
    const why = 'to avoid accidental conflicts with other finalizer writers';
    return [...problems, `${told}prefer a domain-qualified finalizer name${path} ${why}`];
  });
}
