/** The published comments in `proto/` follow rules (proto/options.proto). */
import { loadDescriptions } from '../../src/codec/model/proto-descriptions.ts';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';

const BULLET = '- ';
const COLUMNS_MAX = 100;
/** Names of the other dialect, which are translated into and not from. */
const OTHER_NAMES = /\b(?:k8s|kubernetes|kubectl)\b/i;

/** Finds errors, a line for each, in the files of `proto/` by their paths. */
export function findUndescribed(files: Readonly<Record<string, string>>): string[] {
  const descriptions = loadDescriptions(files);
  const found: string[] = [];
  for (const { name, fields } of Object.values(loadSchemaModel(files).messages)) {
    found.push(...flaws(name, descriptions[name], []));
    for (const { name: member, enumValues = [] } of fields) {
      const path = `${name}.${member}`;
      found.push(...flaws(path, descriptions[path], enumValues));
    }
  }
  return [...found, ...findLongLines(files)];
}

function flaws(path: string, text: string | undefined, values: readonly string[]): string[] {
  if (text === undefined) return [`${path} has no description`];
  const lines = text.split('\n').filter((line) => line !== '');
  const found: string[] = [];
  if (!/^[A-Z`]/.test(text)) found.push(`${path} begins with no capital: ${text.slice(0, 20)}`);
  for (const line of lines) {
    const isIntroduction = line.endsWith(':') && text.includes(`${line}\n${BULLET}`);
    if (!line.endsWith('.') && !isIntroduction) found.push(`${path} has no full stop: ${line}`);
  }
  for (const value of values) {
    const bullet = `${BULLET}${value === '' ? '(empty)' : `\`${value}\``}`;
    if (!lines.some((line) => line.startsWith(bullet))) found.push(`${path} lacks ${bullet}`);
  }
  const other = OTHER_NAMES.exec(text);
  if (other !== null) found.push(`${path} names ${other[0]}`);
  return found;
}

function findLongLines(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        line.length > COLUMNS_MAX ? [`${file}:${index + 1}: is over ${COLUMNS_MAX} columns`] : [],
      ),
  );
}
