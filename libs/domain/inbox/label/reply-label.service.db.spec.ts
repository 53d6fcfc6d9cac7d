import { SuppressionsService } from '@domain/suppressions';
import { QueuesService } from '@platform/queues';
import { completion, FAILURES, ModelServer } from '../../../adapters/llm/testing';
import { ConversationUpdateService } from '../conversations/conversation-update.service';
import { ConversationRecord } from '../schemas/conversation.record';
import { ModelDayRecord } from '../schemas/model-day.record';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';
import { type AskLabel, LabelRequestRepository } from './label-request.repository';
import { ReplyLabelQueue } from './reply-label.queue';
import { MAX_ATTEMPTS, ReplyLabelService } from './reply-label.service';

const ADA = 'ada@acme.test';
const BOB = 'bob@other.test';
/** In a language without rules. */
const CZECH = 'To zní skvěle, zavolejte mi prosím zítra dopoledne.';
const BUDGET = 10;

const says = (label: string, reason = 'interest') => completion(JSON.stringify({ label, reason }));

describe('a language model that labels replies', () => {
  let inbox: InboxFixture;
  let server: ModelServer;

  beforeAll(async () => {
    server = await ModelServer.start();
    inbox = await InboxFixture.open({
      LLM_BASE_URL: server.baseUrl,
      LLM_API_KEY: 'sk-canary-key',
      LLM_MODEL: 'test-model',
      LLM_TIMEOUT_MS: '2500',
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
  /** A reply that waits for the model. */
  const waiting = async (text = CZECH): Promise<Written> => {
    const written = await inbox.written(ADA);
    await inbox.arrives(answerTo(written, text));
    return written;
  };
  const asks = async (): Promise<AskLabel[]> =>
    (await inbox.get(LabelRequestRepository).due()).filter(({ workspaceId }) => workspaceId === inbox.workspaceId);
  const ask = async () => {
    for (const one of await asks()) await inbox.get(ReplyLabelService).label(one);
  };
  const conversation = async () => {
    const [first] = await inbox.conversations();
    if (!first) throw new Error('no conversation');
    return first;
  };
  const positives = async () => (await inbox.events()).filter(({ type }) => type === 'email.positive_reply');

  it('is asked when the rules are uncertain; their label stays until its answer', async () => {
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

  it('receives the new text only: no quote, name, address or subject', async () => {
    const written = await inbox.written(ADA);
    const text = `${CZECH}\n\nOn Tue, Grace wrote:\n> Our secret offer`;
    await inbox.arrives(answerTo(written, text, { subject: 'Re: Secret roadmap' }));
    await ask();
    const shown = server.asked[0]?.messages[1]?.content ?? '';
    expect(JSON.parse(shown)).toEqual({ reply: CZECH });
  });

  it('is not asked when the rules are certain, nor about untracked mail', async () => {
    const [one, other] = await inbox.allWritten([ADA, BOB], await inbox.campaign());
    await inbox.comes(answerTo(one!, 'No thanks, not interested.'));
    await inbox.comes(answerTo(other!, 'Please remove me from your mailing list.', { from: BOB }));
    await inbox.arrives(mail({ from: 'friend@elsewhere.test', subject: 'Ahoj', text: CZECH }));
    const labels = (await inbox.conversations()).map(({ email, tracked, label }) => ({ email, tracked, label }));
    expect(labels.toSorted((a, b) => a.email.localeCompare(b.email))).toEqual([
      { email: ADA, tracked: true, label: 'negative' },
      { email: BOB, tracked: true, label: 'unsubscribe_request' },
      { email: 'friend@elsewhere.test', tracked: false, label: 'other' },
    ]);
    expect(await asks()).toEqual([]);
  });

  it('causes no second event for a lead that replies again or whose job runs twice', async () => {
    const written = await waiting();
    const [first] = await asks();
    const labels = inbox.get(ReplyLabelService);
    await Promise.all([labels.label(first!), labels.label(first!)]);
    await inbox.arrives(answerTo(written, `Ještě jednou: ${CZECH}`));
    await ask();
    expect(await positives()).toHaveLength(1);
    expect((await inbox.stats(written)).stats.positiveReplied).toBe(1);
  });

  it('never overrides a person’s label, even one set during the request', async () => {
    const written = await waiting();
    const [first] = await asks();
    const { _id } = await conversation();
    server.next('silence');
    const asking = inbox.get(ReplyLabelService).label(first!);
    await inbox.get(ConversationUpdateService).update(inbox.workspace, _id.toHexString(), { label: 'negative' });
    await asking;
    await inbox.get(ReplyLabelService).label(first!);
    expect(await conversation()).toMatchObject({ label: 'negative', labelledBy: 'person' });
    await inbox.arrives(answerTo(written, `Ještě jednou: ${CZECH}`));
    expect(await asks()).toEqual([]);
    expect(await positives()).toEqual([]);
  });

  it('labels the last reply only, and its label for an earlier one is discarded', async () => {
    const written = await waiting();
    const [first] = await asks();
    await inbox.arrives(answerTo(written, 'No thanks, not interested.'));
    await inbox.get(ReplyLabelService).label(first!);
    expect(await conversation()).toMatchObject({ label: 'negative', labelledBy: 'rules' });
    expect(server.asked).toEqual([]);
  });

  it('suppresses no address by its label', async () => {
    const written = await waiting();
    server.next(says('unsubscribe_request', 'opt-out'));
    await ask();
    expect(await conversation()).toMatchObject({ label: 'unsubscribe_request', labelledBy: 'llm' });
    expect(await inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, ADA)).toBe(false);
    expect((await inbox.stats(written)).stats.unsubscribed).toBe(0);
  });

  /** One reply per row, each of which waits for the model. */
  const waitingAll = async (count: number) => {
    const emails = Array.from({ length: count }, (_, index) => `ada@company${index}.test`);
    const all = await inbox.allWritten(emails, await inbox.campaign());
    for (const written of all) await inbox.comes(answerTo(written, CZECH, { from: written.send.email }));
    await inbox.look();
    const conversations = new Map((await inbox.conversations()).map(({ email, _id }) => [email, _id.toHexString()]));
    const due = new Map((await asks()).map((one) => [one.conversationId, one]));
    return emails.map((email) => due.get(conversations.get(email)!)!);
  };
  const conversationOf = async ({ conversationId }: AskLabel) => {
    const found = (await inbox.conversations()).find(({ _id }) => _id.equals(conversationId))!;
    const { label, labelledBy, labelRequest } = found;
    return { label, labelledBy, attempts: labelRequest?.attempts ?? null };
  };

  it('leaves the label of the rules after an unusable answer, and is not asked again', async () => {
    const rows = [
      ['another label', says('spam')],
      ['no label', completion('{"verdict":"positive"}')],
      ['a refusal', FAILURES.refused()],
      ['an answer that is cut off', FAILURES.truncated()],
      ['a question that is too long', FAILURES.too_long()],
    ] as const;
    const all = await waitingAll(rows.length);
    for (const [index, [after, answer]] of rows.entries()) {
      server.next(answer);
      await inbox.get(ReplyLabelService).label(all[index]!);
      const left = { after, label: 'other', labelledBy: 'rules', attempts: null };
      expect({ after, ...(await conversationOf(all[index]!)) }).toEqual(left);
    }
    expect(server.asked).toHaveLength(rows.length);
    expect(await positives()).toEqual([]);
  });

  it('is asked again after a temporary failure and a wait', async () => {
    const rows = [
      ['a time-out', 'silence' as const, 30_000],
      ['a fault', FAILURES.server(), 30_000],
      ['a rate limit, as long as that asks for', FAILURES.rate_limited({ 'retry-after': '120' }), 120_000],
      ['an answer that is no JSON', FAILURES.malformed(), 30_000],
      ['a key that is refused', FAILURES.credentials(), 15 * 60_000],
    ] as const;
    const all = await waitingAll(rows.length);
    for (const [index, [after, answer, pauseMs]] of rows.entries()) {
      const one = all[index]!;
      const isDue = async () => (await asks()).some(({ conversationId }) => conversationId === one.conversationId);
      server.next(answer);
      await inbox.get(ReplyLabelService).label(one);
      expect({ after, attempts: (await conversationOf(one)).attempts }).toEqual({ after, attempts: 1 });
      inbox.clock.advance(pauseMs - 1);
      expect({ after, isDue: await isDue() }).toEqual({ after, isDue: false });
      inbox.clock.advance(1);
      expect({ after, isDue: await isDue() }).toEqual({ after, isDue: true });
      await inbox.get(ReplyLabelService).label(one);
      const labelled = { after, label: 'positive', labelledBy: 'llm', attempts: null };
      expect({ after, ...(await conversationOf(one)) }).toEqual(labelled);
    }
  });

  it('is asked three times at most', async () => {
    await waiting();
    server.otherwise = FAILURES.server();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      await ask();
      inbox.clock.advance(3_600_000);
    }
    expect((await conversation()).labelRequest).toBeUndefined();
    expect(await conversation()).toMatchObject({ label: 'other', labelledBy: 'rules' });
    expect(server.asked).toHaveLength(MAX_ATTEMPTS);
  });

  it('costs a workspace no more than its daily budget, even with concurrent requests', async () => {
    const written = await waiting();
    const { _id, leadId } = await conversation();
    await inbox
      .model<ConversationRecord>(ConversationRecord)
      .updateOne({ _id, workspaceId: inbox.workspaceId }, { $set: { 'labelRequest.attempts': -100 } });
    const [first] = await asks();
    server.otherwise = FAILURES.server();
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: BUDGET }, () => inbox.get(ReplyLabelService).label(first!)));
      inbox.clock.advance(60_000);
    }
    expect(server.asked).toHaveLength(BUDGET);
    expect((await conversation()).labelRequest).toBeUndefined();
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
    await inbox.get(QueuesService).get('reply-label').obliterate({ force: true });
    expect(await inbox.get(ReplyLabelService).sweep()).toBe(1);
    expect(await inbox.get(ReplyLabelService).sweep()).toBe(0);
  });
});
