import { expectFormA, expectFormB } from '../harness';
import { Leads } from '../leads/leads';
import { seededMailbox } from '../mailboxes/sandbox';
import { auditedActions, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { readCampaign } from '../campaigns/campaigns';
import { type Conversation } from './inbox-responses';
import { Inboxes } from './inboxes';
import { type VendorInbox } from './vendor-inbox';
import { type Written } from './sent-emails';
import { mailFrom } from './received-mail';

describe('PATCH /v1/inbox/:conversationId', () => {
  let mine: Inboxes;
  let google: VendorInbox;
  /** The campaign that wrote to most leads. */
  let usualCampaign: string;
  let serial = 0;

  beforeAll(async () => {
    mine = await Inboxes.start();
    google = await mine.connect('google');
    usualCampaign = await mine.campaign(google.mailboxId);
  });
  afterAll(() => mine.close());

  const newAddress = (who = 'ada') => `${who}-${(serial += 1)}@company-${serial}.test`;
  /** A lead that got an email. */
  const lead = () => mine.written(google, newAddress(), { campaignId: usualCampaign });
  const update = async (conversation: Conversation, body: object) =>
    ((await mine.patch(conversation._id, body).expect(200)).body as { data: Conversation }).data;
  const leadOf = ({ campaignId, leadId }: Pick<Written, 'campaignId' | 'leadId'>) =>
    new Leads(mine.platform, mine.workspace, campaignId).get(leadId);
  const statsOf = async ({ campaignId }: Pick<Written, 'campaignId'>) =>
    ((await readCampaign(mine.platform, mine.workspace.key, campaignId)).body as { data: { stats: object } }).data
      .stats;
  const eventsOf = async (type: string, leadId: string | null) =>
    (await mine.events(type)).filter((event) => String(event['leadId']) === leadId);
  const isSuppressed = async (email: string) => {
    const { body } = await mine.api.get(`/v1/suppressions?search=${encodeURIComponent(email)}`).expect(200);
    return (body as { data: unknown[] }).data.length === 1;
  };
  /** Mail from a person who is not a lead. */
  const stranger = async (more: Partial<Parameters<typeof mailFrom>[0]> = {}) => {
    const from = newAddress('alias');
    await google.receive(mailFrom({ from, subject: 'About your offer', ...more }));
    return mine.untrackedWith(from);
  };

  describe('unread', () => {
    it('marks the conversation as read until the next message', async () => {
      const { leadId, email, messageId } = await lead();
      await google.receive(mailFrom({ from: email, inReplyTo: messageId }));
      const conversation = await mine.ofLead(leadId);
      expect(conversation.unread).toBe(true);
      expect(await update(conversation, { unread: false })).toMatchObject({ _id: conversation._id, unread: false });
      expect(await update(conversation, {})).toMatchObject({ unread: false });
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'Also' }));
      expect((await mine.ofLead(leadId)).unread).toBe(true);
      await update(conversation, { unread: false });
      expect(await update(conversation, { unread: true })).toMatchObject({ unread: true });
    });
  });

  describe('label', () => {
    it('is set by the person, and no rule changes it afterwards', async () => {
      const { leadId, email, messageId } = await lead();
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'Who else uses it?' }));
      const conversation = await mine.ofLead(leadId);
      const byPerson = { label: 'other', labelledBy: 'person', labelReason: null };
      expect(await update(conversation, { label: 'other' })).toMatchObject(byPerson);
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'We are not interested, thanks.' }));
      expect(await mine.ofLead(leadId)).toMatchObject(byPerson);
      expect(await auditedActions(mine.platform, mine.workspace)).toContain('conversation.updated');
    });

    it('is removed with null, and the next reply gets a new one', async () => {
      const { leadId, email, messageId } = await lead();
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'Who else uses it?' }));
      const conversation = await mine.ofLead(leadId);
      await update(conversation, { label: 'other' });
      const none = { label: null, labelledBy: null, labelReason: null };
      expect(await update(conversation, { label: null })).toMatchObject(none);
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'We are not interested, thanks.' }));
      expect(await mine.ofLead(leadId)).toMatchObject({ label: 'negative', labelledBy: 'rules' });
    });

    it('positive is recorded as an event and counted once for a lead, whatever label follows', async () => {
      const written = await mine.written(google, newAddress());
      const { leadId, email, messageId, campaignId } = written;
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'Who else uses it?' }));
      const conversation = await mine.ofLead(leadId);
      for (const label of ['positive', 'negative', 'positive']) await update(conversation, { label });
      const events = await eventsOf('email.positive_reply', leadId);
      const data = { labelledBy: 'person', email, firstOfLead: true, step: 0, conversationId: conversation._id };
      expect(events).toMatchObject([{ data }]);
      const figures = mine.model('CampaignMailboxRecord');
      const of = { workspaceId: mine.workspace.workspaceId, campaignId };
      const counted = await figures.find(of).lean<{ stats?: { positiveReplied?: number } }[]>();
      expect(counted.reduce((sum, { stats }) => sum + (stats?.positiveReplied ?? 0), 0)).toBe(1);
    });

    it('positive records no event for a person who is not a lead', async () => {
      const before = (await mine.events('email.positive_reply')).length;
      expect(await update(await stranger(), { label: 'positive' })).toMatchObject({ label: 'positive' });
      expect(await mine.events('email.positive_reply')).toHaveLength(before);
    });

    it('unsubscribe_request opts the lead out before the response', async () => {
      const campaignId = await mine.campaign(google.mailboxId, { stopOnReply: false });
      const { leadId, email, messageId } = await mine.written(google, newAddress(), { campaignId });
      await google.receive(mailFrom({ from: email, inReplyTo: messageId, text: 'Hm.' }));
      expect(await leadOf({ campaignId, leadId })).toMatchObject({ status: 'active' });
      await update(await mine.ofLead(leadId), { label: 'unsubscribe_request' });
      expect(await isSuppressed(email)).toBe(true);
      expect(await leadOf({ campaignId, leadId })).toMatchObject({ stopReason: 'unsubscribed' });
      expect(await eventsOf('email.unsubscribed', leadId)).toHaveLength(1);
      await update(await mine.ofLead(leadId), { label: 'unsubscribe_request' });
      expect(await eventsOf('email.unsubscribed', leadId)).toHaveLength(1);
      expect(await statsOf({ campaignId })).toMatchObject({ unsubscribed: 1 });
    });

    it('unsubscribe_request opts out a sender who is not a lead', async () => {
      const conversation = await stranger();
      await update(conversation, { label: 'unsubscribe_request' });
      expect(await isSuppressed(String(conversation['email']))).toBe(true);
    });
  });

  describe('leadId', () => {
    it('assigns the conversation to the lead: its messages become replies and stop the lead', async () => {
      const written = await mine.written(google, newAddress());
      const { leadId, campaignId, email } = written;
      const conversation = await stranger({ text: 'I read your offer.' });
      const attached = await update(conversation, { leadId });
      expect(attached).toMatchObject({ _id: conversation._id, tracked: true, leadId, campaignId, email });
      expect(await leadOf(written)).toMatchObject({ status: 'completed', stopReason: 'replied', dueAt: null });
      const [replied, ...others] = await eventsOf('email.replied', leadId);
      expect(others).toEqual([]);
      expect(replied).toMatchObject({ data: { matchedBy: 'person', firstOfLead: true, text: 'I read your offer.' } });
      expect(await statsOf(written)).toMatchObject({ replied: 1 });
      const { messages } = await mine.read(conversation._id);
      expect(messages.map(({ kind }) => kind)).toEqual(['campaign', 'reply']);
      expect((await mine.list('?tracked=false')).data.map(({ _id }) => _id)).not.toContain(conversation._id);
    });

    it('changes nothing when it is repeated, and later mail in the thread belongs to the conversation', async () => {
      const written = await mine.written(google, newAddress());
      const id = `<first-${serial}@alias.test>`;
      const conversation = await stranger({ id });
      await update(conversation, { leadId: written.leadId });
      await update(conversation, { leadId: written.leadId });
      expect(await eventsOf('email.replied', written.leadId)).toHaveLength(1);
      await google.receive(mailFrom({ from: 'alias@other.test', subject: 'Re: About your offer', inReplyTo: id }));
      expect((await mine.read(conversation._id)).messages).toHaveLength(3);
      expect(await eventsOf('email.replied', written.leadId)).toHaveLength(2);
      expect(await statsOf(written)).toMatchObject({ replied: 1 });
    });

    it('stops no lead in a campaign that continues after replies', async () => {
      const campaignId = await mine.campaign(google.mailboxId, { stopOnReply: false });
      const written = await mine.written(google, newAddress(), { campaignId });
      await update(await stranger(), { leadId: written.leadId });
      expect(await leadOf(written)).toMatchObject({ status: 'active' });
      expect(await statsOf(written)).toMatchObject({ replied: 1 });
    });

    it('records a positive reply, and treats an opt-out in its text as one', async () => {
      const [glad, angry] = [await lead(), await lead()];
      const positive = await stranger({ text: 'Sounds great, let us talk. Does Tuesday at 10 work for you?' });
      expect(positive.label).toBe('positive');
      await update(positive, { leadId: glad.leadId });
      expect(await eventsOf('email.positive_reply', glad.leadId)).toMatchObject([{ data: { labelledBy: 'rules' } }]);
      const optOut = await stranger({ text: 'Please remove me from your mailing list.' });
      await update(optOut, { leadId: angry.leadId });
      expect(await isSuppressed(angry.email)).toBe(true);
      expect(await leadOf(angry)).toMatchObject({ stopReason: 'unsubscribed' });
    });

    it('sets the label of the same request', async () => {
      const { leadId } = await lead();
      const conversation = await update(await stranger(), { leadId, label: 'positive', unread: false });
      expect(conversation).toMatchObject({ leadId, label: 'positive', labelledBy: 'person', unread: false });
      expect(await eventsOf('email.positive_reply', leadId)).toHaveLength(1);
    });

    it('is refused for a lead that has a conversation, and both stay unchanged', async () => {
      const { leadId, email, messageId } = await lead();
      await google.receive(mailFrom({ from: email, inReplyTo: messageId }));
      const { _id } = await mine.ofLead(leadId);
      const conversation = await stranger();
      const response = await mine.patch(conversation._id, { leadId, unread: false });
      expectFormB(response, 409, 'CONFLICT');
      expect((response.body as { error: { message: string } }).error.message).toContain(_id);
      expect(await mine.untrackedWith(String(conversation['email']))).toEqual(conversation);
    });

    it('is accepted once when two requests give two conversations to one lead', async () => {
      const { leadId } = await lead();
      const both = [await stranger(), await stranger()];
      const answers = await Promise.all(both.map(({ _id }) => mine.patch(_id, { leadId })));
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
      expect(await eventsOf('email.replied', leadId)).toHaveLength(1);
    });

    it('is refused for a conversation with another lead', async () => {
      const other = await lead();
      const conversation = await mine.answered(google, newAddress(), { campaignId: usualCampaign });
      expectFormB(await mine.patch(conversation._id, { leadId: other.leadId }), 409, 'CONFLICT');
      expect(await leadOf(other)).toMatchObject({ status: 'active' });
    });

    it('is refused for a lead without a sent email', async () => {
      const [leadId] = await new Leads(mine.platform, mine.workspace, usualCampaign).add(newAddress());
      expectFormB(await mine.patch((await stranger())._id, { leadId }), 409, 'CONFLICT');
    });

    it('is refused for an unknown lead, another workspace’s lead, and a lead of a deleted campaign', async () => {
      const conversation = await stranger();
      const theirs = await mine.elsewhere();
      const { _id: mailboxId } = await seededMailbox(mine.platform, theirs.workspace.workspaceId);
      const foreign = await theirs.written({ mailboxId }, newAddress());
      const deleted = await mine.written(google, newAddress());
      await mine.api.post(`/v1/campaigns/${deleted.campaignId}/pause`).expect(200);
      await mine.api.delete(`/v1/campaigns/${deleted.campaignId}`).expect(200);
      for (const leadId of [UNKNOWN_ID, 'x', foreign.leadId, deleted.leadId]) {
        expectFormB(await mine.patch(conversation._id, { leadId }), 400, 'VALIDATION_ERROR', 'leadId');
      }
    });
  });

  it.each([
    [{ unread: 'yes' }, 'unread'],
    [{ unread: null }, 'unread'],
    [{ label: 'great' }, 'label'],
    [{ label: '' }, 'label'],
    [{ leadId: null }, 'leadId'],
    [{ leadId: '' }, 'leadId'],
    [{ labelledBy: 'rules' }, 'labelledBy'],
    [{ messages: [] }, 'messages'],
    [{ campaignId: UNKNOWN_ID }, 'campaignId'],
  ])('refuses %j', async (body, field) => {
    const [conversation] = (await mine.list()).data;
    expectFormB(await mine.patch(conversation!._id, body), 400, 'VALIDATION_ERROR', field);
  });

  it('answers 404 to an unknown id, a malformed id and another workspace’s conversation, and 401 without a key', async () => {
    const [conversation] = (await mine.list()).data;
    const theirs = await mine.elsewhere();
    expectFormB(await theirs.patch(conversation!._id, { unread: false }), 404, 'NOT_FOUND');
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await mine.patch(id, { unread: false }), 404, 'NOT_FOUND');
    }
    expectFormA(await mine.platform.api.patch(`/v1/inbox/${conversation!._id}`).send({}), 401);
  });
});
