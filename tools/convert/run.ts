/** Manifests from one version to another (src/conversion/README.md). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFile, readBuilt } from '../../src/base/built-files.ts';
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import { memberChecks } from '../../src/conversion/check-members.ts';
import { convertText, type TextOptions } from '../../src/conversion/convert-manifests.ts';
import { ManifestError } from '../../src/conversion/manifest-text.ts';
import { DEFAULT_RELEASE } from '../../src/release/release.ts';
import { OptionsError } from '../flags.ts';
import { FileError, manifestFiles, readManifest, titleOf } from '../manifest-files.ts';
import type { Output } from '../output.ts';
import { helpText, readOptions, type Options } from './options.ts';

const EXIT_OF_LOSS = 1;
const EXIT_OF_USAGE = 2;

/** Runs with arguments; returns the exit code. */
export function runConvert(args: readonly string[], output: Output): number {
  try {
    return run(args, output);
  } catch (error) {
    if (!(error instanceof OptionsError || error instanceof FileError)) throw error;
    output.say(error.message);
    return EXIT_OF_USAGE;
  }
}

function run(args: readonly string[], output: Output): number {
  const options = readOptions(args);
  if (options === undefined) {
    output.write(helpText());
    return 0;
  }
  const build = join(import.meta.dirname, '../../.build');
  const check = memberChecks(readBuilt<SchemaModel>(build, modelFile(DEFAULT_RELEASE.minor)));
  const files = manifestFiles(options.path);
  let exitCode = 0;
  let converted = 0;
  let previous = '';
  for (const file of files) {
    const result = convertFile(file, { ...options, check }, output);
    if (result === undefined || result.problems.length > 0) exitCode = EXIT_OF_LOSS;
    if (result === undefined) continue;
    converted += result.converted;
    if (!options.isInPlace) {
      output.write(separated(previous, result.text));
      previous = result.text;
    } else if (result.converted > 0) writeFileSync(file, result.text);
  }
  if (converted === 0 && options.outputVersion !== '') {
    output.say(
      `nothing here is of a kind that goes to ${options.outputVersion} from another version`,
    );
    return EXIT_OF_LOSS;
  }
  return exitCode;
}

/** Undefined when the file could not be read. */
function convertFile(
  file: string,
  options: Options & TextOptions,
  { say }: Output,
): ReturnType<typeof convertText> | undefined {
  const name = titleOf(file);
  try {
    const result = convertText(readManifest(file), options);
    for (const note of result.notes) say(`${name}: ${note}`);
    for (const problem of result.problems) say(`${name}: ${problem}`);
    return result;
  } catch (error) {
    if (!(error instanceof FileError || error instanceof ManifestError)) throw error;
    say(error instanceof FileError ? error.message : `${name}: ${error.message}`);
    return undefined;
  }
}

/** Documents of several files in one stream. */
function separated(previous: string, text: string): string {
  if (previous === '' || text.startsWith('---')) return text;
  return `${previous.endsWith('\n') ? '' : '\n'}---\n${text}`;
}
