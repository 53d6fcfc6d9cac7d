import { HookRegistry } from '@platform/hooks';
import { MailboxDomainRepository, SENT_MAIL_HOOKS } from '@domain/mailboxes';
import { HealthFixture, wellKept } from '../testing';
import { DkimSelectorsService } from './dkim-selectors.service';

let fixture: HealthFixture;
let domain: string;

beforeAll(async () => {
  fixture = await HealthFixture.open();
});
afterAll(() => fixture.engine.close());
beforeEach(async () => {
  await fixture.fresh();
  domain = fixture.domain((name) => {
    const { [`google._domainkey.${name}`]: key = {}, ...rest } = wellKept(name);
    return { ...rest, [`own-selector._domainkey.${name}`]: key };
  });
  await fixture.mailboxes(domain);
  await fixture.work();
});

const learn = (selector: string, of = domain) =>
  fixture.engine.get(DkimSelectorsService).signed(fixture.workspace, of, selector);
const learned = async () => (await fixture.healthOf(domain)).learnedSelectors.map(({ selector }) => selector);

describe('a selector that an email named', () => {
  it('is used by the next check, which is due at once', async () => {
    expect(await fixture.healthOf(domain)).toMatchObject({ statuses: { dkim: 'warn' } });
    await learn('Own-Selector');
    expect((await fixture.healthOf(domain)).nextCheckAt).toEqual(fixture.engine.clock.now());
    await fixture.work();
    const health = await fixture.healthOf(domain);
    expect(health).toMatchObject({ statuses: { dkim: 'pass' }, report: { dkim: { source: 'learned' } } });
  });

  it('is checked at once even when it arrives while a check notifies its mailboxes', async () => {
    const mailboxes = fixture.engine.get(MailboxDomainRepository);
    fixture.engine.clock.freeze((await fixture.healthOf(domain)).nextCheckAt);
    const write = jest.spyOn(mailboxes, 'writeFindings').mockImplementationOnce(async (...given) => {
      await learn('own-selector');
      await mailboxes.writeFindings(...given);
    });
    await fixture.work();
    write.mockRestore();
    // The first run notifies the remaining mailboxes, the second one checks.
    await fixture.work();
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 3, statuses: { dkim: 'pass' } });
  });

  it('is learned once, and a known selector causes no check', async () => {
    await learn('own-selector');
    await fixture.work();
    const { nextCheckAt } = await fixture.healthOf(domain);
    await learn('own-selector');
    expect(await learned()).toEqual(['own-selector']);
    expect((await fixture.healthOf(domain)).nextCheckAt).toEqual(nextCheckAt);
  });

  it('goes first when it is used again; the five latest are kept', async () => {
    for (const selector of ['a', 'b', 'c', 'd', 'e', 'f']) await learn(selector);
    expect(await learned()).toEqual(['f', 'e', 'd', 'c', 'b']);
    await learn('c');
    expect(await learned()).toEqual(['c', 'f', 'e', 'd', 'b']);
  });

  it('is recorded as used once a day', async () => {
    await learn('a');
    const seenAt = async () => (await fixture.healthOf(domain)).learnedSelectors[0]?.seenAt;
    const first = await seenAt();
    fixture.engine.clock.advance(23 * 3_600_000);
    await learn('a');
    expect(await seenAt()).toEqual(first);
    fixture.engine.clock.advance(2 * 3_600_000);
    await learn('a');
    expect(await seenAt()).toEqual(fixture.engine.clock.now());
  });

  it.each(['', 'a b', '../x', 'x'.repeat(200), '$where', 'a..b'])('is ignored when it is invalid: %p', async (text) => {
    await learn(text);
    expect(await learned()).toEqual([]);
  });

  it('is ignored for a domain without health checks', async () => {
    await learn('a', 'elsewhere.test');
    expect(await fixture.healths().countDocuments({ workspaceId: fixture.workspace.workspaceId })).toBe(1);
  });

  it('is learned from a received email', async () => {
    const hooks = fixture.engine.get(HookRegistry);
    await hooks.call(SENT_MAIL_HOOKS, 'signed', fixture.workspace, domain, 'own-selector');
    expect(await learned()).toEqual(['own-selector']);
  });

  it('ranks below one that a user has set', async () => {
    await learn('own-selector');
    const health = await fixture.healthOf(domain);
    const mailboxId = await fixture.engine.mailbox({ email: `x@${domain}` });
    await fixture.engine.get(DkimSelectorsService).setSelector(fixture.workspace, mailboxId, health, 'Given');
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({
      dkimSelector: 'given',
      report: { dkim: { selector: 'given', source: 'configured', status: 'fail' } },
    });
  });

  it('is checked by the next sweep when a user sets it and does not wait for the check', async () => {
    const { nextCheckAt, ...health } = await fixture.healthOf(domain);
    const mailboxId = await fixture.engine.mailbox({ email: `x@${domain}` });
    const give = (selector: string | null) =>
      fixture.engine
        .get(DkimSelectorsService)
        .setSelector(fixture.workspace, mailboxId, { ...health, nextCheckAt }, selector);
    expect(await give(null)).toBe(false);
    expect((await fixture.healthOf(domain)).nextCheckAt).toEqual(nextCheckAt);
    expect(await give('own-selector')).toBe(true);
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({
      report: { dkim: { source: 'configured', status: 'pass' } },
    });
  });
});
