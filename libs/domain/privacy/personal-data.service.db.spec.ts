import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { EventRecord } from '@domain/events';
import { ConversationUpdateService, InboxRepliesService } from '@domain/inbox';
import { LeadRecord, LeadsService } from '@domain/leads';
import { SendRecord } from '@domain/sends';
import { CampaignCountersRebuildService, SendingModule } from '@domain/sending';
import { SuppressionsService } from '@domain/suppressions';
import { Types } from 'mongoose';
import { InboxFixture, type Written, bounce, mail } from '../inbox/testing';
import { PERSONAL_COLLECTIONS } from './personal-data';
import { PrivacyModule } from './privacy.module';
import { PersonalDataService } from './personal-data.service';
import { SubjectRecordRepository } from './subject-record.repository';

const ADA = 'canary.ada@acme.test';
const BOB = 'bob@acme.test';

describe('the personal data of one person', () => {
  let inbox: InboxFixture;
  let ada: Written;
  let bob: Written;

  beforeAll(async () => {
    inbox = await InboxFixture.open({}, [CrmModule, DnsModule, SendingModule, PrivacyModule]);
  });
  afterAll(() => inbox.close());

  const erase = () => inbox.get(PersonalDataService).erase(inbox.workspaceId, ADA);
  const wordsOf = (text: string, more: Partial<Parameters<typeof mail>[0]>) =>
    mail({ from: `Canary <${ADA}>`, text, ...more });

  /** Creates records about a person in every collection that refers to people. */
  async function history(): Promise<void> {
    ada = await inbox.written(ADA);
    bob = await inbox.written(BOB);
    const { workspaceId, workspace } = inbox;
    const names = { firstName: 'Canarina', variables: { secret: 'canary-variable' } };
    await inbox.get(LeadsService).update(workspace, ada.campaignId, ada.leadId, names);
    await inbox.arrives(wordsOf('Sounds great, let us talk. canary-words', { inReplyTo: ada.send.messageId }));
    await inbox.arrives(wordsOf('I am with Bob. canary-colleague', { inReplyTo: bob.send.messageId }));
    const about = `Write to ${ADA.toUpperCase()} or to not-${ADA}.`;
    await inbox.arrives(
      mail({ from: BOB, text: about, inReplyTo: bob.send.messageId, headers: `Cc: Canary <${ADA}>\n` }),
    );
    const second = await inbox.written(ADA);
    const diagnostic = `452 mailbox of <${ADA}> is full`;
    await inbox.arrives(bounce({ recipient: ADA, status: '4.2.2', diagnostic, originalId: second.send.messageId }));
    const conversation = (await inbox.conversations()).find(({ email }) => email === ADA);
    const id = conversation!._id.toHexString();
    await inbox.get(ConversationUpdateService).update(workspace, id, { label: 'negative' });
    await inbox.get(InboxRepliesService).create(workspace, id, { body: '<p>canary-reply</p>' });
    await ofAgents(conversation!._id);
    await insert('tracking_hits', { _id: `hit-${id}` as never, sendId: ada.send._id, userAgent: 'canary-agent' });
    const row = { row: 2, reason: 'suppressed', detail: '', cells: ['x', ADA, 'canary-cell'] };
    const other = { row: 3, reason: 'invalid', detail: 'no address', cells: ['y'] };
    const named = { webhookId: new Types.ObjectId(), eventId: new Types.ObjectId(), state: 'pending' };
    await insert('webhook_deliveries', { ...named, leadId: new Types.ObjectId(ada.leadId), body: '"canary-told"' });
    const echo = { ...named, eventId: new Types.ObjectId(), body: '', attempts: [{ response: `Thanks for ${ADA}` }] };
    await insert('webhook_deliveries', echo);
    const counted = { ...named, eventId: new Types.ObjectId(), state: 'delivered', countedAs: 'delivered' };
    await insert('webhook_deliveries', { ...counted, leadId: new Types.ObjectId(ada.leadId), body: '"canary-done"' });
    await ofReports();
    const refusals = { importId: new Types.ObjectId(), row: 2, rows: [row, other], expiresAt: new Date('2100-01-01') };
    await insert('lead_import_refusals', refusals);
    await inbox
      .model<SendRecord>(SendRecord)
      .updateOne(
        { _id: ada.send._id, workspaceId },
        { $set: { links: ['https://acme.test/?who=canary'], providerThreadId: 'canary-thread' } },
      );
  }

  /** A user had reports sent to the person. */
  async function ofReports(): Promise<void> {
    const recipientId = new Types.ObjectId();
    await insert('report_recipients', { _id: recipientId, email: ADA, name: 'Canarina', company: 'canary-company' });
    await insert('reports', { recipientId, key: 'weekly 1', email: ADA, state: 'sent', reason: 'canary-reason' });
    const target = { type: 'report_recipient', id: recipientId.toHexString() };
    const changes = { email: { from: null, to: ADA }, active: { from: null, to: true } };
    await insert('audit_entries', { action: 'report_recipient.created', target, changes, createdAt: new Date() });
  }

  /** Texts and knowledge of agents: in the person's conversation, about the person, and about others. */
  async function ofAgents(conversationId: Types.ObjectId): Promise<void> {
    const agentId = new Types.ObjectId();
    const written = {
      agentId,
      model: 'test-model',
      promptVersion: 'reply-1',
      inputTokens: 1,
      outputTokens: 1,
      cost: 0,
    };
    await insert('agent_texts', { ...written, purpose: 'reply', conversationId, text: 'canary-text' });
    await insert('agent_texts', { ...written, purpose: 'draft', text: `Better write to ${ADA}` });
    await insert('agent_texts', {
      ...written,
      purpose: 'draft',
      text: '',
      unused: [{ fault: 'is empty', text: `Write to ${ADA}` }],
    });
    await insert('agent_texts', {
      ...written,
      purpose: 'draft',
      conversationId: new Types.ObjectId(),
      text: 'Hello Bob',
    });
    const answers = {
      agentId,
      conversationId,
      email: ADA,
      answeredId: new Types.ObjectId(),
      turn: 0,
      state: 'planned',
    };
    await insert('agent_replies', { ...answers, text: 'canary-planned' });
    const page = { agentId, trainingId: new Types.ObjectId(), place: 0, url: 'https://acme.test/', status: 'read' };
    await insert('agent_pages', { ...page, text: `Ask ${ADA}` });
  }

  const db = () => inbox.get(SubjectRecordRepository).model('campaign_leads').db.db!;
  const insert = (collection: string, fields: object) =>
    db()
      .collection(collection)
      .insertOne({ workspaceId: new Types.ObjectId(inbox.workspaceId), ...fields });

  const audited = (action: string) =>
    inbox.get(SubjectRecordRepository).model('audit_entries').find({ workspaceId: inbox.workspaceId, action }).lean();

  /** Finds every collection that still mentions the person, including unregistered ones. */
  async function traces(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const { name } of await db().listCollections().toArray()) {
      for await (const record of db()
        .collection(name)
        .find({ workspaceId: new Types.ObjectId(inbox.workspaceId) })) {
        const text = JSON.stringify(record).replaceAll(`not-${ADA}`, '');
        if (/canary|canarina/i.test(text)) (found[name] ??= []).push(text);
      }
    }
    return found;
  }

  describe('export and erasure', () => {
    let exported: Awaited<ReturnType<PersonalDataService['export']>>;
    let report: Awaited<ReturnType<typeof erase>>;
    let tracesBefore: Awaited<ReturnType<typeof traces>>;
    let before: Awaited<ReturnType<typeof figures>>;

    beforeAll(async () => {
      await inbox.fresh();
      await history();
      await insert('tracking_hits', { _id: 'hit-of-bob' as never, sendId: bob.send._id, userAgent: 'bob-agent' });
      exported = await inbox.get(PersonalDataService).export(inbox.workspaceId, ADA);
      [tracesBefore, before] = [await traces(), await figures()];
      report = await erase();
    });

    const recounted = () => inbox.get(CampaignCountersRebuildService).run(inbox.workspaceId, { isCheck: true });
    const figures = async () => ({
      ada: await inbox.stats(ada),
      bob: await inbox.stats(bob),
      recounted: await recounted(),
    });

    it('exports all data, and records the export without the address', async () => {
      expect(Object.keys(exported?.records ?? {}).toSorted()).toEqual(
        `agent_pages agent_replies agent_texts audit_entries campaign_leads conversation_messages conversations events inbox_replies lead_import_refusals
      mailbox_messages report_recipients reports sends tracking_hits webhook_deliveries`.split(/\s+/),
      );
      const text = JSON.stringify(exported);
      for (const word of [
        'variable',
        'words',
        'colleague',
        'reply',
        'agent',
        'cell',
        'thread',
        'told',
        'text',
        'planned',
      ]) {
        expect(text).toContain(`canary-${word}`);
      }
      expect(JSON.parse(text)).toMatchObject({
        records: { campaign_leads: [{ firstName: 'Canarina' }, { email: ADA }] },
      });
      const entry = (await audited('privacy.exported')).at(0);
      expect(entry).toMatchObject({ changes: { campaign_leads: { to: 2 }, sends: { to: 2 } } });
      expect(JSON.stringify(entry)).not.toContain('canary');
    });

    it('exports nothing about other people, and nothing for an unknown address', async () => {
      expect(exported?.records['tracking_hits']).toMatchObject([{ userAgent: 'canary-agent' }]);
      expect(await inbox.get(PersonalDataService).export(inbox.workspaceId, 'nobody@nowhere.test')).toBeNull();
    });

    it('erases the person from every collection except the suppression list', async () => {
      expect(Object.keys(tracesBefore).length).toBeGreaterThan(8);
      expect(report).toMatchObject({ onTheirWay: 0, openImports: 0, erased: { campaign_leads: 2, sends: 2 } });
      const left = await traces();
      expect(Object.keys(left).toSorted()).toEqual(['suppression_ledger', 'suppressions']);
      expect(await inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, ADA)).toBe(true);
      expect(await inbox.get(PersonalDataService).export(inbox.workspaceId, ADA)).toMatchObject({
        records: { suppressions: [{ value: ADA }], suppression_ledger: [{ value: ADA }] },
      });
    });

    it('leaves the data of other people', async () => {
      expect(await inbox.lead(bob)).toMatchObject({ email: BOB, firstName: 'Ada' });
      const messages = (await inbox.said()).map(({ text, from }) => ({ text, from: from?.address }));
      expect(messages).toEqual([
        { text: '[erased]', from: '' },
        { text: `Write to [erased] or to not-${ADA}.`, from: BOB },
      ]);
      const texts = inbox.get(SubjectRecordRepository).model('agent_texts').find({ workspaceId: inbox.workspaceId });
      expect(await texts.lean()).toMatchObject([{ text: 'Hello Bob' }]);
    });

    it('leaves every figure unchanged, also in a recount', async () => {
      expect((await inbox.stats(ada)).stats).toEqual(before.ada.stats);
      expect(await inbox.stats(bob)).toEqual(before.bob);
      expect(await recounted()).toEqual(before.recounted);
      expect(before.ada.stats).toMatchObject({ replied: 1, positiveReplied: 1 });
      const { workspaceId } = inbox;
      const events = await inbox.model<EventRecord>(EventRecord).find({ workspaceId, leadId: ada.leadId }).lean();
      expect(events.find(({ type }) => type === 'email.replied')?.data).toMatchObject({
        sendId: ada.send._id.toHexString(),
        firstOfLead: true,
      });
    });
  });

  describe('in a separate workspace', () => {
    beforeEach(() => inbox.fresh());

    it('is erased after an interruption before any of the collections, and another run changes nothing', async () => {
      await history();
      let writesLeft = 0;
      const spies = PERSONAL_COLLECTIONS.map(({ collection }) => {
        const model = inbox.get(SubjectRecordRepository).model(collection);
        const write = model.bulkWrite.bind(model) as (...args: unknown[]) => Promise<unknown>;
        const interrupted = (...args: unknown[]) =>
          writesLeft-- > 0 ? write(...args) : Promise.reject(new Error('killed'));
        return jest.spyOn(model, 'bulkWrite').mockImplementation(interrupted as never);
      });
      let kills = 0;
      for (let isErased = false; !isErased;) {
        // Each run writes to one collection and is killed at the next one.
        writesLeft = 1;
        isErased = await erase().then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe('killed');
            kills += 1;
            return false;
          },
        );
      }
      for (const spy of spies) spy.mockRestore();
      expect(kills).toBeGreaterThan(10);
      expect(Object.keys(await traces()).toSorted()).toEqual(['suppression_ledger', 'suppressions']);
      expect((await erase())?.erased).toEqual({});
      // Each run that erased something is recorded; the only write of the first one stops the leads.
      expect(await audited('privacy.erased')).toHaveLength(kills);
    }, 120_000);

    it('waits for an email in handover', async () => {
      await history();
      const { workspaceId } = inbox;
      const sends = inbox.model<SendRecord>(SendRecord);
      await sends.updateOne({ _id: ada.send._id, workspaceId }, { $set: { state: 'sending' } });
      const leads = inbox.model<LeadRecord>(LeadRecord);
      await leads.updateOne({ _id: ada.leadId, workspaceId }, { $set: { sendId: ada.send._id } });
      expect(await erase()).toMatchObject({ onTheirWay: 1, erased: { campaign_leads: 1, sends: 1 } });
      expect(await inbox.lead(ada)).toMatchObject({ email: ADA });
      await sends.updateOne({ _id: ada.send._id, workspaceId }, { $set: { state: 'sent' } });
      await leads.updateOne({ _id: ada.leadId, workspaceId }, { $set: { sendId: null } });
      expect(await erase()).toMatchObject({ onTheirWay: 0 });
      expect(Object.keys(await traces()).toSorted()).toEqual(['suppression_ledger', 'suppressions']);
    });

    it('reports that a file in import may still contain the person', async () => {
      await inbox.written(ADA);
      await insert('lead_imports', { open: true });
      expect(await erase()).toMatchObject({ openImports: 1 });
    });

    it('returns null for an unknown address, and changes nothing', async () => {
      expect(await erase()).toBeNull();
      expect(await inbox.get(PersonalDataService).export(inbox.workspaceId, ADA)).toBeNull();
      expect(await traces()).toEqual({});
    });

    it('refuses to erase a mailbox of the workspace', async () => {
      const erasing = inbox.get(PersonalDataService).erase(inbox.workspaceId, inbox.mailbox.email);
      await expect(erasing).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('keeps the source of an earlier opt-out, but not the note beside it', async () => {
      const given = { addresses: [ADA], reason: 'Canarina called us' };
      await inbox.get(SuppressionsService).add(inbox.workspace, given, { source: 'complaint' });
      await erase();
      const left = JSON.stringify(await traces());
      expect(left).toContain('complaint');
      expect(left).not.toContain('Canarina');
    });
  });
});
