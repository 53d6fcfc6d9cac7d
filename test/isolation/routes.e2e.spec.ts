import { rounds } from '@testing';
import { describeAccess } from './access';
import { Ground } from './ground';
import { describeInput } from './input';
import { describeMatrix } from './matrix';
import { describeRightly } from './rightly';
import { leaked } from './isolation-fixture';

// Every test asks every route, so that its time grows with their number. All share one platform and two fixtures, and those
// that change nothing come first.

describe('every route', () => {
  let ground: Ground;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    ground = await Ground.start();
    before = await ground.dump();
  });
  afterAll(() => ground.close());

  describe('that needs a key', () => {
    describeAccess(() => ground);
  });
  describe('that takes input', () => {
    describeInput(() => ground);
  });

  it('changed nothing by all of that, and logged no key, no token and no failure', async () => {
    const { platform, theirs, mine } = ground;
    expect(await ground.dump()).toEqual(before);
    const lines = platform.logged().split('\n');
    expect(lines.filter((line) => line.includes('"msg":"Request"')).length).toBeGreaterThan(rounds(1_000, 500));
    expect(leaked(platform.logged(), [...theirs.secrets, ...mine.secrets])).toEqual([]);
    expect(lines.filter((line) => line.includes('Request failed'))).toEqual([]);
  });

  describe('that names a record', () => {
    describeMatrix(() => ground);
  });
  describe('that is asked by somebody who may', () => {
    describeRightly(() => ground);
  });
});
