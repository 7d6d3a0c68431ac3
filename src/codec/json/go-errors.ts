/** Decoding failures, in the words of the reference server's decoder. */

/** A body that does not decode. The front of the verb wraps `message` (../README.md#bodies). */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** The bytes are no JSON at all: not even their kind is known. */
  readonly isSyntax: boolean;

  constructor(message: string, isSyntax = false) {
    super(message);
    this.isSyntax = isSyntax;
  }
}

/** The document is not of a kind that it says. */
export class MissingKindError extends DecodeError {
  /** `text` is that of the document, which may be cut. */
  constructor(text: string) {
    super(`Object 'Kind' is missing in '${text}'`);
  }
}

/** A number as it was written, which `JSON.parse` loses. Only in documents parsed a second time. */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The name of a value's kind in errors: `string`, `number`, `bool`, `object`, `array`. */
export function valueKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value instanceof NumberLiteral) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** `value` is the kind of the value, or `number 1.5`; `field` is `Struct.path.to.field`. */
export function fieldMismatch(value: string, field: string, type: string): DecodeError {
  return new DecodeError(
    `json: cannot unmarshal ${value} into Go struct field ${field} of type ${type}`,
  );
}

/** A mismatch where the decoder knows no field: at the top, and inside leaf types. */
export function valueMismatch(value: string, type: string): DecodeError {
  return new DecodeError(`json: cannot unmarshal ${value} into Go value of type ${type}`);
}

/** `core.v1.ConfigMap` as errors show it: `v1.ConfigMap`. */
export function goTypeName(messageName: string): string {
  return messageName.split('.').slice(-2).join('.');
}

/** `core.ConfigMap`: the type that bodies of all versions are converted to. */
export function goInternalTypeName(messageName: string): string {
  const [group = '', , kind = ''] = messageName.split('.');
  return `${group}.${kind}`;
}
