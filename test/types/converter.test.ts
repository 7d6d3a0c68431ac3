// A converter keeps what a conversion webhook says.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { CONVERSION_BATCH_CHARACTERS_MAX, CONVERSION_KEPT_MS_MAX } from '../../src/limits.ts';
import { ConversionNeeded, type WantedConversion } from '../../src/types/conversion.ts';
import { Converter } from '../../src/types/custom/converter.ts';

interface Asked {
  readonly names: string[];
  readonly answer: () => void;
  readonly refuse: () => void;
}

function subject() {
  const asked: Asked[] = [];
  let nowMs = 0;
  const call = (_webhook: unknown, document: string): Promise<string> => {
    const { apiVersion, kind, request } = JSON.parse(document);
    const { uid, desiredAPIVersion, objects } = request;
    const convertedObjects = objects.map((object: object) => ({
      ...object,
      apiVersion: desiredAPIVersion,
    }));
    const response = { uid, convertedObjects, result: { status: 'Success' } };
    return new Promise((resolve, reject) => {
      asked.push({
        names: objects.map((object: { metadata: { name: string } }) => object.metadata.name),
        answer: () => resolve(JSON.stringify({ apiVersion, kind, response })),
        refuse: () => reject(new Error('no')),
      });
    });
  };
  const webhook = { caBundle: '', reviewVersions: ['v1'] };
  const converter = new Converter(webhook, call, () => nowMs);
  return { asked, converter, pass: (ms: number) => void (nowMs += ms) };
}

function wanted(name: string, pad = ''): WantedConversion {
  const sent = { kind: 'A', apiVersion: 'g/v1', metadata: { name } };
  const document = JSON.stringify({ ...sent, pad });
  return { sent, document, desiredAPIVersion: 'g/v2', textOf: () => `text of ${name}` };
}

t.test('what is prepared is known, and asked for once', async (t) => {
  const { asked, converter } = subject();
  t.throws(() => converter.known(wanted('a')), ConversionNeeded);
  const first = converter.prepare([wanted('a'), wanted('b')]);
  const second = converter.prepare([wanted('b'), wanted('c')]);
  await turn();
  t.same(
    asked.map(({ names }) => names),
    [['a', 'b'], ['c']],
  );
  for (const { answer } of asked) answer();
  for (const held of await Promise.all([first, second])) held.release();
  t.equal(converter.known(wanted('b')), 'text of b');
  await converter.prepare([wanted('a'), wanted('c')]);
  t.equal(asked.length, 2);
});

t.test('large objects have calls of their own', async (t) => {
  const { asked, converter } = subject();
  const pad = 'x'.repeat(CONVERSION_BATCH_CHARACTERS_MAX / 2);
  const prepared = converter.prepare(['a', 'b', 'c'].map((name) => wanted(name, pad)));
  await turn();
  t.same(
    asked.map(({ names }) => names),
    [['a'], ['b'], ['c']],
  );
  for (const { answer } of asked) answer();
  await prepared;
});

t.test('what fails is asked for again by who comes next', async (t) => {
  const { asked, converter } = subject();
  const both = [converter.prepare([wanted('a')]), converter.prepare([wanted('a')])];
  await turn();
  asked[0]?.refuse();
  const message = 'conversion webhook for g/v1, Kind=A failed: no';
  for (const one of both) await t.rejects(one, { code: 500, message });
  const again = converter.prepare([wanted('a')]);
  await turn();
  asked[1]?.answer();
  await again;
  t.equal(converter.known(wanted('a')), 'text of a');
});

t.test('it is kept for a while, and as long as it is held', async (t) => {
  const { asked, converter, pass } = subject();
  const prepared = converter.prepare([wanted('a')]);
  await turn();
  asked[0]?.answer();
  const held = await prepared;
  pass(CONVERSION_KEPT_MS_MAX + 1);
  t.equal(converter.known(wanted('a')), 'text of a');
  held.release();
  t.throws(() => converter.known(wanted('a')), ConversionNeeded);
  const again = converter.prepare([wanted('a')]);
  await turn();
  asked[1]?.answer();
  (await again).release();
  t.equal(converter.known(wanted('a')), 'text of a');
});
