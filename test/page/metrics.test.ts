import t from 'tap';
import { quantilesBy, ratesBy, readMetrics, sumBy } from '../../src/page/metrics.ts';

const byVerb = ({ verb }: Readonly<Record<string, string>>): string | undefined => verb;

function histogram(verb: string, counts: readonly number[]): string {
  const bounds = ['0.1', '1', '+Inf'];
  return bounds.map((le, at) => `d_bucket{verb="${verb}",le="${le}"} ${counts[at]}\n`).join('');
}

t.test('labels are read with all that they may hold', async (t) => {
  const { samples } = readMetrics(
    '# HELP a text\n# TYPE a counter\na{x="1,2",y="a\\"b\\\\c\\nd"} 3e2\nb 4 1700000000\n\nc_x:y NaN',
    0,
  );
  t.same(samples.get('a'), [{ labels: { x: '1,2', y: 'a"b\\c\nd' }, value: 300 }]);
  t.same(samples.get('b'), [{ labels: {}, value: 4 }]);
  t.same([...samples.keys()], ['a', 'b', 'c_x:y']);
});

t.test('what grew per second, also of a server that has begun anew', async (t) => {
  const before = readMetrics('n{verb="GET",code="200"} 10\nn{verb="LIST"} 100\n', 1_000);
  const text = 'n{verb="GET",code="200"} 20\nn{verb="GET",code="404"} 6\nn{verb="LIST"} 2\nn 9\n';
  const rates = ratesBy(before, readMetrics(text, 3_000), 'n', byVerb);
  t.same(
    [...rates],
    [
      ['GET', 8],
      ['LIST', 0],
    ],
  );
  t.same([...sumBy(before, 'n', () => '')], [['', 110]]);
});

t.test('a quantile of what was counted meanwhile', async (t) => {
  const before = readMetrics(histogram('GET', [5, 5, 5]) + histogram('PUT', [1, 1, 1]), 0);
  const now = readMetrics(histogram('GET', [15, 25, 25]) + histogram('PUT', [1, 1, 1]), 1_000);
  t.same([...quantilesBy([before, now], 'd', 0.25, byVerb)], [['GET', 0.05]]);
  t.same([...quantilesBy([before, now], 'd', 0.5, byVerb)], [['GET', 0.1]]);
  t.same([...quantilesBy([before, now], 'd', 0.75, byVerb)], [['GET', 0.55]]);
  const late = readMetrics(histogram('GET', [5, 5, 9]), 1_000);
  t.same([...quantilesBy([before, late], 'd', 0.99, byVerb)], [['GET', 1]], 'beyond all bounds');
});
