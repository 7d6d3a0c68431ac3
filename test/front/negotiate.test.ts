/** Media types of bodies: what each of them makes of a write (API-FACTS 1.2 and 5.1). */
import t from 'tap';
import { bodyFormat, patchTypeOf, startsAsJsonObject } from '../../src/front/negotiate.ts';
import { thrownStatus } from '../support/refusal.ts';

t.test('the type of a patch', async (t) => {
  const rows: [string, string][] = [
    ['application/json-patch+json', 'json'],
    ['application/merge-patch+json', 'merge'],
    ['application/strategic-merge-patch+json', 'strategic'],
    ['application/apply-patch+yaml', 'apply'],
    ['application/json-patch+json;charset=utf-8', 'json'],
    ['application/merge-patch+json; charset=utf-8; x=y', 'merge'],
    [' application/apply-patch+yaml ;', 'apply'],
  ];
  for (const [contentType, patchType] of rows) {
    t.equal(patchTypeOf(contentType), patchType, contentType);
  }
  const unknown = [
    ['', ' ', ';', 'application/json', 'application/yaml', 'text/plain', '*/*', '__proto__'],
    ['application/apply-patch+json', 'application/Merge-Patch+json', 'merge-patch+json'],
    ['application/merge-patch+json, application/json-patch+json', 'constructor'],
  ].flat();
  for (const contentType of unknown) {
    t.same(
      thrownStatus(() => patchTypeOf(contentType)),
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: '415: Unsupported Media Type',
        reason: 'UnsupportedMediaType',
        details: {},
        code: 415,
      },
      contentType,
    );
  }
});

t.test('the format of other bodies', async (t) => {
  for (const contentType of ['', 'application/json', 'Application/JSON; charset=utf-8']) {
    t.equal(bodyFormat(contentType), 'json', contentType);
  }
  t.equal(bodyFormat('application/yaml ; x=y'), 'yaml');
  t.match(
    thrownStatus(() => bodyFormat('application/merge-patch+json')),
    {
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: ' +
        'application/json, application/yaml',
    },
    'a patch is no object',
  );
});

t.test('what begins as a JSON object', async (t) => {
  for (const text of ['{', '{}', ' \t\r\n{"a":1}', '{a: b}']) {
    t.equal(startsAsJsonObject(Buffer.from(text)), true, JSON.stringify(text));
  }
  for (const text of ['', ' ', '[]', 'a: {}', '# {', '---\n{}', '\ufeff{}', '\u000b{}', '"{"']) {
    t.equal(startsAsJsonObject(Buffer.from(text)), false, JSON.stringify(text));
  }
});

t.end();
