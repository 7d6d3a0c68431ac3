import t from 'tap';
import {
  checkFieldSelector,
  fieldMatcher,
  formatFieldSelector,
  parseFieldSelector,
  requiredValue,
  unsupportedLabelText,
} from '../../src/semantics/selectors/field-selector.ts';
import type { FieldSelector } from '../../src/semantics/selectors/field-selector.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';

const METADATA_FIELDS = new Set(['metadata.name', 'metadata.namespace']);

function matches(text: string, fields: Record<string, string>): boolean {
  return fieldMatcher(parseFieldSelector(text))((name) => fields[name] ?? '');
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${error.status.reason} ${error.message}`;
  }
  return 'accepted';
}

t.test('equality and inequality, ANDed', async (t) => {
  const fields = { 'metadata.name': 'web', 'spec.nodeName': '' };
  t.equal(matches('', fields), true);
  t.equal(matches('metadata.name=web', fields), true);
  t.equal(matches('metadata.name==web', fields), true);
  t.equal(matches('metadata.name!=web', fields), false);
  t.equal(matches('metadata.name=web,metadata.name=db', fields), false);
  t.equal(matches('metadata.name!=db,metadata.name!=api', fields), true);
  t.equal(matches('spec.nodeName=', fields), true);
  t.equal(matches('spec.nodeName!=', fields), false);
  t.equal(matches(',,metadata.name=web,', fields), true, 'empty terms are ignored');
  t.same(parseFieldSelector('=').terms, [], 'and so are terms of nothing');
  t.same(parseFieldSelector('!=,metadata.name=a').terms.length, 1);
});

t.test('escapes let a value contain commas, equals signs and backslashes', async (t) => {
  t.equal(matches(String.raw`f=a\,b\=c\\d`, { f: String.raw`a,b=c\d` }), true);
  t.same(parseFieldSelector(String.raw`f=a\\,g=b`).terms, [
    { field: 'f', operator: '=', value: 'a\\' },
    { field: 'g', operator: '=', value: 'b' },
  ]);
});

t.test('the first operator cuts the term', async (t) => {
  t.same(parseFieldSelector('a!b=c').terms, [{ field: 'a!b', operator: '=', value: 'c' }]);
  t.same(parseFieldSelector('a!=b!c').terms, [{ field: 'a', operator: '!=', value: 'b!c' }]);
  t.same(parseFieldSelector('=c').terms, [{ field: '', operator: '=', value: 'c' }]);
});

t.test('refusals carry the texts of the reference', async (t) => {
  const parse = (text: string) => refusal(() => parseFieldSelector(text));
  const start = '400 BadRequest invalid';
  t.equal(parse('a=b,c'), `${start} selector: 'a=b,c'; can't understand 'c'`);
  t.equal(parse('a>b'), `${start} selector: 'a>b'; can't understand 'a>b'`);
  t.equal(
    parse(String.raw`a=b\c`),
    String.raw`${start} field selector: invalid escape sequence: \c`,
  );
  t.equal(parse('a=b\\'), `${start} field selector: invalid escape sequence: \\`);
  t.equal(parse('a=b\\😀'), `${start} field selector: invalid escape sequence: \\😀`);
  t.equal(parse('a=b=c'), `${start} field selector: unescaped character in value: 61`);
});

t.test('fields that the type does not offer are refused', async (t) => {
  const check = (selector: FieldSelector, unsupportedText?: (field: string) => string) =>
    refusal(() => checkFieldSelector(selector, METADATA_FIELDS, unsupportedText));
  t.equal(check(parseFieldSelector('metadata.name=a,metadata.namespace!=b')), 'accepted');
  t.equal(
    check(parseFieldSelector('metadata.name=a,spec.x=1')),
    '400 BadRequest "spec.x" is not a known field selector: ' +
      'only "metadata.name", "metadata.namespace"',
  );
  t.equal(
    check(parseFieldSelector('spec.x=1'), unsupportedLabelText),
    '400 BadRequest field label not supported: spec.x',
  );
});

t.test('the value that equality demands is found, for indexes', async (t) => {
  const selector = parseFieldSelector('metadata.name=a,metadata.namespace!=b,spec.x=');
  t.equal(requiredValue(selector, 'metadata.name'), 'a');
  t.equal(requiredValue(selector, 'metadata.namespace'), undefined, 'inequality demands nothing');
  t.equal(requiredValue(selector, 'spec.x'), '');
  t.equal(requiredValue(selector, 'spec.y'), undefined);
});

t.test('selectors that ask the same have one canonical text, which parses back', async (t) => {
  const canonical = (text: string) => formatFieldSelector(parseFieldSelector(text));
  t.equal(canonical(''), '');
  t.equal(canonical(',b!=2,a==1,b!=2'), 'a=1,b!=2');
  const escaped = String.raw`f=a\,b\=c\\d`;
  t.equal(canonical(escaped), escaped);
  t.same(parseFieldSelector(canonical(escaped)), parseFieldSelector(escaped));
});
