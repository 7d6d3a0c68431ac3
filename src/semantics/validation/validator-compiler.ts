/**
 * Turns the constraints of the schema model into code, with ajv. `tools/build-validators.ts` writes
 * that code into a module when the server is built, so that no request ever waits for a compiler;
 * tests compile in place.
 */
import { Ajv, _, nil, stringify, type KeywordCxt } from 'ajv';
import { resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js';
import names from 'ajv/dist/compile/names.js';
import standalone from 'ajv/dist/standalone/index.js';
import { callValidateCode } from 'ajv/dist/vocabularies/code.js';
import { getValidate } from 'ajv/dist/vocabularies/core/ref.js';
import { assert } from '../../base/assert.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { appendErrors } from '../errors/append-errors.ts';
import { FORMATS } from './formats.ts';
import { releasedValues, type ReleasedEnum } from './released-values.ts';
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
 * The validators as the text of an ES module, which exports them by message name as `VALIDATORS`
 * and imports nothing but three files of this folder, at `semanticsFolder`.
 */
export function generateValidatorModule(
  model: SchemaModel,
  messages: readonly string[],
  semanticsFolder: string,
): string {
  const { ajv, roots } = prepare(model, messages);
  const exported = roots.map((message) => [message, message.replaceAll('.', '_')] as const);
  const exports = Object.fromEntries(exported.map(([message, name]) => [name, message]));
  const code = standalone.default(ajv, exports);
  const entries = exported.map(([message, name]) => `  ${JSON.stringify(message)}: ${name},\n`);
  const errors = JSON.stringify(`${semanticsFolder}/errors/append-errors.ts`);
  const released = JSON.stringify(`${semanticsFolder}/validation/released-values.ts`);
  const formats = JSON.stringify(`${semanticsFolder}/validation/formats.ts`);
  return [
    `import { appendErrors } from ${errors};\n`,
    `import { FORMATS } from ${formats};\n`,
    `import { releasedValues } from ${released};\n`,
    `${code}\n`,
    `export const VALIDATORS = {\n${entries.join('')}};\n`,
  ].join('');
}

function prepare(
  model: SchemaModel,
  messages: readonly string[],
): { ajv: Ajv; roots: readonly string[] } {
  const schemas = validationSchemas(model, messages);
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strict: true,
    // The codec has checked types already, so keywords stand without one on purpose.
    strictTypes: false,
    // Messages may contain themselves.
    inlineRefs: false,
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
  ajv.addKeyword({ keyword: 'releasedEnum', schemaType: 'array', code: checkReleasedEnum });
  ajv.addKeyword({ keyword: 'message', schemaType: 'string', code: callMessage });
}

function checkReleasedEnum(context: KeywordCxt): void {
  const values = context.schema as ReleasedEnum;
  const allowed = context.gen.scopeValue('enum', {
    ref: releasedValues(values),
    key: values,
    code: _`releasedValues(${stringify(values)})`,
  });
  context.fail(_`!${allowed}.has(${context.data})`);
}

/**
 * The rules of another message, by its name: ajv's own `$ref`, but that its errors are appended to
 * those before. `$ref` copies them all, for each item of a list that has any.
 */
function callMessage(context: KeywordCxt): void {
  const { gen, it } = context;
  const { baseId, schemaEnv, self } = it;
  const message = resolveRef.call(self, schemaEnv.root, baseId, context.schema as string);
  assert(message instanceof SchemaEnv, `there is no message ${context.schema}`);
  const validate = getValidate(context, message);
  const append = gen.scopeValue('func', { ref: appendErrors, code: _`appendErrors` });
  context.result(callValidateCode(context, validate, nil), undefined, () => {
    const { vErrors, errors } = names.default;
    gen.assign(vErrors, _`${append}(${vErrors}, ${validate}.errors)`);
    gen.assign(errors, _`${vErrors}.length`);
  });
}
