/**
 * Writes the validators of every kind as one ES module.
 * Usage: node tools/build-validators.ts <output file>
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { KINDS_OF_ALL } from '../src/resources/registry.ts';
import { generateValidatorModule } from '../src/semantics/validation/validator-compiler.ts';
import { readProtoFolder } from './read-proto.ts';

const root = resolve(import.meta.dirname, '..');
const [output] = process.argv.slice(2);
if (output === undefined) throw new Error('usage: node tools/build-validators.ts <output file>');

const target = resolve(output);
const folder = dirname(target);
const semantics = relative(folder, join(root, 'src/semantics'));
// One file serves every release.
const messages = [...new Set(KINDS_OF_ALL.map(({ message }) => message))];
const semanticsImport = semantics.startsWith('.') ? semantics : `./${semantics}`;
mkdirSync(folder, { recursive: true });
const model = loadSchemaModel(readProtoFolder(join(root, 'proto')));
// A reader sees the old file or the new one, never a part.
writeFileSync(`${target}.new`, generateValidatorModule(model, messages, semanticsImport));
renameSync(`${target}.new`, target);
