/** Options about the audit log (src/audit/README.md). */
import { resolve } from 'node:path';
import { AUDIT_FORMATS, AUDIT_MODES, AUDIT_VERSIONS } from '../audit/settings.ts';
import type {
  AuditSettings,
  AuditVersion,
  BackendSettings,
  BatchSettings,
  TruncationSettings,
} from '../audit/settings.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { webhookTargetOf } from '../webhooks/kubeconfig.ts';
import { durationOf, switchOf } from '../base/options/option-values.ts';
import { type ApiDomain } from './values.ts';

const MODE_HELP = `whether requests wait for their events: ${AUDIT_MODES.join(', ')}`;
const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

export const AUDIT_FLAGS = {
  'audit-policy-file': {
    value: 'FILE',
    preset: '',
    help: 'a Policy: which requests the audit log tells of, and how much; none if none',
  },
  'audit-log-path': {
    value: 'FILE',
    preset: '',
    help: 'where events of the audit log are written; - is stdout',
  },
  'audit-log-format': { value: 'FORMAT', preset: 'json', help: 'of its lines: json or legacy' },
  'audit-log-maxsize': {
    value: 'MEGABYTES',
    preset: '100',
    help: 'how large its file may grow before it gets a new one; 0 for no bound',
  },
  'audit-log-maxage': { value: 'DAYS', preset: '0', help: 'how old its old files may be; 0: any' },
  'audit-log-maxbackup': {
    value: 'N',
    preset: '0',
    help: 'how many old files are kept; 0 for all',
  },
  'audit-log-compress': {
    value: 'BOOLEAN',
    preset: 'false',
    help: 'whether old files are packed with gzip',
    isSwitch: true,
  },
  ...backendFlags('log', { mode: 'blocking', size: '1', wait: '1s', throttle: 'false' }),
  'audit-webhook-config-file': {
    value: 'FILE',
    preset: '',
    help: 'kubeconfig that says where events of the audit log are sent',
  },
  'audit-webhook-initial-backoff': {
    value: 'DURATION',
    preset: '10s',
    help: 'how long to wait before events are sent again that were not taken',
  },
  ...backendFlags('webhook', { mode: 'batch', size: '400', wait: '30s', throttle: 'true' }),
} as const satisfies Record<string, Flag>;

type Backend = 'log' | 'webhook';
type BackendOption =
  | 'version'
  | 'mode'
  | 'batch-buffer-size'
  | 'batch-max-size'
  | 'batch-max-wait'
  | 'batch-throttle-enable'
  | 'batch-throttle-qps'
  | 'batch-throttle-burst'
  | 'truncate-enabled'
  | 'truncate-max-batch-size'
  | 'truncate-max-event-size';

interface Presets {
  readonly mode: string;
  readonly size: string;
  readonly wait: string;
  readonly throttle: string;
}

function backendFlags<B extends Backend>(
  backend: B,
  presets: Presets,
): Record<`audit-${B}-${BackendOption}`, Flag> {
  const flags: Record<BackendOption, Flag> = {
    version: {
      value: 'GROUP/VERSION',
      preset: '',
      help: 'of its events: audit.cluster.io/v1 if none; v1beta1 and v1alpha1 are deprecated',
    },
    mode: { value: 'MODE', preset: presets.mode, help: MODE_HELP },
    'batch-buffer-size': {
      value: 'N',
      preset: '10000',
      help: 'in the mode batch, how many events may wait; what comes then is lost',
    },
    'batch-max-size': { value: 'N', preset: presets.size, help: 'how many wait for no others' },
    'batch-max-wait': {
      value: 'DURATION',
      preset: presets.wait,
      help: 'how long fewer than that wait for others',
    },
    'batch-throttle-enable': {
      value: 'BOOLEAN',
      preset: presets.throttle,
      help: 'whether batches are bounded',
      isSwitch: true,
    },
    'batch-throttle-qps': { value: 'N', preset: '10', help: 'batches a second, in the long run' },
    'batch-throttle-burst': { value: 'N', preset: '15', help: 'batches at once' },
    'truncate-enabled': {
      value: 'BOOLEAN',
      preset: 'false',
      help: 'whether events that are too large lose their objects',
      isSwitch: true,
    },
    'truncate-max-batch-size': {
      value: 'BYTES',
      preset: String(10 * MEGABYTE),
      help: 'how large a batch of events may be then',
    },
    'truncate-max-event-size': {
      value: 'BYTES',
      preset: String(100 * 1024),
      help: 'how large an event may be then',
    },
  };
  const named = Object.entries(flags).map(([name, flag]) => [`audit-${backend}-${name}`, flag]);
  return Object.fromEntries(named) as Record<`audit-${B}-${BackendOption}`, Flag>;
}

