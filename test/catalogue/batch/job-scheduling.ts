// How the pods of Jobs are scheduled together, which is a feature of the newest release.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as NEWEST } from './job-newest.ts';

const IMMUTABLE = 'Invalid value: null: field is immutable';
const FIELD = 'spec.scheduling';
const POLICY = `${FIELD}.schedulingPolicy`;
const CLAIM = { name: 'gpu', resourceClaimName: 'shared' };

const scheduling = (members: Change, job: Change = {}): Change => ({
  spec: { ...job, scheduling: members },
});
const gang = (minCount: number): Change => ({ schedulingPolicy: { gang: { minCount } } });

const { minimal, minimalStored, full, fullStored } = NEWEST;

export const CASES: KindCases = {
  ...NEWEST,
  featureGates: ['WorkloadWithJob'],
  minimal,
  minimalStored,
  full,
  ...(fullStored && { fullStored }),
  invalid: [
    [
      'all of it is there',
      scheduling(
        {
          schedulingPolicy: { gang: { minCount: 2 } },
          schedulingConstraints: { topology: [{ key: 'example.com/rack' }] },
          disruptionMode: { all: {} },
          resourceClaims: [CLAIM],
        },
        { parallelism: 2, completions: 2 },
      ),
      [],
    ],
    ['a gang may leave its number open', scheduling({ schedulingPolicy: { gang: {} } }), []],
    [
      'it is at most the parallelism',
      scheduling(gang(3), { parallelism: 2 }),
      [`${POLICY}.gang.minCount: Invalid value: 3: must not be greater than parallelism (2)`],
    ],
    [
      'and at least one',
      scheduling(gang(0)),
      [`${POLICY}.gang.minCount: Invalid value: 0: must be greater than or equal to 1`],
    ],
    [
      'a policy is one of two',
      scheduling({ schedulingPolicy: {} }),
      [`${POLICY}: Invalid value: "": must specify one of: \`basic\`, \`gang\``],
    ],
    [
      'pods that are scheduled one by one are disrupted so',
      scheduling({ disruptionMode: { all: {} } }),
      [
        `${FIELD}.disruptionMode: Invalid value: "": the disruptionMode \`all\` is not supported ` +
          'with the Basic scheduling policy',
      ],
    ],
    [
      'of two modes the first one counts',
      scheduling({ disruptionMode: { single: {}, all: {} } }),
      [
        `${FIELD}.disruptionMode: Invalid value: "{single, all}": must specify exactly one of: ` +
          '`single`, `all`',
      ],
    ],
    [
      'claims have names',
      scheduling({ resourceClaims: [{ resourceClaimName: 'shared' }] }),
      [`${FIELD}.resourceClaims[0].name: Required value`],
    ],
  ],
  updates: [
    ['a gang may change', scheduling(gang(1), { parallelism: 2 }), scheduling(gang(2)), []],
    [
      'its policy stays',
      scheduling(gang(1)),
      scheduling({ schedulingPolicy: { gang: undefined, basic: {} } }),
      [
        `${POLICY}: Invalid value: null: the basic/gang policy variant is immutable after ` +
          'creation; only schedulingPolicy.gang.minCount may be updated',
      ],
    ],
    [
      'nothing comes later',
      {},
      scheduling(gang(1)),
      [`${FIELD}: Invalid value: null: field cannot be set once created`],
    ],
    [
      'or goes',
      scheduling(gang(1)),
      { spec: { scheduling: undefined } },
      [`${FIELD}: Invalid value: null: field cannot be cleared once set`],
    ],
    [
      'the rest stays',
      scheduling({ resourceClaims: [CLAIM] }),
      scheduling({ ...gang(1), disruptionMode: { single: {} }, resourceClaims: [] }),
      [
        `${POLICY}: Invalid value: null: field cannot be set once created`,
        `${FIELD}.disruptionMode: ${IMMUTABLE}`,
        `${FIELD}.resourceClaims: ${IMMUTABLE}`,
      ],
    ],
  ],
  statusUpdates: [],
};
