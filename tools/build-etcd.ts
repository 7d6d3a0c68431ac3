/**
 * `npm run build:etcd` builds etcd of its published Go module into `.runtime/etcd/`, for tests and
 * for trying out several servers. It needs Go, and the module proxy or the module in its cache.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUILT_ETCD } from './etcd-file.ts';

const VERSION = '3.7.3';

/** The module has its program in a folder that is no module of its own. */
const MAIN = `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`;

process.exitCode = build();

function build(): number {
  if (existsSync(BUILT_ETCD)) {
    console.log(`${BUILT_ETCD} is there already: remove it to build it anew`);
    return 0;
  }
  if (spawnSync('go', ['version']).status !== 0) {
    console.error('there is no go on the PATH: install Go, or put an etcd on the PATH');
    return 1;
  }
  const parent = dirname(BUILT_ETCD);
  mkdirSync(parent, { recursive: true });
  const work = mkdtempSync(join(parent, 'work-'));
  try {
    writeFileSync(join(work, 'main.go'), MAIN);
    const module = `module build\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 v${VERSION}\n`;
    writeFileSync(join(work, 'go.mod'), module);
    console.log(`building etcd ${VERSION}, which takes some minutes`);
    // What only tests of other modules need may be missing.
    go(work, 'mod', 'tidy', '-e');
    if (!go(work, 'build', '-ldflags', '-s -w', '-o', 'etcd', '.')) return 1;
    renameSync(join(work, 'etcd'), BUILT_ETCD);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(`built ${BUILT_ETCD}`);
  return 0;
}

function go(folder: string, ...args: string[]): boolean {
  return spawnSync('go', args, { cwd: folder, stdio: 'inherit' }).status === 0;
}
