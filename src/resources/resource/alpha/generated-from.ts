/** The column that tells what parameters were made from. */
import { text } from '../../printer.ts';

interface Reference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

export const GENERATED_FROM = text(
  'GeneratedFrom',
  'The object of the driver that they were made from.',
  'generatedFrom',
  (from?: Reference) => {
    if (from === undefined) return '';
    const { apiGroup = '', kind = '', name = '' } = from;
    return `${kind}.${apiGroup} ${name}`;
  },
);
