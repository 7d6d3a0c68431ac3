/** Lists what breaks when versions of the API go (src/conversion/README.md#versions). */
import { unknownVersion } from '../../src/conversion/convert.ts';
import { deprecatedUses, deprecatedUseText } from '../../src/conversion/deprecations.ts';
import { dialectShown, nameOf } from '../../src/conversion/convert-manifests.ts';
import { ManifestError, manifestParts, partValue } from '../../src/conversion/manifest-text.ts';
import { isMembers, type Members } from '../../src/conversion/members.ts';
import { OptionsError } from '../flags.ts';
import { FileError, manifestFiles, readManifest, titleOf } from '../manifest-files.ts';
import type { Output } from '../output.ts';
import { ConnectionError } from '../soak/api-client.ts';
import { TargetError } from '../soak/target.ts';
import { helpText, readOptions } from './options.ts';
import { serverUses, type FoundUse } from './server-uses.ts';
import { minorOf, useIn } from './use-in-release.ts';

const EXIT_OF_USES = 1;
const EXIT_OF_FAILURE = 2;

/** Runs with arguments; returns the exit code. */
export async function runCheckDeprecated(args: readonly string[], output: Output): Promise<number> {
  try {
    return await run(args, output);
  } catch (error) {
    const isUsage = error instanceof OptionsError || error instanceof TargetError;
    if (!isUsage && !(error instanceof FileError || error instanceof ConnectionError)) throw error;
    output.say(error.message);
    return EXIT_OF_FAILURE;
  }
}

async function run(args: readonly string[], output: Output): Promise<number> {
  const options = readOptions(args);
  if (options === undefined) {
    output.write(helpText());
    return 0;
  }
  const { target, path, upTo } = options;
  const { found, unread } = target === undefined ? fileUses(path) : await serverUses(target);
  const counting = found
    .filter(({ use }) => minorOf(use.removedIn) <= upTo)
    .map((one) => (upTo === Infinity ? one : { ...one, use: useIn(one.use, upTo) }));
  const inOrder = counting.toSorted((a, b) => minorOf(a.use.removedIn) - minorOf(b.use.removedIn));
  for (const { where, use } of inOrder) output.write(`${where}: ${deprecatedUseText(use)}\n`);
  for (const line of unread) output.say(line);
  output.write(`${summary(inOrder)}${unread.length > 0 ? ', of what could be looked at' : ''}\n`);
  if (unread.length > 0) return EXIT_OF_FAILURE;
  return inOrder.length > 0 ? EXIT_OF_USES : 0;
}

function summary(found: readonly FoundUse[]): string {
  const releases = Map.groupBy(found, ({ use }) => use.removedIn);
  const parts = [...releases].map(([release, uses]) => `${uses.length} in ${release}`);
  return parts.length === 0 ? 'nothing breaks' : `breaks: ${parts.join(', ')}`;
}

function fileUses(path: string): { found: readonly FoundUse[]; unread: readonly string[] } {
  const found: FoundUse[] = [];
  const unread: string[] = [];
  for (const file of manifestFiles(path)) {
    const name = titleOf(file);
    try {
      const text = readManifest(file);
      const dialect = dialectShown(text) ?? 'cluster.io';
      for (const part of manifestParts(text)) {
        for (const object of objectsIn(partValue(part))) {
          const where = `${name}:${part.line}: ${nameOf(object)}`;
          found.push(...deprecatedUses(object, dialect).map((use) => ({ where, use })));
          const why = unknownVersion(object);
          if (why !== undefined) unread.push(`${where}: ${why}`);
        }
      }
    } catch (error) {
      if (!(error instanceof FileError || error instanceof ManifestError)) throw error;
      unread.push(error instanceof FileError ? error.message : `${name}: ${error.message}`);
    }
  }
  return { found, unread };
}

/** The object of a document, or those of a list. */
function objectsIn(value: unknown): readonly Members[] {
  if (!isMembers(value)) return [];
  const { kind, apiVersion, items } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [value];
  const ofItems = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion };
  return items.filter(isMembers).map((item) => ({ ...ofItems, ...item }));
}
