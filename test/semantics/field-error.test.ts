// The 422 of one object.
import t from 'tap';
import { CAUSES_CHARACTERS_MAX } from '../../src/limits.ts';
import {
  fieldForbidden,
  invalidObject,
  required,
  type FieldError,
} from '../../src/semantics/errors/field-error.ts';
import { alreadyExists, notFound, staleVersion } from '../../src/semantics/errors/status.ts';

const statusOf = (errors: readonly FieldError[]) =>
  invalidObject('batch', 'Job', 'x', errors).status;

t.test('one cause for each error, each text once', async (t) => {
  const errors = [required('spec.a'), fieldForbidden('spec.b', 'not now'), required('spec.a')];
  const { code, message, details } = statusOf(errors);
  t.equal(code, 422);
  const texts = 'spec.a: Required value, spec.b: Forbidden: not now';
  t.equal(message, `Job.batch "x" is invalid: [${texts}]`);
  t.equal(details?.causes?.length, 3);
});

t.test('a name is quoted', async (t) => {
  const name = '"a\\\u2028';
  const roles = { group: '', resource: 'roles' };
  const quoted = String.raw`"\"a\\\u2028"`;
  t.match(invalidObject('', 'Role', name, [required('a')]).status.message, `Role ${quoted} is`);
  t.equal(notFound(roles, name).status.message, `roles ${quoted} not found`);
  t.match(staleVersion(roles, name).status.message, ` on roles ${quoted}: `);
  t.equal(alreadyExists(roles, name, false).status.message, `roles ${quoted} already exists`);
});

t.test('of more than can be told, the first', async (t) => {
  const long = 'x'.repeat(CAUSES_CHARACTERS_MAX);
  /** With the message, 1024 characters. */
  const kibi = 'x'.repeat(1024 - required('').message.length);
  for (const [what, fields, told] of [
    ['one that is too long by itself', [long], 1],
    ['several', [long, long], 1],
    ['a short one, and one that is too long', ['a', long, 'b'], 1],
    ['as many as fit', Array<string>(CAUSES_CHARACTERS_MAX / 1024).fill(kibi), 256],
    ['more', Array<string>(10_000).fill(kibi), 256],
  ] as const) {
    const { details } = statusOf(fields.map((field) => required(field)));
    t.equal(details?.causes?.length, told, what);
  }
});
