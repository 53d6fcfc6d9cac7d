import { MailboxesService } from '@domain/mailboxes';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { bounce } from '../../../inbox/testing';
import { type Member, ReceivingFixture } from './testing/receiving-fixture';
import { WarmupMailWatchService } from './warmup-mail-watch.service';

const HOUR_MS = 3_600_000;

describe('the missing-mail watch', () => {
  let warmup: ReceivingFixture;
  let ann: Member;
  let bob: Member;
  let carl: Member;

  beforeAll(async () => {
    warmup = await ReceivingFixture.open();
  });
  afterAll(() => warmup.close());
  beforeEach(async () => {
    ann = await warmup.members.create();
    bob = await warmup.members.create();
    carl = await warmup.members.createColleague(bob);
  });

  const watch = () => warmup.get(WarmupMailWatchService).run();
  const later = (ms: number) => warmup.clock.advance(ms);
  /** Another mail arrives in the folder where the missing one should be. */
  const othersArrive = async () => {
    const other = await warmup.deliveries.send(carl, bob);
    await warmup.deliveries.deliver(other, carl, bob);
  };

  describe('for a mail that was accepted and never found', () => {
    it('counts it as blocked after a day, once, when its receiver finds mail of others', async () => {
      const mail = await warmup.deliveries.send(ann, bob);
      await othersArrive();
      later(23 * HOUR_MS);
      await warmup.deliveries.read(bob);
      await watch();
      expect(await warmup.records.figures(ann)).toEqual({});
      later(HOUR_MS);
      await warmup.deliveries.read(bob);
      await watch();
      await watch();
      expect(await warmup.records.senderSide(mail)).toMatchObject({
        state: 'sent',
        reason: expect.stringContaining('not found'),
      });
      expect(await warmup.records.figures(ann)).toEqual({ blocked: 1 });
    });

    it('counts nothing against the sender when its receiver finds no warmup mail at all', async () => {
      const mail = await warmup.deliveries.send(ann, bob);
      later(25 * HOUR_MS);
      await warmup.deliveries.read(bob);
      await watch();
      expect((await warmup.records.senderSide(mail)).reason).toBeNull();
      expect(await warmup.records.figures(ann)).toEqual({});
    });

    it('counts nothing while the receiver cannot be read', async () => {
      const mail = await warmup.deliveries.send(ann, bob);
      await othersArrive();
      later(25 * HOUR_MS);
      await watch();
      expect((await warmup.records.senderSide(mail)).reason).toBeNull();
    });

    it('withdraws the count when the mail is found later', async () => {
      const mail = await missed();
      await warmup.deliveries.deliver(mail, ann, bob);
      expect(await warmup.records.senderSide(mail)).toMatchObject({ state: 'sent', reason: null, placement: 'inbox' });
      expect(await warmup.records.figures(ann)).toEqual({ inbox: 1 });
    });

    it('counts it as bounced instead when it bounces later', async () => {
      const mail = await missed();
      const recipient = bob.mailbox.email;
      const report = { recipient, status: '5.1.1', diagnostic: '550 5.1.1 no such user', originalId: mail.messageId };
      await warmup.deliveries.deliverRaw(bounce(report), ann);
      expect(await warmup.records.figures(ann)).toEqual({ bounced: 1 });
    });

    async function missed() {
      const mail = await warmup.deliveries.send(ann, bob);
      await othersArrive();
      later(25 * HOUR_MS);
      await warmup.deliveries.read(bob);
      await watch();
      expect(await warmup.records.figures(ann)).toEqual({ blocked: 1 });
      return mail;
    }
  });

  describe('for metrics', () => {
    const stored = async () => {
      const { _id, workspaceId } = ann.mailbox;
      return warmup.inbox.model<WarmupRecord>(WarmupRecord).findOne({ _id, workspaceId }).orFail().lean<WarmupRecord>();
    };
    const onMailbox = async () => {
      const mailbox = await warmup.get(MailboxesService).get(ann.workspace, ann.mailbox._id.toHexString());
      return mailbox.warmup;
    };
    const found = async () => {
      const day = { workspaceId: ann.mailbox.workspaceId, mailboxId: ann.mailbox._id, day: '2026-11-25' };
      await warmup.inbox.model<WarmupDayRecord>(WarmupDayRecord).insertMany([{ ...day, attempted: 4, sent: 4 }]);
      for (const folder of ['inbox', 'inbox', 'promotions', 'junk'] as const) {
        const mail = await warmup.deliveries.send(ann, bob);
        await warmup.deliveries.deliverUnread(mail, ann, bob, { folder });
      }
      await warmup.deliveries.read(bob);
    };

    it('stores the figures on the warmup and its mailbox, without a change of revision or status', async () => {
      await found();
      const { revision } = await stored();
      await watch();
      const figures = { totalEmailsSent: 4, inboxRate: 0.5, promotionsRate: 0.25, spamRate: 0.25, openRate: 0 };
      const after = await stored();
      expect(after).toMatchObject({ revision, status: 'in_progress', metrics: figures });
      expect(await onMailbox()).toMatchObject({ enabled: true, status: 'in_progress', metrics: figures });
      // Without a change, nothing is written again.
      later(HOUR_MS);
      await watch();
      expect((await stored()).metrics).toEqual(after.metrics);
    });
  });
});
