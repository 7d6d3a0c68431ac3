/** The policy of each release, as the reference begins with it in its own names. */
import '../support/k8s-dialect.ts';
import t from 'tap';
import { bootstrapPolicy } from '../../src/auth/bootstrap-policy/bootstrap-policy.ts';
import { parseFeatureGates } from '../../src/release/feature-gates.ts';
import { releaseOf } from '../../src/release/release.ts';
import { asDocuments, policyDigest, policyFacts } from '../support/policy-facts.ts';

/**
 * How many roles and bindings there are, their digest, and that with all alpha and beta features
 * (`npm run check:policy` finds them in the sources of a release).
 */
const RELEASES: readonly (readonly [minor: number, count: number, preset: string, all: string])[] =
  [
    [23, 119, 'bcb3462fe4ca', 'a6a887b4b6df'],
    [24, 119, '3d353ae856e9', '23208e47ca31'],
    [25, 119, '0910261bd2d8', 'd2377a12bb78'],
    [26, 119, '828cc2cf2705', '1e1d72b46bc9'],
    [27, 119, '67970d168495', '567d171ba43e'],
    [28, 119, 'a2e1cc28f097', '06fbab846b29'],
    [29, 121, '2fd47beddb86', '9b1661d7bbaa'],
    [30, 123, '487c694350da', 'f3a966330da5'],
    [31, 123, '2ab4956d0f37', '0df2a30eec61'],
    [32, 123, '06f1f17d3d9e', '9a922292f640'],
    [33, 127, 'e27e07c084b4', '336487eaa682'],
    [34, 131, '7d0bd2dc3cb4', '98b98ae5bbd5'],
    [35, 131, '62a40e8d5ff9', '82f67910e728'],
    [36, 133, '5dda83cbe212', '3ba8e7fb1647'],
    [37, 141, '252edb493bff', '6fbf1256a37c'],
  ];

for (const [minor, count, preset, all] of RELEASES) {
  t.test(`1.${minor}`, async (t) => {
    const facts = (pairs: string) => {
      const gates = parseFeatureGates(pairs, releaseOf(minor));
      return policyFacts(asDocuments(bootstrapPolicy({ minor, gates })));
    };
    t.equal(facts('').size, count);
    t.equal(policyDigest(facts('')), preset);
    t.equal(policyDigest(facts('AllAlpha=true,AllBeta=true')), all);
  });
}

t.test('a feature that is off takes its roles and rules along', async (t) => {
  const gates = parseFeatureGates('KubeletFineGrainedAuthz=false', releaseOf(35));
  const facts = policyFacts(asDocuments(bootstrapPolicy({ minor: 35, gates })));
  t.notMatch(facts.get('ClusterRole /system:kubelet-api-admin'), /nodes\/configz/);
  const withoutAddresses = parseFeatureGates('MultiCIDRServiceAllocator=false', releaseOf(33));
  const roles = policyFacts(asDocuments(bootstrapPolicy({ minor: 33, gates: withoutAddresses })));
  t.notOk([...roles.keys()].some((name) => name.includes('service-cidrs-controller')));
});

t.end();
