/** The library of the expressions of mutating policies that make patches. */
import { expressionParts } from '../../../release/expression-parts.ts';
import { ownRelease } from '../../../release/release.ts';
import { Library } from '../library/library.ts';
import { patchMessage } from './message-types.ts';

export const PATCH_EXPRESSIONS = new Library(expressionParts(ownRelease(), 'new'), {
  signatures: 'jsonpatch/escapeKey(string) string',
  message: patchMessage,
});
