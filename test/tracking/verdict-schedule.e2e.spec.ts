import { Tracked } from './tracked';

describe('the classification of a hit', () => {
  let tracked: Tracked;

  beforeAll(async () => {
    tracked = await Tracked.start({ worker: true });
  });
  afterAll(() => tracked.close());

  it('runs on the worker’s own schedule, some seconds after the hit and not before', async () => {
    const sent = await tracked.sent();
    await tracked.platform.tick();
    await tracked.get(sent.open);
    tracked.platform.clock.advance(6_000);
    await tracked.platform.tick();
    await tracked.platform.drain();
    expect(await tracked.verdicts(sent)).toEqual(['open: null (null)']);
    tracked.platform.clock.advance(20_000);
    await tracked.platform.tick();
    await tracked.platform.drain();
    expect(await tracked.verdicts(sent)).toEqual(['open: human (browser)']);
  });
});
