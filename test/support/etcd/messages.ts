import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ETCD_MESSAGES_FILE } from '../../../src/base/built-files.ts';
import type { EtcdMessages } from '../../../src/etcd/messages.ts';

/** As the build has compiled them. */
export const ETCD_MESSAGES: EtcdMessages = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../.build', ETCD_MESSAGES_FILE), 'utf8'),
) as EtcdMessages;
