/** A PodSecurityPolicy in a Table (README.md#tables). */
import type { PodSecurityPolicy } from '#messages/policy.v1beta1';
import { column, NAME_COLUMN, nameOf } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const POD_SECURITY_POLICY_PRINTER = definePrinter<PodSecurityPolicy>()({
  columns: [
    NAME_COLUMN,
    column('Priv', 'string', 'Whether pods may be privileged.'),
    column('Caps', 'string', 'The capabilities that containers may ask for.'),
    column('SELinux', 'string', 'The rule for SELinux labels.'),
    column('RunAsUser', 'string', 'The rule for the users that containers run as.'),
    column('FsGroup', 'string', 'The rule for the group that owns the volumes.'),
    column('SupGroup', 'string', 'The rule for further groups of the processes.'),
    column('ReadOnlyRootFs', 'string', 'Whether containers must not write to their root.'),
    column('Volumes', 'string', 'The volume types that pods may use.'),
  ],
  members: {
    spec: {
      privileged: true,
      allowedCapabilities: true,
      seLinux: { rule: true },
      runAsUser: { rule: true },
      fsGroup: { rule: true },
      supplementalGroups: { rule: true },
      readOnlyRootFilesystem: true,
      volumes: true,
    },
  },
  cells(object) {
    const { spec = {} } = object;
    return [
      nameOf(object),
      String(spec.privileged ?? false),
      spec.allowedCapabilities?.join(',') ?? '',
      spec.seLinux?.rule ?? '',
      spec.runAsUser?.rule ?? '',
      spec.fsGroup?.rule ?? '',
      spec.supplementalGroups?.rule ?? '',
      spec.readOnlyRootFilesystem ?? false,
      spec.volumes?.join(',') ?? '',
    ];
  },
});
