// Which webhooks are left out by their conditions, and what becomes of those that cannot be told.
import t from 'tap';
import { webhooksOf } from '../../src/admission/plugins/webhooks/configured-webhook.ts';
import { takenByConditions } from '../../src/admission/plugins/webhooks/webhook-conditions.ts';
import { namedBy } from '../../src/admission/plugins/webhooks/webhook-index.ts';
import { Conversions } from '../../src/admission/shown-objects.ts';
import { proposed } from '../support/proposals.ts';
import { refusal } from '../support/thrown-status.ts';

const RULES = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];

function taken(expressions: readonly string[], failurePolicy = 'Fail') {
  const matchConditions = expressions.map((expression, at) => ({ name: `c${at}`, expression }));
  const webhook = { name: 'w', rules: RULES, failurePolicy, matchConditions };
  const webhooks = webhooksOf({ metadata: { name: 'c' }, webhooks: [webhook] });
  const proposal = proposed('CREATE - pods', {
    object: { metadata: { name: 'a', namespace: 'ns' } },
  });
  const authorizer = () => ({
    authorize: () => ({ verdict: 'allow', reason: '' }) as const,
    rulesFor: () => Promise.reject(new Error('not asked')),
  });
  const conversions = new Conversions();
  const write = { proposal, conversions, authorizer, type: 'admit' } as const;
  return takenByConditions(namedBy(webhooks, proposal), write);
}

t.test('all conditions have to hold', async (t) => {
  const rows: [expressions: string[], isTaken: boolean][] = [
    [[], true],
    [[`object.metadata.name == 'a'`], true],
    [[`object.metadata.name == 'a'`, `request.operation == 'DELETE'`], false],
    [[`authorizer.group('').resource('pods').check('create').allowed()`], true],
    [['object.nothing == 1', 'false'], false],
  ];
  for (const [expressions, isTaken] of rows) {
    t.equal((await taken(expressions)).length, isTaken ? 1 : 0, expressions.join('; '));
  }
});

t.test('one that cannot be evaluated refuses the write, or leaves the webhook out', async (t) => {
  const status = await refusal(taken(['object.nothing == 1']));
  t.match(status, {
    code: 403,
    reason: 'Forbidden',
    message: `pods "a" is forbidden: expression 'object.nothing == 1' resulted in error: no such key: nothing`,
  });
  t.same(await taken(['object.nothing == 1'], 'Ignore'), []);
});

t.end();
