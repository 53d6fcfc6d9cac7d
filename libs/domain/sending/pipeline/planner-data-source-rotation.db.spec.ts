import { refused } from '../testing/scripted-server';
import { MINUTE, SendingFixture } from '../testing/sending-fixture';

const LEADS = Array.from({ length: 12 }, (_, at) => `lead-${at}@d${at}.test`);

let engine: SendingFixture;
let one: string;
let other: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  one = await engine.mailbox();
  other = await engine.mailbox({ dailySendLimit: 2 });
});

const steps = { sequence: [{ subject: 'Hello', body: '<p>Only</p>' }] };
/** Lets the cached rotation expire. */
const passes = () => engine.clock.advance(1_000);

describe('the mailboxes of one campaign', () => {
  it('take new leads alternately', async () => {
    await engine.campaign([one, other], LEADS, steps);
    await engine.run(one);
    expect(engine.server.given).toHaveLength(2);
    passes();
    await engine.run(one);
    expect(engine.server.given).toHaveLength(2);
  });

  it('do not wait for a mailbox whose server is repeatedly busy', async () => {
    await engine.campaign([one, other], LEADS, steps);
    await engine.run(one);
    engine.server.answers.push(refused('temporary', 'busy'));
    await engine.run(other);
    expect(await engine.leaseOf(other)).toMatchObject({ nextAt: engine.clock.in(MINUTE), isPoll: true });
    passes();
    await engine.run(one);
    expect(engine.server.given).toHaveLength(LEADS.length);
  });

  it('wait for that mailbox again once it has sent something', async () => {
    const third = await engine.mailbox();
    await engine.campaign([one, third], LEADS, steps);
    engine.server.answers.push(refused('temporary', 'busy'));
    await engine.run(third);
    expect(await engine.leaseOf(third)).toMatchObject({ isPoll: true });
    engine.clock.advance(MINUTE);
    await engine.run(third);
    expect(await engine.leaseOf(third)).toMatchObject({ isPoll: false, dayUsed: 2 });
    passes();
    await engine.run(one);
    expect(engine.server.given.length).toBeLessThan(LEADS.length);
  });

  it('do not wait for a mailbox that has used up its day and only polls', async () => {
    await engine.campaign([one, other], LEADS, steps);
    await engine.run(one);
    passes();
    await engine.run(other);
    expect(await engine.leaseOf(other)).toMatchObject({
      dayUsed: 2,
      isPoll: true,
      nextAt: engine.clock.in(15 * MINUTE),
    });
    engine.clock.advance(14 * MINUTE + 30_000);
    await engine.run(one);
    expect(engine.server.given).toHaveLength(LEADS.length);
  });
});
