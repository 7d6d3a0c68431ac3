/** How a cron job shows in a Table. */
import { ownRelease } from '../../release/release.ts';
import { ageSince } from '../../semantics/age-text.ts';
import { AGE, containers, lengthOf, NAME, NONE, selector, UNSET } from '../printer-cells.ts';
import { definePrinter, flag, integer, text } from '../printer.ts';

// prettier-ignore
export const CRON_JOB_PRINTER = definePrinter([
  NAME,
  text('Schedule', 'When the jobs are to start, in the form of cron.', 'spec.schedule'),
  ...(ownRelease().has('statesOfJobs')
    ? [text('Timezone', 'The time zone of the schedule.', 'spec.timeZone', (zone = NONE) => zone)]
    : []),
  flag('Suspend', 'Whether no more jobs are to start.', 'spec.suspend',
    (is?: boolean) => (is === undefined ? UNSET : is ? 'True' : 'False')),
  integer('Active', 'How many of its jobs are running.', 'status.active{}', lengthOf),
  text('Last Schedule', 'How long ago a job was started last.', 'status.lastScheduleTime',
    (time?: string) => (time === undefined ? NONE : ageSince(time))),
  AGE,
  ...containers('spec.jobTemplate.spec.template.spec.containers'),
  selector('spec.jobTemplate.spec.selector'),
]);
