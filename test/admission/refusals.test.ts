/** How plugins name what they refuse. */
import t from 'tap';
import { ALWAYS_DENY } from '../../src/admission/plugins/always-deny/always-deny.ts';
import { NamespaceLifecycle } from '../../src/admission/plugins/namespaces/namespace-lifecycle.ts';
import { admissionContext, proposed, verdict } from '../support/proposals.ts';
import type { Proposed } from '../support/proposals.ts';

const NAMELESS = { metadata: { namespace: 'a' } };
const GENERATED = { metadata: { namespace: 'a', generateName: 'made-' } };

t.test('AlwaysDeny refuses whatever it is asked', async (t) => {
  const rows: [what: string, facts: Proposed, name: string][] = [
    ['CREATE - configmaps', { object: NAMELESS }, 'configmaps "Unknown"'],
    ['CREATE - configmaps', { object: GENERATED }, 'configmaps "made-"'],
    ['UPDATE apps deployments/status', { name: 'd' }, 'deployments.apps "d"'],
    ['DELETE - configmaps', { name: 'x' }, 'configmaps "x"'],
    ['CONNECT - pods/exec', { name: 'p' }, 'pods "p"'],
  ];
  for (const [what, facts, name] of rows) {
    const said = `403 ${name} is forbidden: admission control is denying all modifications`;
    t.equal(verdict(ALWAYS_DENY, proposed(what, facts)), said, what);
  }
});

t.test('what has no name yet is unknown where its namespace ends', async (t) => {
  const context = admissionContext();
  const plugin = new NamespaceLifecycle(context);
  context.fed.putObject('namespaces', {
    metadata: { name: 'a' },
    status: { phase: 'Terminating' },
  });
  t.match(
    verdict(plugin, proposed('CREATE - configmaps', { object: NAMELESS })),
    /^403 configmaps "Unknown" is forbidden: unable to create new content in namespace a/,
  );
});
