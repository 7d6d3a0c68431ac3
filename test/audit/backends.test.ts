import t from 'tap';
import { AuditLog } from '../../src/audit/audit-log.ts';
import { AuditWebhook } from '../../src/audit/audit-webhook.ts';
import type { AuditMode, BackendSettings } from '../../src/audit/settings.ts';
import { WebhookError } from '../../src/webhooks/webhook-errors.ts';
import { auditEvent } from '../support/audit-events.ts';
import { until as untilLater } from '../support/owned-objects.ts';

const until = (condition: () => boolean): Promise<void> => untilLater(async () => condition());

const TARGET = { url: 'https://127.0.0.1:1', caBundle: '' };
const rotation = { bytesMax: 0, backupsMax: 0, ageMsMax: 0, isCompressed: false };

function backend(mode: AuditMode, more: Partial<BackendSettings> = {}): BackendSettings {
  const batch = { bufferSize: 4, sizeMax: 2, waitMsMax: 60_000 };
  return { version: 'v1', mode, batch, ...more };
}

/** A log whose disk is full while `isFull` says so. */
function logOf(settings: BackendSettings, isFull = (): boolean => false) {
  const texts: string[] = [];
  const errors: string[] = [];
  const append = (lines: string): void => {
    if (isFull()) throw new Error('the disk is full');
    texts.push(lines);
  };
  const log = new AuditLog(
    { ...settings, path: '/x', format: 'json', rotation },
    { append, close: () => undefined },
    (text) => errors.push(text),
  );
  return { log, texts, errors };
}

/** A webhook that takes what `answer` does not throw for. */
function webhookOf(
  settings: BackendSettings,
  answer: (document: string) => void | Promise<void>,
  close = (): void => undefined,
) {
  const errors: string[] = [];
  const sent: string[][] = [];
  const tell = async (_target: unknown, document: string): Promise<void> => {
    await answer(document);
    const { items } = JSON.parse(document) as { items: { auditID: string }[] };
    sent.push(items.map(({ auditID }) => auditID));
  };
  const webhook = new AuditWebhook(
    { ...settings, target: TARGET, firstRetryMs: 1 },
    {
      client: { tell, close },
      random: () => 0,
      closeMsMax: 1,
      logError: (it) => errors.push(it),
    },
  );
  return { webhook, sent, errors };
}

t.test('a log that blocks has each event at once, a batch waits for others', async (t) => {
  const blocking = logOf(backend('blocking'));
  t.equal(blocking.log.take(auditEvent('a')), true);
  t.equal(blocking.texts.length, 1);
  const batch = logOf(backend('batch'));
  batch.log.take(auditEvent('a'));
  t.equal(batch.texts.length, 0);
  batch.log.take(auditEvent('b'));
  await until(() => batch.texts.length === 1);
  t.equal(batch.texts[0]?.split('\n').length, 3);
  batch.log.take(auditEvent('c'));
  await batch.log.close();
  t.match(batch.texts[1], /"auditID":"c"/);
});

t.test('a full disk loses events, and refuses requests of the strict mode alone', async (t) => {
  for (const mode of ['batch', 'blocking', 'blocking-strict'] as const) {
    let isFull = true;
    const { log, errors, texts } = logOf(backend(mode), () => isFull);
    t.equal(log.take(auditEvent('a')), mode !== 'blocking-strict', mode);
    log.flush();
    t.same(errors, ['audit: the log has lost 1 event: the disk is full']);
    isFull = false;
    t.equal(log.take(auditEvent('b')), true);
    await log.close();
    t.equal(texts.length, 1);
    t.equal(log.lost.count, 1);
  }
});

t.test('what does not fit into the buffer is lost, and told once and at the end', async (t) => {
  const { log, errors, texts } = logOf(backend('batch'));
  for (const id of 'abcdefg') log.take(auditEvent(id));
  await log.close();
  t.same(errors, [
    'audit: the log has lost 1 event: too many events wait',
    'audit: the log has lost 2 events more',
  ]);
  t.equal(texts.join('').split('\n').length, 5);
});

