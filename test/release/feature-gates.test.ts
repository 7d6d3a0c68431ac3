import t from 'tap';
import {
  featureGateWarnings as warnings,
  gatesWithEffect,
  parseFeatureGates as parse,
  stateOf,
} from '../../src/release/feature-gates.ts';
import { DEFAULT_RELEASE } from '../../src/release/release.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';

const FEATURE_GATES = gatesWithEffect(DEFAULT_RELEASE).map(([gate]) => gate);
const ofStage = (stage: string) =>
  FEATURE_GATES.filter((gate) => stateOf(gate, DEFAULT_RELEASE).stage === stage);
const parseFeatureGates = (pairs: string) => parse(pairs, DEFAULT_RELEASE);
const featureGateWarnings = (pairs: string) => warnings(pairs, DEFAULT_RELEASE);

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
  t.notOk(parseFeatureGates('CPUManager=false').has('CPUManager'));
});

t.test('what was removed, or never was, is refused', async (t) => {
  for (const name of ['CustomResourceWebhookConversion', 'allAlpha', '', 'toString']) {
    t.throws(() => parseFeatureGates(`${name}=true`), { name: 'RangeError' }, name);
  }
});
