/** Configurations that only drivers understand. */
import type { OpaqueDeviceConfiguration } from '#messages/resource.v1';
import type { RawJson } from '../../codec/json/raw-json.ts';
import { invalid, required, tooLong, type FieldError } from '../../semantics/errors/field-error.ts';
import { checkDriver } from './device-names.ts';

const RAW_BYTES_MAX = 10 * 1024;

/** A stored configuration is not measured again. */
export function checkConfiguration(
  { opaque }: { readonly opaque?: OpaqueDeviceConfiguration },
  field: string,
  errors: FieldError[],
  isStored = false,
): void {
  if (opaque === undefined) {
    errors.push(required(`${field}.opaque`));
    return;
  }
  checkDriver(opaque.driver ?? '', `${field}.opaque.driver`, errors, true);
  checkRaw(opaque.parameters, `${field}.opaque.parameters`, errors, isStored);
}

/** An object in JSON, of bounded length. */
export function checkRaw(
  raw: RawJson | undefined,
  field: string,
  errors: FieldError[],
  isStored = false,
): void {
  const text = raw?.text ?? '';
  if (text === '' || text === 'null') errors.push(required(field));
  // Objects from before there was a limit may stay.
  else if (!isStored && Buffer.byteLength(text) > RAW_BYTES_MAX) {
    errors.push(tooLong(field, RAW_BYTES_MAX));
  } else if (!text.startsWith('{')) {
    errors.push(invalid(field, '<value omitted>', 'must be a valid JSON object'));
  }
}
