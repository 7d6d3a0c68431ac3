/** How pages look, in light and in dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --faint: #59636e;
  --line: #d1d9e0; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --c1: #0969da; --c2: #bc4c00;
  --c3: #1a7f37; --c4: #8250df; --c5: #cf222e; --c6: #9a6700; --c7: #0b7285; --c8: #a61e4d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #9198a1;
  --line: #3d444d; --good: #3fb950; --bad: #f85149; --warn: #d29922; --c1: #58a6ff;
  --c2: #f0883e; --c3: #3fb950; --c4: #bc8cff; --c5: #ff7b72; --c6: #d29922; --c7: #39c5cf;
  --c8: #f778ba; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1100px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .6rem; }
svg { width: 100%; height: auto; }
svg text { fill: var(--faint); font-size: 11px; }
details { margin: .4rem 0; } summary { cursor: pointer; }
.passed { color: var(--good); } .failed { color: var(--bad); } .unsteady { color: var(--warn); }
.faint { color: var(--faint); }
.grid { stroke: var(--line); stroke-width: 1; }
.plot { fill: none; stroke-width: 1.5; }
.c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); }
.c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); } .c6 { stroke: var(--c6); }
.c7 { stroke: var(--c7); } .c8 { stroke: var(--c8); }
.read { fill: var(--faint); } .write { fill: var(--c1); } .event { fill: var(--c3); }
.fault { fill: var(--c2); } .error { fill: var(--bad); }
`;
