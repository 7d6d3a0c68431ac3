/** Which name is meant. */
import t from 'tap';
import { nearestName } from '../../src/base/text/nearest-name.ts';

t.test('the nearest name is found, and none where none is near', async (t) => {
  const names = ['port', 'secure-port', 'session-port', 'v', 'watch-history'];
  const rows: readonly [given: string, expected: string | undefined][] = [
    ['portt', 'port'],
    ['prot', 'port'],
    ['secureport', 'secure-port'],
    ['sesion-prot', 'session-port'],
    ['watch_histroy', 'watch-history'],
    ['watch-histories', 'watch-history'],
    ['w', undefined],
    ['pa', undefined],
    ['kubeconfig', undefined],
    ['__proto__', undefined],
    ['', undefined],
    ['port'.repeat(100_000), undefined],
  ];
  for (const [given, expected] of rows) t.equal(nearestName(given, names), expected, given);
  t.equal(nearestName('port', []), undefined);
});