/** The audit options. The policy stands in a file, which is read once the dialect is chosen. */
export interface AuditOptions extends Omit<AuditSettings, 'policy'> {
  readonly policyFile: string;
}

type Values = FlagValues<typeof AUDIT_FLAGS>;

/**
 * Undefined where nothing is audited. `apiDomain` is that of the names in the API. Reads the
 * kubeconfig. Throws ConfigError.
 */
export function auditOptions(values: Values, apiDomain: ApiDomain): AuditOptions | undefined {
  const path = values['audit-log-path'];
  const file = values['audit-webhook-config-file'];
  const policyFile = values['audit-policy-file'];
  // Each is checked, whether or not it is used.
  const log = {
    ...backendOf('log', values, apiDomain),
    path: path === '-' ? path : resolve(path),
    format: choiceOf('audit-log-format', values, AUDIT_FORMATS),
    rotation: {
      bytesMax: wholeOf('audit-log-maxsize', values) * MEGABYTE,
      ageMsMax: wholeOf('audit-log-maxage', values) * DAY_MS,
      backupsMax: wholeOf('audit-log-maxbackup', values),
      isCompressed: switchOf('audit-log-compress', values['audit-log-compress']),
    },
  };
  const retry = 'audit-webhook-initial-backoff';
  const webhook = {
    ...backendOf('webhook', values, apiDomain),
    firstRetryMs: durationOf(retry, values[retry]),
  };
  if (policyFile === '' && path === '' && file === '') return undefined;
  if (policyFile === '') {
    const option = path === '' ? 'audit-webhook-config-file' : 'audit-log-path';
    throw new ConfigError(`--${option} needs --audit-policy-file, which says what is told there`);
  }
  const target = file === '' ? undefined : webhookTargetOf('audit-webhook-config-file', file);
  return {
    policyFile: resolve(policyFile),
    ...(path !== '' && { log }),
    ...(target !== undefined && { webhook: { ...webhook, target } }),
  };
}

function backendOf(backend: Backend, values: Values, apiDomain: ApiDomain): BackendSettings {
  const named = <O extends BackendOption>(option: O) => `audit-${backend}-${option}` as const;
  const switched = (option: BackendOption): boolean =>
    switchOf(named(option), values[named(option)]);
  const whole = (option: BackendOption): number => wholeOf(named(option), values, 1);
  const throttle = { perSecond: whole('batch-throttle-qps'), burst: whole('batch-throttle-burst') };
  const batch: BatchSettings = {
    bufferSize: whole('batch-buffer-size'),
    sizeMax: whole('batch-max-size'),
    waitMsMax: durationOf(named('batch-max-wait'), values[named('batch-max-wait')]),
    ...(switched('batch-throttle-enable') && { throttle }),
  };
  const truncation: TruncationSettings = {
    eventBytesMax: whole('truncate-max-event-size'),
    batchBytesMax: whole('truncate-max-batch-size'),
  };
  if (truncation.batchBytesMax < truncation.eventBytesMax) {
    const [batchSize, eventSize] = [
      named('truncate-max-batch-size'),
      named('truncate-max-event-size'),
    ];
    throw new ConfigError(`--${batchSize} is less than --${eventSize}: give at least as much`);
  }
  return {
    version: versionOf(named('version'), values, `audit.${apiDomain}`),
    mode: choiceOf(named('mode'), values, AUDIT_MODES),
    batch,
    ...(switched('truncate-enabled') && { truncation }),
  };
}

function choiceOf<T extends string>(
  option: keyof Values,
  { [option]: value }: Values,
  choices: readonly T[],
): T {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new ConfigError(`--${option} is "${value}": give one of ${choices.join(', ')}`);
}

function versionOf(option: keyof Values, { [option]: value }: Values, group: string): AuditVersion {
  if (value === '') return AUDIT_VERSIONS[0];
  const version = AUDIT_VERSIONS.find((one) => value === `${group}/${one}`);
  if (version !== undefined) return version;
  const choices = AUDIT_VERSIONS.map((one) => `${group}/${one}`).join(', ');
  throw new ConfigError(`--${option} is "${value}": give one of ${choices}`);
}

function wholeOf(option: keyof Values, { [option]: value }: Values, least = 0): number {
  const number = Number(value);
  if (/^[0-9]+$/.test(value) && number >= least && Number.isSafeInteger(number)) return number;
  throw new ConfigError(`--${option} is "${value}": give a whole number of at least ${least}`);
}
