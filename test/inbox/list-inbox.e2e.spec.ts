import { type Conversation } from './inbox-responses';
import { Inboxes } from './inboxes';
import { type VendorInbox } from './vendor-inbox';
import { mailFrom } from './received-mail';
import { expectFormA, expectFormB } from '../harness';
import { ID, ISO, UNKNOWN_ID } from '../workspaces/people';

const MINUTE_MS = 60_000;

describe('GET /v1/inbox', () => {
  let mine: Inboxes;
  let google: VendorInbox;
  let microsoft: VendorInbox;
  /** The campaign that wrote to all leads except Ada. */
  let campaignId: string;
  let ada: Conversation;
  let bob: Conversation;
  let eve: Conversation;

  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
  const emails = async (query = '') => (await mine.list(query)).data.map(({ email }) => email);

  beforeAll(async () => {
    mine = await Inboxes.start();
    [google, microsoft] = [await mine.connect('google'), await mine.connect('microsoft')];
    campaignId = await mine.campaign(google.mailboxId);
    const answer = async (mailbox: VendorInbox, email: string, text: string, minutes: number) => {
      const given = email.startsWith('ada') ? {} : { campaignId };
      const { leadId, messageId } = await mine.written(mailbox, email, given);
      await mailbox.receive(mailFrom({ from: email, inReplyTo: messageId, text }), ago(minutes));
      return mine.ofLead(leadId);
    };
    ada = await answer(google, 'ada@acme.test', 'Sounds great, let us talk. Does Tuesday at 10 work for you?', 30);
    bob = await answer(microsoft, 'bob@x.test', 'Who else uses it?', 20);
    eve = await answer(google, 'eve@y.test', 'No thanks, we are not interested.', 10);
    await google.receive(mailFrom({ from: 'zoe@elsewhere.test', subject: 'Lunch?' }), ago(5));
    await google.receive(mailFrom({ from: 'zoe@elsewhere.test', subject: 'Dinner (50% off)?' }), ago(4));
  });
  afterAll(() => mine.close());

  it('shows conversations with leads, most recent message first', async () => {
    const { data, pagination } = await mine.list();
    expect(data.map(({ _id }) => _id)).toEqual([eve._id, bob._id, ada._id]);
    expect(pagination).toEqual({ limit: 25, total: 3, hasMore: false, nextCursor: null });
    expect(data[2]).toEqual({
      _id: ID,
      mailboxId: google.mailboxId,
      tracked: true,
      campaignId: ID,
      leadId: ID,
      email: 'ada@acme.test',
      name: 'Ada Lovelace',
      subject: 'Your roadmap',
      unread: true,
      label: 'positive',
      labelledBy: 'rules',
      labelReason: expect.any(String) as string,
      messageCount: 1,
      lastMessageAt: ISO,
      lastDirection: 'received',
      lastReceivedAt: ISO,
      preview: 'Sounds great, let us talk. Does Tuesday at 10 work for you?',
      createdAt: ISO,
      updatedAt: ISO,
    });
  });

  it('pages through all of them, each once', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { data, pagination } = await mine.list(`?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(pagination.total).toBe(3);
      seen.push(...data.map(({ _id }) => _id));
      cursor = pagination.nextCursor;
    }
    expect(seen).toEqual([eve._id, bob._id, ada._id]);
  });

  it('moves a conversation to the top with its next message', async () => {
    const { leadId, messageId } = await mine.written(google, 'late@z.test', { campaignId });
    await google.receive(mailFrom({ from: 'late@z.test', inReplyTo: messageId }), ago(40));
    expect((await emails()).at(-1)).toBe('late@z.test');
    await google.receive(mailFrom({ from: 'late@z.test', inReplyTo: messageId, text: 'One more thing' }), ago(1));
    expect(await emails()).toEqual(['late@z.test', 'eve@y.test', 'bob@x.test', 'ada@acme.test']);
    expect(await mine.ofLead(leadId)).toMatchObject({ messageCount: 2, preview: 'One more thing' });
    const of = { workspaceId: mine.workspace.workspaceId, leadId };
    await mine.model('ConversationRecord').deleteOne(of);
  });

  it('shows mail that is no reply to the platform on request, and only that', async () => {
    const { data } = await mine.list('?tracked=false');
    expect(data).toMatchObject([
      { email: 'zoe@elsewhere.test', subject: 'Dinner (50% off)?', tracked: false, leadId: null, campaignId: null },
      { email: 'zoe@elsewhere.test', subject: 'Lunch?', tracked: false },
    ]);
    expect(await emails('?tracked=true')).toHaveLength(3);
  });

  it('filters by unread state, label, campaign and mailbox, and by several at once', async () => {
    await mine.patch(bob._id, { unread: false }).expect(200);
    expect(await emails('?unread=true')).toEqual(['eve@y.test', 'ada@acme.test']);
    expect(await emails('?unread=false')).toEqual(['bob@x.test']);
    expect(await emails('?label=positive')).toEqual(['ada@acme.test']);
    expect(await emails('?label=negative')).toEqual(['eve@y.test']);
    expect(await emails('?label=out_of_office')).toEqual([]);
    expect(await emails(`?campaignId=${ada.campaignId}`)).toEqual(['ada@acme.test']);
    expect(await emails(`?mailboxId=${microsoft.mailboxId}`)).toEqual(['bob@x.test']);
    expect(await emails(`?mailboxId=${google.mailboxId}&unread=true&label=negative`)).toEqual(['eve@y.test']);
    for (const unmatched of [`campaignId=${UNKNOWN_ID}`, 'campaignId=x', `mailboxId=${UNKNOWN_ID}`, 'mailboxId=x']) {
      expect(await emails(`?${unmatched}`)).toEqual([]);
    }
  });

  it.each([
    ['ADA@ACME', 'true', ['ada@acme.test']],
    ['lovelace', 'true', ['eve@y.test', 'bob@x.test', 'ada@acme.test']],
    ['your ROAD', 'true', ['eve@y.test', 'bob@x.test', 'ada@acme.test']],
    ['.*', 'true', []],
    ['a.me', 'true', []],
    ['(50% off)', 'false', ['zoe@elsewhere.test']],
    ['lunch', 'true', []],
    ['', 'false', ['zoe@elsewhere.test', 'zoe@elsewhere.test']],
  ])('searches %j literally in subject, name and address (tracked=%s)', async (text, tracked, found) => {
    expect(await emails(`?tracked=${tracked}&search=${encodeURIComponent(text)}`)).toEqual(found);
  });

  it.each([
    ['unread=1', 'unread'],
    ['unread=yes', 'unread'],
    ['label=great', 'label'],
    ['label=', 'label'],
    ['tracked=all', 'tracked'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    [`search=${'a'.repeat(101)}`, 'search'],
    ['surprise=1', 'surprise'],
    ['cursor=x', 'cursor'],
  ])('refuses %s', async (query, field) => {
    expectFormB(await mine.api.get(`/v1/inbox?${query}`), 400, 'VALIDATION_ERROR', field);
  });

  it('refuses a cursor of another filter', async () => {
    const { nextCursor } = (await mine.list('?limit=1')).pagination;
    const cursor = encodeURIComponent(nextCursor ?? '');
    for (const other of ['tracked=false', 'unread=true', 'search=a']) {
      expectFormB(await mine.api.get(`/v1/inbox?${other}&cursor=${cursor}`), 400, 'VALIDATION_ERROR', 'cursor');
    }
  });

  it('excludes other workspaces, and requires a key', async () => {
    const theirs = await mine.elsewhere();
    expect((await theirs.list()).data).toEqual([]);
    expect((await theirs.list(`?mailboxId=${google.mailboxId}`)).data).toEqual([]);
    expectFormA(await mine.platform.api.get('/v1/inbox'), 401);
  });
});
