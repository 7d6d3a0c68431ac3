/** A PodSecurityPolicy in a Table. */
import { NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

// prettier-ignore
export const POD_SECURITY_POLICY_PRINTER = definePrinter([
  NAME,
  text('Priv', 'Whether pods may be privileged.', 'spec.privileged', (may = false) => String(may)),
  text('Caps', 'The capabilities that containers may ask for.', 'spec.allowedCapabilities', joined),
  text('SELinux', 'The rule for SELinux labels.', 'spec.seLinux.rule'),
  text('RunAsUser', 'The rule for the users that containers run as.', 'spec.runAsUser.rule'),
  text('FsGroup', 'The rule for the group that owns the volumes.', 'spec.fsGroup.rule'),
  text('SupGroup', 'The rule for further groups of the processes.', 'spec.supplementalGroups.rule'),
  text('ReadOnlyRootFs', 'Whether containers must not write to their root.',
    'spec.readOnlyRootFilesystem', (is = false) => is),
  text('Volumes', 'The volume types that pods may use.', 'spec.volumes', joined),
]);

function joined(texts: readonly string[] = []): string {
  return texts.join(',');
}
