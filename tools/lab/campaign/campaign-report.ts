/** The report of a campaign. */
import { describe, fileNameOf, planText, type Setting } from './plan.ts';
import type { Campaign, Result } from './campaign.ts';
import type { Asked } from './traffic.ts';
import type { Trial } from './trial.ts';
import type { Case, Lane, Mark, Report } from '../../report/report.ts';

export function planFileOf({ plan }: Result): string {
  return `plan-${fileNameOf(plan)}.json`;
}

export function campaignReport(
  setting: Setting,
  { reference, planned, results }: Campaign,
  made: Date,
): Report {
  const count = (outcome: Result['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const [failed, unsteady] = [count('failed'), count('unsteady')];
  const acted = results.filter(({ trial }) => trial.hasActed).length;
  const says =
    failed === 0
      ? `no finding in ${results.length} runs that go wrong`
      : `${failed} findings in ${results.length} runs that go wrong`;
  return {
    title: `Campaign: ${setting.command}`,
    made: made.toISOString(),
    passed: failed === 0,
    says: unsteady === 0 ? says : `${says}; ${unsteady} more failed once of twice`,
    facts: {
      snapshot: setting.snapshot,
      command: setting.command,
      scenario: setting.scenario,
      check: setting.check,
      controller: [...setting.who.userAgents, ...setting.who.users].join(', '),
    },
    figures: [
      { name: 'plans', value: planned, unit: '' },
      { name: 'plans that were run', value: results.length, unit: '' },
      { name: 'plans that came to act', value: acted, unit: '' },
      { name: 'findings', value: failed, unit: '' },
      { name: 'reference run', value: reference.seconds, unit: 's' },
    ],
    plots: [],
    cases: results.map((result) => caseOf(setting, result)),
  };
}

function caseOf(setting: Setting, result: Result): Case {
  const { plan, outcome, trial } = result;
  const did = trial.hasActed ? '' : ' (it did not come to it)';
  const common = {
    name: `${plan.kind}: ${describe(plan)}${did}`,
    outcome,
    seconds: trial.seconds,
    says: trial.says,
  };
  if (outcome === 'passed') return common;
  return {
    ...common,
    texts: {
      [`the plan: ${planFileOf(result)}`]: planText(setting, plan),
      'what the command said': trial.output,
    },
    timeline: lanesOf(trial),
  };
}

function lanesOf({ moments, traffic }: Trial): readonly Lane[] {
  const own = traffic.asked.filter(({ isController }) => isController);
  const others = traffic.asked.filter(({ isController }) => !isController);
  const resources = [...new Set(traffic.delivered.map(({ resource }) => resource))];
  const lanes: readonly Lane[] = [
    {
      name: 'the campaign',
      marks: moments.map((moment) => ({ ...moment, kind: 'fault' as const })),
    },
    { name: 'controller: writes', marks: own.filter(({ isWrite }) => isWrite).map(markOf) },
    { name: 'controller: reads', marks: own.filter(isRead).map(markOf) },
    ...resources.map((resource) => ({
      name: `events: ${resource}`,
      marks: traffic.delivered
        .filter((event) => event.resource === resource)
        .map(({ ms, type, key }): Mark => ({ ms, kind: 'event', text: `${type} ${key}` })),
    })),
    { name: 'others: writes', marks: others.filter(({ isWrite }) => isWrite).map(markOf) },
  ];
  return lanes.filter(({ marks }) => marks.length > 0);
}

function isRead({ target, isWrite }: Asked): boolean {
  return !isWrite && target.verb !== 'watch';
}

function markOf({ startMs, endMs, target, isWrite, code, userAgent }: Asked): Mark {
  const { verb, resource, subresource, namespace, name } = target;
  const type = subresource === '' ? resource : `${resource}/${subresource}`;
  const what = [namespace, name].filter((part) => part !== '').join('/');
  const isError = code === undefined || code >= 400;
  return {
    ms: startMs,
    ...(Number.isFinite(endMs) && { endMs }),
    kind: isError ? 'error' : isWrite ? 'write' : 'read',
    text: `${verb} ${type} ${what}: ${code ?? 'no answer'} (${userAgent})`,
  };
}
