// The release as a value: what is asked of it, and that it is chosen once.
import t from 'tap';
import { isIn } from '../../src/release/life.ts';
import {
  chooseRelease,
  DEFAULT_RELEASE,
  NEWEST_MINOR,
  OLDEST_MINOR,
  ownRelease,
  parseRelease,
  releaseOf,
} from '../../src/release/release.ts';

t.test('every minor from the first to the last is a release', async (t) => {
  for (let minor = OLDEST_MINOR; minor <= NEWEST_MINOR; minor++) {
    const { name, version } = releaseOf(minor);
    t.equal(parseRelease(name).minor, minor);
    t.equal(parseRelease(version).minor, minor, 'a patch does not matter');
  }
  t.equal(DEFAULT_RELEASE.version, 'v1.23.17');
});

t.test('what is no release is refused, with those that are', async (t) => {
  for (const text of ['', '1.22', '1.38', '1', '2.27', '1.27.x', ' 1.27', '27']) {
    const refused = new RangeError(`there is no release ${text} here, only 1.23 to 1.37`);
    t.throws(() => parseRelease(text), refused, JSON.stringify(text));
  }
});

t.test('something is there from its first release until the first without it', async (t) => {
  const life = { since: 25, until: 27 };
  t.same(
    [24, 25, 26, 27].map((minor) => isIn(life, minor)),
    [false, true, true, false],
  );
  t.ok(isIn({}, OLDEST_MINOR) && isIn({}, NEWEST_MINOR));
});

t.test('it is chosen once, before anybody asks for it', async (t) => {
  chooseRelease(24);
  chooseRelease(27);
  t.equal(ownRelease().name, '1.27');
  t.doesNotThrow(() => chooseRelease(27));
  t.throws(() => chooseRelease(28), /release 1\.27 is in use, and not 1\.28/);
});
