import t from 'tap';
import {
  DEFAULT_GATES,
  FEATURE_GATES,
  featureGateWarnings,
  parseFeatureGates,
  stageOf,
} from '../../src/resources/feature-gates.ts';

const ofStage = (stage: string) => FEATURE_GATES.filter((gate) => stageOf(gate).stage === stage);

t.test('alpha is off and beta on, but for what is said otherwise', async (t) => {
  const offInBeta = ofStage('beta').filter((gate) => !DEFAULT_GATES.has(gate));
  t.same(offInBeta, ['ProbeTerminationGracePeriod', 'TopologyAwareHints']);
  const onInAlpha = ofStage('alpha').filter((gate) => DEFAULT_GATES.has(gate));
  t.same(onInAlpha, ['OpenAPIV3', 'ServerSideFieldValidation']);
  t.same(parseFeatureGates(''), DEFAULT_GATES);
});

t.test('all of a stage at once, but for those that are named, in whatever order', async (t) => {
  const alpha = parseFeatureGates('AllAlpha=true');
  t.ok(ofStage('alpha').every((gate) => alpha.has(gate)));
  t.same(
    ofStage('beta').filter((gate) => alpha.has(gate)),
    ofStage('beta').filter((gate) => DEFAULT_GATES.has(gate)),
  );
  t.notOk(ofStage('alpha').some((gate) => parseFeatureGates('AllAlpha=false').has(gate)));
  for (const pairs of ['SuspendJob=true,AllBeta=false', 'AllBeta=false, SuspendJob=true']) {
    const gates = parseFeatureGates(pairs);
    t.same(
      ofStage('beta').filter((gate) => gates.has(gate)),
      ['SuspendJob'],
      pairs,
    );
  }
});

t.test('of pairs with one name the last counts', async (t) => {
  t.ok(parseFeatureGates('IdentifyPodOS=false,IdentifyPodOS=true').has('IdentifyPodOS'));
});

t.test('what is general stays on', async (t) => {
  t.same(parseFeatureGates('WatchBookmark=true'), DEFAULT_GATES);
  t.same(featureGateWarnings('WatchBookmark=true'), [
    'setting GA feature gate WatchBookmark=true: it will be removed in a future release',
  ]);
  for (const name of ['WatchBookmark', 'ServerSideApply', 'DryRun']) {
    const off = (): unknown => parseFeatureGates(`${name}=false`);
    t.throws(off, {
      name: 'RangeError',
      message: `${name} cannot be switched off: it is locked to true`,
    });
  }
});

t.test('who sets what is deprecated or has no effect is told', async (t) => {
  t.same(featureGateWarnings('DynamicKubeletConfig=true,SuspendJob=false,AllAlpha=true'), [
    'setting deprecated feature gate DynamicKubeletConfig=true: it will be removed in a future ' +
      'release',
  ]);
  t.same(featureGateWarnings('CPUManager=false'), ['CPUManager changes nothing in this server']);
  t.same(parseFeatureGates('CPUManager=false'), DEFAULT_GATES);
});

t.test('what was removed, or never was, is refused', async (t) => {
  for (const name of ['CustomResourceWebhookConversion', 'allAlpha', '', 'toString']) {
    t.throws(() => parseFeatureGates(`${name}=true`), { name: 'RangeError' }, name);
  }
});
