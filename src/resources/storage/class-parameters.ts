/** The common part of classes of storage and of attributes: a driver and its parameters. */
import {
  addProblems,
  invalid,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';

const PARAMETERS_MAX = 512;
const PARAMETERS_BYTES_MAX = 262_144;

/** Adds the problems of the name of a driver; the schema tells where there is none. */
export function checkClassDriver(driver: string, field: string, errors: FieldError[]): void {
  if (driver === '') return;
  const lowerCase = driver.toLowerCase();
  addProblems(qualifiedName(lowerCase), field, lowerCase, errors);
}

/** Adds the problems of the parameters. */
export function checkClassParameters(
  parameters: Readonly<Record<string, string>>,
  errors: FieldError[],
): void {
  const entries = Object.entries(parameters);
  if (entries.length > PARAMETERS_MAX) {
    errors.push(tooLong('parameters', PARAMETERS_MAX));
    return;
  }
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(invalid('parameters', key, 'field can not be empty.'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > PARAMETERS_BYTES_MAX) errors.push(tooLong('parameters', PARAMETERS_BYTES_MAX));
}
