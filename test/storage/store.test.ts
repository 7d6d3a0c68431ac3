import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import t from 'tap';
import { openStore } from '../../src/storage/open-store.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { testStore } from './store-conformance.ts';

function temporaryFolder(test: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-store-'));
  test.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

testStore(t, 'the store in memory', {
  open: () => new MemoryStore(),
  newHandle: () => '',
  isDurable: false,
});

testStore(t, 'the store on LMDB', {
  open: (folder) => openStore({ dataDir: folder, durability: 'fsync' }),
  newHandle: temporaryFolder,
  isDurable: true,
});

testStore(t, 'the store on LMDB, relaxed', {
  open: (folder) => openStore({ dataDir: folder, durability: 'relaxed' }),
  newHandle: temporaryFolder,
  isDurable: true,
});

t.end();
