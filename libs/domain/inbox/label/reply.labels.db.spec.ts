import { Suppressions } from '@domain/suppressions';
import { Queues } from '@platform/queues';
import { completion, FAILURES, ModelServer } from '../../../adapters/llm/testing';
import { ConversationUpdate } from '../conversations/conversation.update.service';
import { ConversationRecord } from '../schemas/conversation.record';
import { ModelDayRecord } from '../schemas/model-day.record';
import { InboxFixture, type Written } from '../testing/inbox.fixture';
import { mail } from '../testing/mails';
import { type AskLabel, LabelWaiting } from './label.waiting.service';
import { ReplyLabelQueue } from './reply-label.queue';
import { MOST_ATTEMPTS, ReplyLabels } from './reply.labels.service';

const ADA = 'ada@acme.test';
/** In a language that no rule knows. */
const CZECH = 'To zní skvěle, zavolejte mi prosím zítra dopoledne.';
const BUDGET = 5;

const says = (label: string, reason = 'interest') => completion(JSON.stringify({ label, reason }));

describe('a language model that labels answers', () => {
  let inbox: InboxFixture;
  let server: ModelServer;

  beforeAll(async () => {
    server = await ModelServer.start();
    inbox = await InboxFixture.open({
      LLM_BASE_URL: server.baseUrl,
      LLM_API_KEY: 'sk-canary-key',
      LLM_MODEL: 'test-model',
      LLM_TIMEOUT_MS: '1000',
      LLM_DAILY_BUDGET: String(BUDGET),
    });
  });
  afterAll(async () => {
    await inbox.close();
    await server.close();
  });
  beforeEach(async () => {
    await inbox.fresh();
    server.asked.length = 0;
    server.otherwise = says('positive');
  });

  const answerTo = ({ send }: Written, text: string, more: Partial<Parameters<typeof mail>[0]> = {}) =>
    mail({ from: `Ada <${ADA}>`, inReplyTo: send.messageId, text, ...more });
  /** An answer that waits for the model. */
  const waiting = async (text = CZECH): Promise<Written> => {
    const written = await inbox.written(ADA);
    await inbox.arrives(answerTo(written, text));
    return written;
  };
  const asks = async (): Promise<AskLabel[]> =>
    (await inbox.get(LabelWaiting).due()).filter(({ workspaceId }) => workspaceId === inbox.workspaceId);
  const ask = async () => {
    for (const one of await asks()) await inbox.get(ReplyLabels).label(one);
  };
  const conversation = async () => {
    const [first] = await inbox.conversations();
    if (!first) throw new Error('no conversation');
    return first;
  };
  const positives = async () => (await inbox.events()).filter(({ type }) => type === 'email.positive_reply');
  const attempts = async () => (await conversation()).labelAsk?.attempts;

  it('is asked for what the rules are not certain of, whose label stands until then', async () => {
    const written = await waiting();
    expect(await conversation()).toMatchObject({
      label: 'other',
      labelledBy: 'rules',
      labelReason: 'nothing-recognised',
    });
    await ask();
    expect(await conversation()).toMatchObject({
      label: 'positive',
      labelledBy: 'llm',
      labelReason: 'interest (test-model)',
    });
    expect(await positives()).toMatchObject([{ data: { labelledBy: 'llm', email: ADA, firstOfLead: true } }]);
    expect((await inbox.stats(written)).stats.positiveReplied).toBe(1);
    expect(await asks()).toEqual([]);
  });

  it('is shown the new text alone: no quote, no name, no address, no subject', async () => {
    const written = await inbox.written(ADA);
    const text = `${CZECH}\n\nOn Tue, Grace wrote:\n> Our secret offer`;
    await inbox.arrives(answerTo(written, text, { subject: 'Re: Secret roadmap' }));
    await ask();
    const shown = server.asked[0]?.messages[1]?.content ?? '';
    expect(JSON.parse(shown)).toEqual({ reply: CZECH });
  });

  it.each([
    ['certain', 'No thanks, not interested.'],
    ['an opt-out', 'Please remove me from your mailing list.'],
  ])('is not asked when the rules are certain: %s', async (_name, text) => {
    await waiting(text);
    expect(await asks()).toEqual([]);
  });

  it('is not asked about mail that answers nothing of ours', async () => {
    await inbox.arrives(mail({ from: 'friend@elsewhere.test', subject: 'Ahoj', text: CZECH }));
    expect(await inbox.conversations()).toMatchObject([{ tracked: false, label: 'other' }]);
    expect(await asks()).toEqual([]);
  });

  it('tells of a lead that answers again, or whose job runs twice, no second time', async () => {
    const written = await waiting();
    const [first] = await asks();
    const labels = inbox.get(ReplyLabels);
    await Promise.all([labels.label(first!), labels.label(first!)]);
    await inbox.arrives(answerTo(written, `Ještě jednou: ${CZECH}`));
    await ask();
    expect(await positives()).toHaveLength(1);
    expect((await inbox.stats(written)).stats.positiveReplied).toBe(1);
  });

  it('never overrules a person, who may label while it is being asked', async () => {
    const written = await waiting();
    const [first] = await asks();
    const { _id } = await conversation();
    server.next('silence');
    const asking = inbox.get(ReplyLabels).label(first!);
    await inbox.get(ConversationUpdate).update(inbox.workspace, _id.toHexString(), { label: 'negative' });
    await asking;
    await inbox.get(ReplyLabels).label(first!);
    expect(await conversation()).toMatchObject({ label: 'negative', labelledBy: 'person' });
    await inbox.arrives(answerTo(written, `Ještě jednou: ${CZECH}`));
    expect(await asks()).toEqual([]);
    expect(await positives()).toEqual([]);
  });

  it('speaks of the last answer only: what it says of an earlier one comes to nothing', async () => {
    const written = await waiting();
    const [first] = await asks();
    await inbox.arrives(answerTo(written, 'No thanks, not interested.'));
    await inbox.get(ReplyLabels).label(first!);
    expect(await conversation()).toMatchObject({ label: 'negative', labelledBy: 'rules' });
    expect(server.asked).toEqual([]);
  });

  it('suppresses nobody by its word', async () => {
    const written = await waiting();
    server.next(says('unsubscribe_request', 'opt-out'));
    await ask();
    expect(await conversation()).toMatchObject({ label: 'unsubscribe_request', labelledBy: 'llm' });
    expect(await inbox.get(Suppressions).isSuppressed(inbox.workspaceId, ADA)).toBe(false);
    expect((await inbox.stats(written)).stats.unsubscribed).toBe(0);
  });

  it.each([
    ['another label', says('spam')],
    ['no label', completion('{"verdict":"positive"}')],
    ['a refusal', FAILURES.refused()],
    ['an answer that is cut off', FAILURES.truncated()],
    ['a question that is too long', FAILURES.too_long()],
  ])('leaves the label of the rules after %s, and is not asked again', async (_name, answer) => {
    await waiting();
    server.next(answer);
    await ask();
    expect(await conversation()).toMatchObject({ label: 'other', labelledBy: 'rules' });
    expect((await conversation()).labelAsk).toBeUndefined();
    expect(await positives()).toEqual([]);
  });

  it.each([
    ['a time-out', 'silence' as const, 30_000],
    ['a fault', FAILURES.server(), 30_000],
    ['a rate limit, as long as that asks for', FAILURES.rate_limited({ 'retry-after': '120' }), 120_000],
    ['an answer that is no JSON', FAILURES.malformed(), 30_000],
    ['a key that is refused', FAILURES.credentials(), 15 * 60_000],
  ])('is asked again after %s', async (_name, answer, pauseMs) => {
    await waiting();
    server.next(answer);
    await ask();
    expect(await attempts()).toBe(1);
    inbox.clock.advance(pauseMs - 1);
    expect(await asks()).toEqual([]);
    inbox.clock.advance(1);
    await ask();
    expect(await conversation()).toMatchObject({ label: 'positive', labelledBy: 'llm' });
  });

  it('is given up after three attempts', async () => {
    await waiting();
    server.otherwise = FAILURES.server();
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      await ask();
      inbox.clock.advance(3_600_000);
    }
    expect((await conversation()).labelAsk).toBeUndefined();
    expect(await conversation()).toMatchObject({ label: 'other', labelledBy: 'rules' });
    expect(server.asked).toHaveLength(MOST_ATTEMPTS);
  });

  it('costs a workspace no more than its budget of the day, however many are asked at once', async () => {
    const written = await waiting();
    const { _id, leadId } = await conversation();
    await inbox
      .model<ConversationRecord>(ConversationRecord)
      .updateOne({ _id, workspaceId: inbox.workspaceId }, { $set: { 'labelAsk.attempts': -100 } });
    const [first] = await asks();
    server.otherwise = FAILURES.server();
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: BUDGET }, () => inbox.get(ReplyLabels).label(first!)));
      inbox.clock.advance(60_000);
    }
    expect(server.asked).toHaveLength(BUDGET);
    expect((await conversation()).labelAsk).toBeUndefined();
    server.otherwise = says('positive');
    inbox.clock.advance(86_400_000);
    await inbox.arrives(answerTo(written, `Ještě jednou: ${CZECH}`));
    await ask();
    expect(await conversation()).toMatchObject({ leadId, labelledBy: 'llm' });
    const days = await inbox
      .model<ModelDayRecord>(ModelDayRecord)
      .find({ workspaceId: inbox.workspaceId })
      .sort({ day: 1 })
      .lean();
    expect(days).toMatchObject([
      { questions: BUDGET, inputTokens: 0, outputTokens: 0 },
      { questions: 1, inputTokens: 31, outputTokens: 5 },
    ]);
  });

  it('is asked by a job that the sweep adds again when Redis has lost it', async () => {
    await waiting();
    const queue = inbox.get(ReplyLabelQueue);
    const [first] = await asks();
    expect(await queue.addMissing(first!)).toBe(false);
    await inbox.get(Queues).get('reply-label').obliterate({ force: true });
    expect(await inbox.get(ReplyLabels).sweep()).toBe(1);
    expect(await inbox.get(ReplyLabels).sweep()).toBe(0);
  });
});
