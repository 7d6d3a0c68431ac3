/** Reads the imports of a source file from its text. */
import { posix } from 'node:path';
import type { SourceText } from './source-text.ts';

export interface SourceFile extends SourceText {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** A path from the root of the project, or the name of a package. */
  readonly target: string;
  readonly isLocal: boolean;
  readonly typeOnly: boolean;
  readonly isExport: boolean;
}

const FROM = /^[ \t]*(import|export)\b(\s+type\b)?([^;'"]*?)\bfrom\s*['"]([^'"\n]+)['"]/gm;
const BARE = /^[ \t]*import\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/gm;

export function importsOf({ path, withStrings }: SourceFile): Import[] {
  const named = [...withStrings.matchAll(FROM)].map(([, keyword, type, , from = '']) => ({
    from,
    typeOnly: type !== undefined,
    isExport: keyword === 'export',
  }));
  const bare = [...withStrings.matchAll(BARE)].map(([, whole, late]) => ({
    from: whole ?? late ?? '',
    typeOnly: false,
    isExport: false,
  }));
  return [...named, ...bare].map(({ from, typeOnly, isExport }) => {
    const isLocal = from.startsWith('.');
    const target = isLocal ? posix.join(posix.dirname(path), from) : from;
    return { target, isLocal, typeOnly, isExport };
  });
}
