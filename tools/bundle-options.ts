/** How the programs of the project are bundled. */
import type { BuildOptions, Plugin } from 'esbuild';

/** Packages of CommonJS ask for Node's modules by it. */
const REQUIRE_OF_BUNDLED_PACKAGES =
  "import { createRequire as from } from 'node:module'; const require = from(import.meta.url);";

/** They bring a binary, or start a file of their own. The others load faster in the bundle. */
const REQUIRED_PACKAGES = [
  'uWebSockets.js',
  'lmdb',
  'fs-native-extensions',
  'msgpackr-extract',
  'piscina',
];

/** Of @grpc/grpc-js, for services that this server does not have: with it a third of its text. */
const UNUSED_PACKAGES = ['@grpc/proto-loader'];

export const BUNDLE_OPTIONS = {
  bundle: true,
  // A module that is imported late must also be loaded late.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: [...REQUIRED_PACKAGES, ...UNUSED_PACKAGES],
  // Its main module is CommonJS, which has no names when it is imported late.
  alias: { '@peculiar/x509': '@peculiar/x509/build/x509.es.js' },
  banner: { js: REQUIRE_OF_BUNDLED_PACKAGES },
  // Every thread keeps the text of what it loads.
  minifyWhitespace: true,
  // An uncaught error shows a line of the program.
  lineLimit: 200,
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
  // Packages without side effects need none: who uses them imports them.
  logOverride: { 'ignored-bare-import': 'silent' },
} as const satisfies BuildOptions;

/**
 * A thread that imports CommonJS searches its text for what it exports, and compiles that search:
 * twenty milliseconds, which a thread that requires it does not need.
 */
export function requiredPackages(): Plugin {
  const namespace = 'required';
  return {
    name: 'required-packages',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^[^.]/ }, ({ kind, path }) =>
        kind === 'import-statement' && REQUIRED_PACKAGES.includes(path)
          ? { path, namespace }
          : undefined,
      );
      onLoad({ filter: /^/, namespace }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
}
