import { LeadActionsService } from '@domain/leads';
import { MailboxUpdateService } from '@domain/mailboxes';
import { CampaignDiagnosticsService } from '../explain/campaign-diagnostics.service';
import { LeadExplanationService } from '../explain/lead-explanation.service';
import { refused } from '../testing/scripted-server';
import { HOUR, MINUTE, SendingFixture } from '../testing/sending-fixture';

let engine: SendingFixture;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
});

const later = (milliseconds: number) => new Date(engine.clock.now().getTime() + milliseconds);

describe('a server that defers all mail of the mailbox', () => {
  const later4 = () => refused('temporary', 'sender', '451 4.3.2 come back later');
  const explained = async (campaignId: string) => {
    const lead = await engine.lead('ann@acme.test');
    return engine.get(LeadExplanationService).explain(engine.workspace, campaignId, lead._id.toHexString());
  };

  it('costs the lead no attempt; the cooldown grows with each refusal, and its reason is stored', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test'], { newLeadsPerDay: 5 });
    for (const minutes of [5, 10, 20, 40, 60, 60]) {
      engine.server.answers.push(later4());
      await engine.run(mailboxId);
      expect(engine.server.answers).toEqual([]);
      expect(await engine.sends('ann@acme.test')).toMatchObject([{ state: 'planned', attempt: 1 }]);
      const until = later(minutes * MINUTE);
      expect(await engine.leaseOf(mailboxId)).toMatchObject({ cooldown: { until }, nextAt: until, dayUsed: 0 });
      expect(await explained(campaignId)).toMatchObject({
        reason: 'mailbox_cooldown',
        nextEligibleAt: until.toISOString(),
        limits: [{ limit: 'mailbox_cooldown', detail: '451 4.3.2 come back later' }],
      });
      const diagnosed = await engine.get(CampaignDiagnosticsService).diagnose(engine.workspace, campaignId);
      expect(diagnosed.mailboxes).toMatchObject([{ reason: 'mailbox_cooldown', detail: '451 4.3.2 come back later' }]);
      engine.clock.advance(minutes * MINUTE);
    }
    expect(await engine.used(campaignId)).toEqual({ new: 0 });
    await engine.run(mailboxId);
    expect(await engine.stateOf('ann@acme.test')).toBe('sent');
    expect((await engine.leaseOf(mailboxId)).cooldown).toBeNull();
  });

  it('gets no request for as long as it has asked, also from the next holder of the lease', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test']);
    engine.server.draftId = 'draft';
    engine.server.answers.push(refused('temporary', 'handover', '429 Too many requests', 30 * MINUTE));
    await engine.run(mailboxId);
    const [first] = [...(await engine.sends('ann@acme.test')), ...(await engine.sends('bob@acme.test'))];
    // The server did not send the draft: that was no attempt either.
    expect(first).toMatchObject({ state: 'retry', attempt: 0 });
    engine.clock.advance(30 * MINUTE - 1);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    engine.clock.advance(1);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(3);
    expect(await engine.sends(first!.email)).toMatchObject([{ state: 'sent', attempt: 1 }]);
  });

  it('does not make other emails wait for the one that it refuses', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test']);
    engine.clock.advance(MINUTE);
    engine.server.answers.push(later4());
    await engine.run(mailboxId);
    engine.clock.advance(5 * MINUTE);
    const refusedTo = (await engine.sends('ann@acme.test')).length > 0 ? 'ann@acme.test' : 'bob@acme.test';
    await engine.run(mailboxId);
    expect(engine.recipients()[1]).toBe(refusedTo);
  });

  it('stops the mailbox after three days', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test']);
    engine.server.answers.push(later4());
    await engine.run(mailboxId);
    engine.clock.advance(3 * 24 * HOUR);
    engine.server.answers.push(later4());
    await engine.run(mailboxId);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ stopped: { code: 'REFUSED' }, cooldown: null });
    expect(await engine.events()).toEqual(['mailbox.sending_stopped']);
    await engine.get(MailboxUpdateService).resume(engine.workspace, mailboxId);
    engine.server.answers.push(later4());
    await engine.run(mailboxId);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ stopped: null, cooldown: { count: 1 } });
  });
});

describe('a withheld email', () => {
  it('uses neither the gap nor the day of its mailbox, and is not shown as planned', async () => {
    await engine.changeMailbox(mailboxId, { sendGapSeconds: 600 });
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test']);
    const { _id } = await engine.lead('ann@acme.test');
    const act = (action: 'pause' | 'resume') =>
      engine.get(LeadActionsService).run(engine.workspace, campaignId, { action, leadIds: [_id.toHexString()] });
    engine.server.beforeHandover = () => act('pause');
    await engine.run(mailboxId);
    engine.server.beforeHandover = () => undefined;
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0, slots: [], lastSentAt: null });
    const explanation = await engine
      .get(LeadExplanationService)
      .explain(engine.workspace, campaignId, _id.toHexString());
    expect(explanation.history).toMatchObject([
      { state: 'withheld', message: 'The lead was paused' },
      { kind: 'stop' },
    ]);
    await act('resume');
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual(['ann@acme.test']);
  });

  it('leaves the gap after the email before it, also when its worker crashed', async () => {
    await engine.changeMailbox(mailboxId, { sendGapSeconds: 600 });
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test']);
    await engine.run(mailboxId);
    engine.clock.advance(10 * MINUTE);
    await engine.crash(mailboxId, 'beforeHandover');
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(2);
  });
});
