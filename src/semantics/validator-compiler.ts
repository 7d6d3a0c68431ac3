/**
 * Turns the constraints of the schema model into code, with ajv. `tools/build-validators.ts` writes
 * that code into a module when the server is built, so that no request ever waits for a compiler;
 * tests compile in place.
 */
import { Ajv, _, type KeywordCxt } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { SchemaModel } from '../codec/schema-model.ts';
import { FORMATS } from './formats.ts';
import { validationSchemas } from './validation-schema.ts';
import type { CompiledValidator, CompiledValidators } from './validation.ts';

/**
 * Compiles the rules of `messages` (all messages of the model when absent) in this process.
 * Throws on a schema that ajv refuses, such as one with an unknown format.
 */
export function compileValidators(
  model: SchemaModel,
  messages: readonly string[] = Object.keys(model.messages),
): CompiledValidators {
  const { ajv, roots } = prepare(model, messages);
  return Object.fromEntries(
    roots.map((message) => [message, ajv.getSchema(message) as CompiledValidator]),
  );
}

/**
 * The same validators as the text of an ES module, which exports them by message name as
 * `VALIDATORS` and imports nothing but `FORMATS` from `formatsModule`.
 */
export function generateValidatorModule(
  model: SchemaModel,
  messages: readonly string[],
  formatsModule: string,
): string {
  const { ajv, roots } = prepare(model, messages);
  const names = roots.map((message) => [message, message.replaceAll('.', '_')] as const);
  const exports = Object.fromEntries(names.map(([message, name]) => [name, message]));
  const code = standalone.default(ajv, exports).replaceAll(CONCATENATION, 'appended($1, $2)');
  const entries = names.map(([message, name]) => `  ${JSON.stringify(message)}: ${name},\n`);
  return [
    `import { FORMATS } from ${JSON.stringify(formatsModule)};\n`,
    APPENDED,
    `${code}\n`,
    `export const VALIDATORS = {\n${entries.join('')}};\n`,
  ].join('');
}

/** Errors of each item of a list are put together so: as often copied as there are items. */
const CONCATENATION = /\b(vErrors)\.concat\((\w+\.errors)\)/g;

/** Beyond so many nothing more is told of an object anyway. */
const ERRORS_MAX = 10_000;

const APPENDED = `function appended(errors, more) {
  for (const error of more) if (errors.length < ${ERRORS_MAX}) errors.push(error);
  return errors;
}\n`;

function prepare(
  model: SchemaModel,
  messages: readonly string[],
): { ajv: Ajv; roots: readonly string[] } {
  const schemas = validationSchemas(model, messages);
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strict: true,
    // The codec has checked the types; a keyword without a type is meant.
    strictTypes: false,
    code: { source: true, esm: true, formats: _`FORMATS` },
  });
  addKeywords(ajv);
  for (const [name, isValid] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
  for (const schema of schemas.values()) ajv.addSchema(schema);
  return { ajv, roots: messages.filter((message) => schemas.has(message)) };
}

/** ajv's `minimum` and `maximum` never look at a bigint, which a large int64 is. */
function addKeywords(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'atLeast',
    schemaType: 'number',
    code: (context: KeywordCxt) => context.fail(_`${context.data} < ${context.schema}`),
  });
  ajv.addKeyword({
    keyword: 'atMost',
    schemaType: 'number',
    code: (context: KeywordCxt) => context.fail(_`${context.data} > ${context.schema}`),
  });
  ajv.addKeyword({
    keyword: 'nonEmpty',
    schemaType: 'boolean',
    code: (context: KeywordCxt) => context.fail(_`${context.data} === ""`),
  });
}
