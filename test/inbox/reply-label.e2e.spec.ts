import { ReplyLabelService } from '@domain/inbox';
import { QueuesService } from '@platform/queues';
import { eventually } from '@testing';
import { completion, FAILURES, ModelServer } from '../../libs/adapters/llm/testing';
import { relayed } from '../analytics/happened';
import { dataOf } from '../workspaces/people';
import { type Conversation } from './inbox-responses';
import { Inboxes } from './inboxes';
import { type VendorInbox } from './vendor-inbox';

const KEY = 'sk-canary-key';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 86_400_000;
/** Daily questions of a workspace. Each test uses a day of its own. */
const BUDGET = 3;
/** In a language that the rules do not cover. */
const CZECH = 'To zní skvěle, zavolejte mi prosím zítra dopoledne.';
const BY_RULES = { label: 'other', labelledBy: 'rules', labelReason: 'nothing-recognised' };
const BY_MODEL = { label: 'positive', labelledBy: 'llm', labelReason: 'interest (test-model)' };

interface Timeline {
  totals: { positiveReplied: number };
}

const says = (label: string, reason = 'interest') => completion(JSON.stringify({ label, reason }));

describe('a worker that asks a language model for labels', () => {
  let server: ModelServer;
  let mine: Inboxes;
  let mailbox: VendorInbox;
  let serial = 0;

  beforeAll(async () => {
    server = await ModelServer.start(KEY);
    const env = {
      LLM_BASE_URL: server.baseUrl,
      LLM_API_KEY: KEY,
      LLM_MODEL: 'test-model',
      LLM_TIMEOUT_MS: '2500',
      LLM_DAILY_BUDGET: String(BUDGET),
      // It sends nothing: the sent emails are seeded.
      WORKER_QUEUES: 'reply-label',
    };
    mine = await Inboxes.start({ worker: true, env });
    mailbox = await mine.connect();
  });
  afterAll(async () => {
    await mine.close();
    await server.close();
  });
  beforeEach(() => {
    const { clock } = mine.platform;
    clock.advance(DAY_MS - (clock.now().getTime() % DAY_MS));
    server.asked.length = 0;
    server.otherwise = says('positive');
  });

  /** Asks every question that is due. */
  const questionsAsked = () =>
    eventually('no question is waiting', async () => {
      const queue = mine.platform.app.get(QueuesService, { strict: false }).get('reply-label');
      const counts = await queue.getJobCounts('waiting', 'active', 'prioritized');
      return Object.values(counts).every((jobs) => jobs === 0);
    });
  /** Stores a reply and completes all due work. */
  const answered = async ({ text = CZECH, campaignId }: { text?: string; campaignId?: string } = {}) => {
    const email = `ada-${(serial += 1)}@acme.test`;
    const conversation = await mine.answered(mailbox, email, { text, ...(campaignId !== undefined && { campaignId }) });
    await questionsAsked();
    return conversation;
  };
  /** Advances the clock and runs what is due. */
  const after = async (milliseconds: number): Promise<void> => {
    mine.platform.clock.advance(milliseconds);
    await mine.platform.worker?.get(ReplyLabelService, { strict: false }).sweep();
    await questionsAsked();
  };
  const read = ({ _id }: Conversation) => mine.read(_id);
  const positives = async ({ _id, campaignId }: Conversation) => {
    const events = (await mine.events('email.positive_reply')).filter(
      ({ data }) => (data as { conversationId: string }).conversationId === _id,
    );
    await relayed(mine.platform);
    const timeline = await mine.api.get(`/v1/analytics/campaigns/${campaignId}/timeline`);
    return { recorded: events.length, counted: dataOf<Timeline>(timeline).totals.positiveReplied };
  };

  it('shows the model’s label, which is recorded as an event and counted once', async () => {
    const conversation = await answered();
    expect(await read(conversation)).toMatchObject({ ...BY_MODEL, unread: true });
    expect(await positives(conversation)).toEqual({ recorded: 1, counted: 1 });
    expect(server.keys.at(-1)).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(server.asked[0]?.messages[1]?.content ?? '')).toEqual({ reply: CZECH });
    await after(MINUTE_MS);
    expect(server.asked).toHaveLength(1);
    expect(await positives(conversation)).toEqual({ recorded: 1, counted: 1 });
  });

  it('does not ask about replies that the rules classify with certainty', async () => {
    const conversation = await answered({ text: 'No thanks, not interested.' });
    expect(await read(conversation)).toMatchObject({ label: 'negative', labelledBy: 'rules' });
    await after(MINUTE_MS);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['does not answer in time', 'silence' as const, 30 * SECOND_MS],
    ['fails (500)', { status: 500, body: 'Internal Server Error' }, 30 * SECOND_MS],
    ['answers with invalid JSON', FAILURES.malformed(), 30 * SECOND_MS],
    ['limits its rate (429), after its Retry-After', FAILURES.rate_limited({ 'retry-after': '90' }), 90 * SECOND_MS],
  ])('asks again when the model %s; the label of the rules applies meanwhile', async (_what, answer, pauseMs) => {
    server.next(answer);
    const conversation = await answered();
    expect(server.asked).toHaveLength(1);
    expect(await read(conversation)).toMatchObject(BY_RULES);
    await after(pauseMs - 5 * SECOND_MS);
    expect(server.asked).toHaveLength(1);
    await after(5 * SECOND_MS);
    expect(server.asked).toHaveLength(2);
    expect(await read(conversation)).toMatchObject(BY_MODEL);
    expect(await positives(conversation)).toEqual({ recorded: 1, counted: 1 });
  });

  it('keeps the label of the rules after an invalid label or a refusal, and does not ask again', async () => {
    server.next(
      completion('{"label":"BUY NOW","reason":"interest"}'),
      completion('{"verdict":["positive"]}'),
      FAILURES.refused(),
    );
    const campaignId = await mine.campaign(mailbox.mailboxId);
    const conversations = [
      await answered({ campaignId }),
      await answered({ campaignId }),
      await answered({ campaignId }),
    ];
    await after(MINUTE_MS);
    expect(server.asked).toHaveLength(3);
    for (const one of conversations) {
      expect(await read(one)).toMatchObject(BY_RULES);
      expect(await positives(one)).toEqual({ recorded: 0, counted: 0 });
    }
  });

  it('gives up after three failures, and logs it without the key', async () => {
    server.otherwise = FAILURES.server();
    const conversation = await answered();
    for (const pauseMs of [30 * SECOND_MS, 2 * MINUTE_MS, 60 * MINUTE_MS]) await after(pauseMs);
    expect(server.asked).toHaveLength(3);
    expect(await read(conversation)).toMatchObject(BY_RULES);
    expect(mine.platform.logged()).toContain('The language model gave no label; the label of the rules stays');
    expect(mine.platform.logged()).not.toContain(KEY);
  });

  it('stops at the daily budget; further replies keep the label of the rules permanently', async () => {
    const conversations: Conversation[] = [];
    const campaignId = await mine.campaign(mailbox.mailboxId);
    for (let count = 0; count <= BUDGET; count += 1) conversations.push(await answered({ campaignId }));
    const labels = await Promise.all(conversations.map(async (one) => (await read(one))['labelledBy']));
    expect(labels).toEqual([...Array<string>(BUDGET).fill('llm'), 'rules']);
    expect(server.asked).toHaveLength(BUDGET);
    await after(DAY_MS);
    expect(await read(conversations.at(-1)!)).toMatchObject(BY_RULES);
    expect(await read(await answered({ campaignId }))).toMatchObject(BY_MODEL);
    expect(server.asked).toHaveLength(BUDGET + 1);
  });
});
