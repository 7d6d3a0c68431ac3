/** How a cron job shows in a Table. */
import type { CronJob } from '#messages/batch.v1';
import { ageSince } from '../../semantics/age-text.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  CONTAINER_COLUMNS,
  CONTAINER_MEMBERS,
  containerCells,
  flagText,
  NAME_COLUMN,
  nameOf,
  NONE,
  SELECTOR_COLUMN,
  selectorText,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const CRON_JOB_PRINTER = definePrinter<CronJob>()({
  columns: [
    NAME_COLUMN,
    column('Schedule', 'string', 'When the jobs are to start, in the form of cron.'),
    column('Suspend', 'boolean', 'Whether no more jobs are to start.'),
    column('Active', 'integer', 'How many of its jobs are running.'),
    column('Last Schedule', 'string', 'How long ago a job was started last.'),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  members: {
    spec: {
      schedule: true,
      suspend: true,
      jobTemplate: {
        spec: { selector: true, template: { spec: { containers: CONTAINER_MEMBERS } } },
      },
    },
    status: { active: {}, lastScheduleTime: true },
  },
  cells(cronJob) {
    const { spec = {}, status = {} } = cronJob;
    const { lastScheduleTime } = status;
    const job = spec.jobTemplate?.spec;
    return [
      nameOf(cronJob),
      spec.schedule ?? '',
      flagText(spec.suspend),
      status.active?.length ?? 0,
      lastScheduleTime === undefined ? NONE : ageSince(lastScheduleTime),
      ageOf(cronJob),
      ...containerCells(job?.template?.spec),
      selectorText(job?.selector),
    ];
  },
});
