/** `npm run lab -- campaign`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Api } from '../../backup/api.ts';
import { findKubeconfig } from '../../backup/target.ts';
import { parseOptions } from '../../flags.ts';
import type { Output } from '../../output.ts';
import { writeReport } from '../../report/page.ts';
import { readKubeconfig } from '../../soak/kubeconfig.ts';
import { junitText } from '../junit.ts';
import { campaignReport, planFileOf } from './campaign-report.ts';
import { line, runCampaign, runPlan, type Campaign, type Result } from './campaign.ts';
import { LabServer } from './lab-server.ts';
import { CAMPAIGN_FLAGS, CAMPAIGN_HELP, readCampaign, type CampaignCommand } from './options.ts';
import { describe, planText, stepsOf } from './plan.ts';
import { killAll } from './program.ts';
import type { TrialTools } from './trial.ts';

const MS = 1_000;

/** Rejects with OptionsError and ToolError; returns the exit code. */
export async function runCampaignCommand(args: readonly string[], output: Output): Promise<number> {
  const given = parseOptions(CAMPAIGN_FLAGS, args);
  if (given['help'] === true) {
    output.write(`${['Usage: npm run lab -- campaign', '', ...CAMPAIGN_HELP, ''].join('\n')}`);
    return 0;
  }
  const command = readCampaign(given);
  const { file, context } = findKubeconfig(given);
  const target = readKubeconfig(file, context);
  const api = new Api(target);
  mkdirSync(command.out, { recursive: true });
  const interrupt = (): void => {
    killAll();
    process.exit(130);
  };
  process.on('exit', killAll).on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const tools: TrialTools = {
      server: new LabServer(api),
      setting: command.setting,
      skipped: command.skipped,
      environment: {
        LAB_SERVER: target.server.replace(/\/$/, ''),
        LAB_TOKEN: target.credentials.token,
        KUBECONFIG: resolve(file),
        ...trust(target.credentials.certificateAuthority, command.out),
      },
    };
    return await go(command, tools, output);
  } finally {
    process.off('exit', killAll).off('SIGINT', interrupt).off('SIGTERM', interrupt);
    api.close();
  }
}

/** So that programs of Node know the server. */
function trust(authority: string, out: string): Readonly<Record<string, string>> {
  if (authority === '') return {};
  const file = resolve(out, 'ca.crt');
  writeFileSync(file, authority);
  return { NODE_EXTRA_CA_CERTS: file };
}

async function go(command: CampaignCommand, tools: TrialTools, output: Output): Promise<number> {
  const { plan, out, setting } = command;
  const tell = (text: string): void => output.write(`${text}\n`);
  if (plan !== undefined) {
    const result = await runPlan(tools, plan);
    tell(line(result));
    for (const { ms, text } of result.trial.moments) tell(`  ${Math.round(ms)} ms  ${text}`);
    return result.outcome === 'failed' ? 1 : 0;
  }
  const campaign = await runCampaign(tools, command, tell);
  const failed = campaign.results.filter(({ outcome }) => outcome === 'failed');
  for (const result of failed) {
    writeFileSync(join(out, planFileOf(result)), planText(setting, result.plan));
  }
  writeReport(join(out, 'report.html'), campaignReport(setting, campaign, new Date()));
  writeFileSync(join(out, 'junit.xml'), junitOf(campaign));
  tell(`${failed.length} plans fail twice; see ${join(out, 'report.html')}`);
  for (const [says, result] of shortest(failed)) {
    tell(`${says}\n  npm run lab -- campaign --plan ${join(out, planFileOf(result))}`);
  }
  return failed.length === 0 ? 0 : 1;
}

/** Of those that end in the same way the one that does least. */
function shortest(failed: readonly Result[]): ReadonlyMap<string, Result> {
  const found = new Map<string, Result>();
  for (const result of failed) {
    const { says } = result.trial;
    const known = found.get(says);
    if (known === undefined || stepsOf(result.plan) < stepsOf(known.plan)) found.set(says, result);
  }
  return found;
}

function junitOf({ results }: Campaign): string {
  const cases = results.map(({ plan, outcome, trial }: Result) => ({
    name: describe(plan),
    ms: trial.seconds * MS,
    failures: outcome === 'failed' ? [trial.says] : [],
  }));
  return junitText('campaign', cases);
}
