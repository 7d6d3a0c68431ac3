/** What `npm run lab -- campaign` is given. */
import type { GivenFlags } from '../../../src/base/options/parse-flags.ts';
import { TARGET_FLAGS, textOf } from '../../backup/target.ts';
import { OptionsError, type Flag } from '../../flags.ts';
import { KINDS, readPlan, type Kind, type Plan, type Setting } from './plan.ts';

const SECONDS = 60;
const QUIET_MS = 1_000;
const SKIPPED = 'events,leases';
/** What these ask is kept by nobody. */
const KEPT_BY_NOBODY = [
  'tokenreviews',
  'subjectaccessreviews',
  'localsubjectaccessreviews',
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
];

export const CAMPAIGN_FLAGS: Readonly<Record<string, Flag>> = {
  ...TARGET_FLAGS,
  snapshot: { value: 'NAME' },
  command: { value: 'COMMAND' },
  scenario: { value: 'COMMAND' },
  check: { value: 'COMMAND' },
  'user-agent': { value: 'PATTERN' },
  user: { value: 'PATTERN' },
  plan: { value: 'FILE' },
  only: { value: 'KINDS' },
  skip: { value: 'RESOURCES' },
  limit: { value: 'N' },
  seconds: { value: 'N' },
  quiet: { value: 'MS' },
  'give-up': { value: 'MS' },
  out: { value: 'FOLDER' },
};

export const CAMPAIGN_HELP = [
  'Of campaign:',
  '  --snapshot NAME     where each run begins',
  '  --command COMMAND   runs the controller; without --scenario also what it is to do, to its end',
  '  --scenario COMMAND  has it do something, and ends when that is done; it is never killed',
  '  --check COMMAND     exits with 0 when the state is right in the end',
  '  --user-agent PATTERN, --user PATTERN',
  "                      which requests are the controller's: my-controller/*",
  '  --plan FILE         only this plan, as an earlier campaign has written it',
  `  --only KINDS        of ${KINDS.join(',')}`,
  `  --skip RESOURCES    of which nothing is planned (default ${SKIPPED})`,
  '  --limit N           no more plans than these',
  `  --seconds N         the time limit of a run (default ${SECONDS})`,
  `  --quiet MS          without a request it has done what it can (default ${QUIET_MS})`,
  '  --give-up MS        without a request, a wrong state stays wrong (default: the time limit)',
  '  --out FOLDER        for the report, JUnit XML and plans (default campaign)',
  'Commands find LAB_SERVER, LAB_TOKEN and KUBECONFIG in their environment. The exit code is 1',
  'where a plan fails twice.',
];

export interface CampaignCommand {
  readonly setting: Setting;
  /** Undefined for all. */
  readonly plan: Plan | undefined;
  readonly kinds: readonly Kind[];
  readonly skipped: ReadonlySet<string>;
  readonly limit: number;
  readonly out: string;
}

/** Throws OptionsError. */
export function readCampaign(given: GivenFlags): CampaignCommand {
  const file = textOf(given, 'plan');
  const kept = file === '' ? undefined : readPlan(file);
  return {
    setting: settingOf(given, kept?.setting),
    plan: kept?.plan,
    kinds: kindsOf(textOf(given, 'only')),
    skipped: new Set([...KEPT_BY_NOBODY, ...(textOf(given, 'skip') || SKIPPED).split(',')]),
    limit: numberOf(given, 'limit', Infinity),
    out: textOf(given, 'out') || 'campaign',
  };
}

function settingOf(given: GivenFlags, kept: Setting | undefined): Setting {
  const one = (name: 'snapshot' | 'command' | 'scenario' | 'check'): string =>
    textOf(given, name) || (kept?.[name] ?? '');
  const setting = {
    snapshot: one('snapshot'),
    command: one('command'),
    scenario: one('scenario'),
    check: one('check'),
    who: whoOf(given, kept),
    seconds: numberOf(given, 'seconds', kept?.seconds ?? SECONDS),
    quietMs: numberOf(given, 'quiet', kept?.quietMs ?? QUIET_MS),
    giveUpMs: numberOf(given, 'give-up', kept?.giveUpMs ?? 0),
  };
  for (const name of ['snapshot', 'command', 'check'] as const) {
    if (setting[name] === '') throw new OptionsError(`give --${name}`);
  }
  return setting;
}

function whoOf(given: GivenFlags, kept: Setting | undefined): Setting['who'] {
  const [agent, user] = [textOf(given, 'user-agent'), textOf(given, 'user')];
  if (agent === '' && user === '' && kept !== undefined) return kept.who;
  const none = agent === '' && user === '';
  // Nobody's, so that the first run tells whose requests there were.
  if (none) return { userAgents: ['none is given'], users: [] };
  return { userAgents: agent === '' ? [] : [agent], users: user === '' ? [] : [user] };
}

function kindsOf(text: string): readonly Kind[] {
  if (text === '') return KINDS;
  return text.split(',').map((name) => {
    const kind = KINDS.find((one) => one === name);
    if (kind === undefined) throw new OptionsError(`"${name}" is none of ${KINDS.join(', ')}`);
    return kind;
  });
}

function numberOf(given: GivenFlags, name: string, absent: number): number {
  const text = textOf(given, name);
  if (text === '') return absent;
  if (!/^[1-9][0-9]{0,8}$/.test(text)) {
    throw new OptionsError(`--${name} is "${text}": give a number above 0`);
  }
  return Number(text);
}
