import { SuppressionsService } from '@domain/suppressions';
import { bounce, complaint, mail as written } from '../../../inbox/testing';
import { WARMUP_HEADER } from '../../warmup-header.service';
import { type Member, ReceivingFixture } from './testing/receiving-fixture';

const MINE = { verdict: 'skipped', rule: 'warmup' };
const UNKNOWN = { status: '5.1.1', diagnostic: '550 5.1.1 no such user' };
const UNWANTED = { status: '5.7.1', diagnostic: '550 5.7.1 Message rejected as spam by Content Filtering' };

describe('a return of warmup mail', () => {
  let warmup: ReceivingFixture;
  let ann: Member;
  let bob: Member;

  beforeAll(async () => {
    warmup = await ReceivingFixture.open();
  });
  afterAll(() => warmup.close());
  beforeEach(async () => {
    bob = await warmup.members.create();
    ann = await warmup.members.create();
  });

  const recipient = () => bob.mailbox.email;

  it('counts once as bounced, with the reason, is hidden from people and suppresses no address', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    for (let times = 0; times < 2; times += 1) {
      await warmup.deliveries.deliverRaw(
        bounce({ recipient: recipient(), ...UNKNOWN, originalId: mail.messageId }),
        ann,
      );
    }
    expect(await warmup.records.senderSide(mail)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('no such user'),
    });
    expect(await warmup.records.figures(ann)).toEqual({ bounced: 1 });
    expect(await warmup.records.classifications(ann)).toEqual([MINE, MINE]);
    expect(await warmup.records.countVisible(ann)).toBe(0);
    expect(await warmup.get(SuppressionsService).isSuppressed(ann.workspace.workspaceId, recipient())).toBe(false);
  });

  it('counts as blocked after a spam rejection or a complaint', async () => {
    const [refused, complained] = [await warmup.deliveries.send(ann, bob), await warmup.deliveries.send(ann, bob)];
    await warmup.deliveries.deliverRaw(
      bounce({ recipient: recipient(), ...UNWANTED, originalId: refused.messageId }),
      ann,
    );
    expect(await warmup.records.figures(ann)).toEqual({ blocked: 1 });
    await warmup.deliveries.deliverRaw(complaint(recipient(), complained.messageId), ann);
    expect(await warmup.records.figures(ann)).toEqual({ blocked: 2 });
    expect((await warmup.records.senderSide(complained)).state).toBe('failed');
    expect(await warmup.records.classifications(ann)).toEqual([MINE, MINE]);
  });

  it('counts once as deferred for a delay report', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    const late = { recipient: recipient(), status: '4.4.1', diagnostic: '451 4.4.1 later', action: 'delayed' };
    for (let times = 0; times < 2; times += 1)
      await warmup.deliveries.deliverRaw(bounce({ ...late, originalId: mail.messageId }), ann);
    expect(await warmup.records.senderSide(mail)).toMatchObject({ state: 'sent' });
    expect(await warmup.records.figures(ann)).toEqual({ deferred: 1 });
    expect(await warmup.records.classifications(ann)).toEqual([MINE, MINE]);
  });

  it('does not count a mail as deferred again when its server deferred it before', async () => {
    const mail = await warmup.deliveries.send(ann, bob, { attempt: 2 });
    const late = { recipient: recipient(), status: '4.4.1', diagnostic: '451 4.4.1 later', action: 'delayed' };
    await warmup.deliveries.deliverRaw(bounce({ ...late, originalId: mail.messageId }), ann);
    expect(await warmup.records.senderSide(mail)).toMatchObject({ reason: 'A server deferred it' });
    expect(await warmup.records.figures(ann)).toEqual({});
  });

  it('is identified by the signed header of the returned mail when the Message-ID was changed', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    const token = warmup.deliveries.token(mail, ann, bob);
    const report = bounce({ recipient: 'other@elsewhere.test', ...UNKNOWN, originalId: '<changed@relay.test>' });
    await warmup.deliveries.deliverRaw(
      report.replace('Subject: Your roadmap', `Subject: Lunch\n${WARMUP_HEADER}: ${token}`),
      ann,
    );
    expect((await warmup.records.senderSide(mail)).state).toBe('failed');
    expect(await warmup.records.classifications(ann)).toEqual([MINE]);
  });

  it('without the returned mail is identified by its recipient: the last mail to that mailbox', async () => {
    const before = await warmup.deliveries.send(ann, bob, { at: warmup.clock.in(-7_200_000) });
    const last = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliverRaw(bounce({ recipient: recipient(), ...UNKNOWN }), ann);
    expect((await warmup.records.senderSide(last)).state).toBe('failed');
    expect((await warmup.records.senderSide(before)).state).toBe('sent');
    expect(await warmup.records.classifications(ann)).toEqual([MINE]);
  });

  it('has no effect when the mail was found', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliver(mail, ann, bob);
    await warmup.deliveries.deliverRaw(bounce({ recipient: recipient(), ...UNKNOWN, originalId: mail.messageId }), ann);
    expect((await warmup.records.senderSide(mail)).state).toBe('sent');
    expect(await warmup.records.figures(ann)).toEqual({ inbox: 1 });
    expect(await warmup.records.classifications(ann)).toEqual([MINE]);
  });

  it('is withdrawn when the mail is found after all, because only a forwarded copy bounced', async () => {
    const [returned, unwanted] = [await warmup.deliveries.send(ann, bob), await warmup.deliveries.send(ann, bob)];
    await warmup.deliveries.deliverRaw(
      bounce({ recipient: recipient(), ...UNKNOWN, originalId: returned.messageId }),
      ann,
    );
    await warmup.deliveries.deliverRaw(
      bounce({ recipient: recipient(), ...UNWANTED, originalId: unwanted.messageId }),
      ann,
    );
    expect(await warmup.records.figures(ann)).toEqual({ bounced: 1, blocked: 1 });
    for (const mail of [returned, unwanted]) await warmup.deliveries.deliver(mail, ann, bob);
    expect(await warmup.records.figures(ann)).toEqual({ inbox: 2 });
    for (const mail of [returned, unwanted]) {
      expect(await warmup.records.senderSide(mail)).toMatchObject({ state: 'sent', reason: null, placement: 'inbox' });
    }
  });

  it('proves that the mail was sent when its server gave no answer', async () => {
    const mail = await warmup.deliveries.send(ann, bob, { state: 'ambiguous', reason: 'No response arrived' });
    await warmup.deliveries.deliverRaw(bounce({ recipient: recipient(), ...UNKNOWN, originalId: mail.messageId }), ann);
    expect(await warmup.records.senderSide(mail)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('no such user'),
    });
    expect(await warmup.records.figures(ann)).toEqual({ sent: 1, openings: 1, bounced: 1 });
  });

  it('waits for the worker that is still recording the mail as sent', async () => {
    const mail = await warmup.deliveries.send(ann, bob, { state: 'ambiguous', dueAt: warmup.clock.now() });
    const report = bounce({ recipient: recipient(), ...UNKNOWN, originalId: mail.messageId });
    await expect(warmup.deliveries.deliverRaw(report, ann)).rejects.toThrow('cannot be read yet');
    expect(await warmup.records.figures(ann)).toEqual({});
    expect(await warmup.records.classifications(ann)).toEqual([{ verdict: null, rule: null }]);
  });

  it('concerns its sender only: a report about the mail of another sender is an ordinary message', async () => {
    const mail = await warmup.deliveries.send(bob, ann);
    await warmup.deliveries.deliverRaw(
      bounce({ recipient: 'eve@elsewhere.test', ...UNKNOWN, originalId: mail.messageId }),
      ann,
    );
    expect((await warmup.records.senderSide(mail)).state).toBe('sent');
    expect(await warmup.records.classifications(ann)).not.toContainEqual(MINE);
  });

  it('by an auto-reply is hidden and counts as nothing', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    const away = {
      from: recipient(),
      inReplyTo: mail.messageId,
      text: 'I am away',
      headers: 'Auto-Submitted: auto-replied\n',
    };
    await warmup.deliveries.deliverRaw(written(away), ann);
    expect(await warmup.records.classifications(ann)).toEqual([MINE]);
    expect(await warmup.records.countVisible(ann)).toBe(0);
    expect(await warmup.records.figures(ann)).toEqual({});
  });

  it('by a person who answers by hand is shown', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliverRaw(
      written({ from: recipient(), inReplyTo: mail.messageId, text: 'Who are you?' }),
      ann,
    );
    expect(await warmup.records.classifications(ann)).toEqual([{ verdict: 'reply', rule: expect.any(String) }]);
    expect(await warmup.records.countVisible(ann)).toBeGreaterThan(0);
  });
});
