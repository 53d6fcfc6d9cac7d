import { rounds } from '@testing';
import { describeAccess } from './access';
import { IsolationEnvironment } from './isolation-environment';
import { describeInput } from './input';
import { describeMatrix } from './matrix';
import { describeValidRequests } from './valid-requests';
import { leaked } from './content';

// Every test uses every route, so its time grows with their number. All share one platform and two fixtures, and
// tests without side effects come first.

describe('every route', () => {
  let environment: IsolationEnvironment;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    environment = await IsolationEnvironment.start();
    before = await environment.dump();
  });
  afterAll(() => environment.close());

  describe('with authentication', () => {
    describeAccess(() => environment);
  });
  describe('with input', () => {
    describeInput(() => environment);
  });

  it('changed nothing and logged no key, no token and no failure', async () => {
    const { platform, theirs, mine } = environment;
    expect(await environment.dump()).toEqual(before);
    const lines = platform.logged().split('\n');
    expect(lines.filter((line) => line.includes('"msg":"Request"')).length).toBeGreaterThan(rounds(1_000, 500));
    expect(leaked(platform.logged(), [...theirs.secrets, ...mine.secrets])).toEqual([]);
    expect(lines.filter((line) => line.includes('Request failed'))).toEqual([]);
  });

  describe('with records', () => {
    describeMatrix(() => environment);
  });
  describe('with a permitted request', () => {
    describeValidRequests(() => environment);
  });
});