t.test('an event that is too large loses its objects, or is lost', async (t) => {
  const truncation = { eventBytesMax: 500, batchBytesMax: 1_000 };
  const { log, texts, errors } = logOf(backend('blocking', { truncation }));
  log.take(auditEvent('a', `"${'x'.repeat(1_000)}"`));
  t.match(texts[0], /"annotations":\{"audit.cluster.io\/truncated":"true"\}/);
  t.notMatch(texts[0], /requestObject/);
  log.take(auditEvent('y'.repeat(1_000)));
  t.equal(texts.length, 1);
  t.same(errors, [
    'audit: the log has lost 1 event: the event is too large, even without its objects',
  ]);
});

t.test('a webhook gets events in lists, those that fail once more', async (t) => {
  let failures = 2;
  const { webhook, sent, errors } = webhookOf(backend('batch'), () => {
    if (failures-- > 0) throw new WebhookError('busy', 429);
  });
  void webhook.take(auditEvent('a'));
  void webhook.take(auditEvent('b'));
  await until(() => sent.length === 1);
  void webhook.take(auditEvent('c'));
  await webhook.close();
  t.same(sent, [['a', 'b'], ['c']]);
  t.same(errors, []);
});

t.test(
  'a request waits for a webhook that blocks, and is refused in the strict mode',
  async (t) => {
    const good = webhookOf(backend('blocking'), () => undefined);
    t.equal(await good.webhook.take(auditEvent('a')), true);
    t.same(good.sent, [['a']]);
    const fail = (): never => {
      throw new WebhookError('gone');
    };
    t.equal(await webhookOf(backend('blocking'), fail).webhook.take(auditEvent('a')), true);
    const strict = webhookOf(backend('blocking-strict'), fail);
    t.equal(await strict.webhook.take(auditEvent('a')), false);
    t.same(strict.errors, ['audit: the webhook has lost 1 event: gone']);
  },
);

t.test('a webhook that hangs costs the buffer, and the end is not waited for long', async (t) => {
  let isHanging = true;
  let calls = 0;
  const release: (() => void)[] = [];
  const { webhook, errors } = webhookOf(backend('batch'), async () => {
    calls++;
    if (isHanging) await new Promise<void>((resolve) => release.push(resolve));
    throw new WebhookError('late');
  });
  for (let sent = 0; sent < 40; sent += 2) {
    void webhook.take(auditEvent('a'));
    void webhook.take(auditEvent('b'));
    if (calls < 8) await until(() => calls === Math.min(8, sent / 2 + 1));
  }
  t.equal(calls, 8, 'so many lists are under way');
  t.equal(webhook.lost.count, 20, 'four events wait, and the others are lost');
  isHanging = false;
  const closed = webhook.close();
  for (const go of release) go();
  await closed;
  t.equal(webhook.lost.count, 40);
  t.match(errors[0], /too many events wait/);
});

t.test(
  'a webhook that hangs is given up at the end, and what it has not got is told',
  async (t) => {
    let fail = (): void => undefined;
    const hanging = new Promise<void>((_resolve, reject) => {
      fail = () => reject(new WebhookError('closed'));
    });
    const settings = backend('batch', {
      batch: { bufferSize: 100, sizeMax: 2, waitMsMax: 60_000 },
    });
    const { webhook, errors } = webhookOf(
      settings,
      () => hanging,
      () => fail(),
    );
    for (let id = 0; id < 40; id++) void webhook.take(auditEvent(`${id}`));
    await webhook.close();
    t.equal(webhook.lost.count, 40);
    t.match(errors.join(' '), /has lost 2 events: closed .* has lost 38 events more/);
  },
);

t.test('lists for a webhook are no longer than they may be', async (t) => {
  const truncation = { eventBytesMax: 400, batchBytesMax: 500 };
  const batch = { bufferSize: 100, sizeMax: 5, waitMsMax: 60_000 };
  const { webhook, sent } = webhookOf(backend('batch', { truncation, batch }), () => undefined);
  for (const id of 'abcde') void webhook.take(auditEvent(id));
  await webhook.close();
  t.same(sent, [['a', 'b'], ['c', 'd'], ['e']]);
});

t.test('batches are bounded in time', async (t) => {
  const throttle = { perSecond: 0.001, burst: 2 };
  const batch = { bufferSize: 100, sizeMax: 1, waitMsMax: 60_000, throttle };
  const { webhook, sent } = webhookOf(backend('batch', { batch }), () => undefined);
  for (const id of 'abc') void webhook.take(auditEvent(id));
  await until(() => sent.length === 2);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(sent.length, 2, 'the burst is over');
  await webhook.close();
  t.same(sent, [['a'], ['b'], ['c']], 'the end waits for nothing');
});
