import { InboxRepliesService, ConversationUpdateService, InboxReplyRepository } from '@domain/inbox';
import { MailboxDeletionService } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { DEEP, rounds } from '@testing';
import { mail } from '../../inbox/testing';
import { AgentsService } from '../agents.service';
import { AgentKillSwitchService } from '../kill-switch/agent-kill-switch.service';
import { AgentRepliesService } from './agent-replies.service';
import { ADA, INTERESTED } from './testing/model-answers';
import { AutonomyFixture } from './testing/autonomy-fixture';
import { type AgentReplyState } from './agent-reply-states';

let agents: AutonomyFixture;
let agentId: string;
let conversationId: string;

beforeAll(async () => {
  agents = await AutonomyFixture.open();
});
afterAll(() => agents.close());

/** Runs jobs until the reply has the requested state. */
async function until(state: AgentReplyState | 'claimed', approval: 'auto' | 'required' = 'auto'): Promise<void> {
  await agents.fresh();
  const mode = { approval, delayMinutes: state === 'planned' ? 10 : 0 };
  agentId = (await agents.agent({ mode }))._id.toHexString();
  conversationId = (await agents.answered())._id.toHexString();
  if (state !== 'planned') await agents.work();
  const stored = state === 'claimed' ? 'handed' : state;
  expect(await agents.reply()).toMatchObject({ state: stored });
}

const byHand = () =>
  agents.get(InboxRepliesService).create(agents.workspace, conversationId, { text: 'I write myself' });
const relabelled = (label: 'positive' | 'negative' | null) =>
  agents.get(ConversationUpdateService).update(agents.workspace, conversationId, { label });

/** Actions that forbid an agent to reply, with the cause that the reply records. */
const FORBIDDEN: readonly [name: string, forbid: () => Promise<unknown>, cause: string][] = [
  [
    'the switch of the workspace',
    () => agents.get(AgentKillSwitchService).set(agents.workspace, { off: true }),
    'kill_switch',
  ],
  [
    'the end of its autonomy',
    () => agents.get(AgentsService).update(agents.workspace, agentId, { autonomousMode: { enabled: false } }),
    'agent',
  ],
  ['its deactivation', () => agents.get(AgentsService).update(agents.workspace, agentId, { isActive: false }), 'agent'],
  ['its deletion', () => agents.get(AgentsService).delete(agents.workspace, agentId), 'agent'],
  [
    'labels that are not chosen any more',
    () => agents.get(AgentsService).update(agents.workspace, agentId, { autonomousMode: { labels: ['neutral'] } }),
    'label',
  ],
  ['another label', () => relabelled('negative'), 'label'],
  ['no label', () => relabelled(null), 'label'],
  [
    'a suppression of the address',
    () => agents.get(SuppressionsService).add(agents.workspace, { addresses: [ADA] }, { source: 'manual' }),
    'suppressed',
  ],
  [
    'a suppression of the domain',
    () => agents.get(SuppressionsService).add(agents.workspace, { domains: ['acme.test'] }, { source: 'manual' }),
    'suppressed',
  ],
  ['a person who answers', byHand, 'answered'],
];

const WAITING = ['planned', 'awaiting_approval', 'handed'] as const;

describe.each(WAITING)('a reply that is %s', (state) => {
  // By default each action runs once across the states; TEST_DEPTH=deep runs each action in each state.
  const some = FORBIDDEN.filter((_each, at) => DEEP || WAITING[at % WAITING.length] === state);

  it.each(some)('is withdrawn by %s before that action is acknowledged', async (_name, forbid, cause) => {
    await until(state, state === 'awaiting_approval' ? 'required' : 'auto');
    const asked = agents.model.asked.length;
    await forbid();
    expect(await agents.reply()).toMatchObject({ state: 'cancelled', cause, dueAt: null });
    agents.clock.advance(3_600_000);
    await agents.settle();
    expect(agents.given().filter((raw) => !raw.includes('I write myself'))).toEqual([]);
    expect(agents.model.asked).toHaveLength(asked);
  });
});

describe('a reply that the mailbox sender has claimed', () => {
  it.each(DEEP ? FORBIDDEN : [FORBIDDEN[0]!, ...FORBIDDEN.slice(-2)])(
    'is never submitted to the server after %s',
    async (_name, forbid, cause) => {
      await until('handed');
      const outgoing = agents.get(InboxReplyRepository);
      const toWire = outgoing.markSending.bind(outgoing);
      jest.spyOn(outgoing, 'markSending').mockImplementationOnce(async (...given) => {
        await forbid();
        expect(await agents.reply()).toMatchObject({ state: 'cancelled', cause });
        return toWire(...given);
      });
      await agents.runMailbox();
      await agents.runMailbox();
      expect(agents.given().filter((raw) => !raw.includes('I write myself'))).toEqual([]);
      const own = (await agents.queued()).find(({ agentReplyId }) => agentReplyId !== undefined);
      expect(own).toMatchObject({ state: 'cancelled', agentReplyId: (await agents.reply())._id });
    },
  );
});

describe('a person and an agent who reply to the same message', () => {
  it('refuses the person’s reply during the handover of the agent’s reply', async () => {
    await until('handed');
    const outgoing = agents.get(InboxReplyRepository);
    const toWire = outgoing.markSending.bind(outgoing);
    let refused: unknown;
    jest.spyOn(outgoing, 'markSending').mockImplementationOnce(async (...given) => {
      const isOnWire = await toWire(...given);
      refused = await byHand().catch((error: unknown) => error);
      return isOnWire;
    });
    await agents.runMailbox();
    expect(refused).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('read the conversation again') as string,
    });
    agents.clock.advance(10_000);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'sent' });
    expect(await agents.queued()).toHaveLength(1);
    await expect(byHand()).resolves.toMatchObject({ status: 'queued' });
  });

  it('sends exactly one of two concurrent replies, in many rounds', async () => {
    for (let round = 0; round < rounds(5, 2); round += 1) {
      await until('awaiting_approval', 'required');
      const { _id } = await agents.reply();
      await agents.get(AgentRepliesService).approve(agents.workspace, _id.toHexString());
      await Promise.all([agents.work(), byHand()]);
      await agents.runMailbox();
      expect(agents.given()).toHaveLength(1);
      expect(agents.given()[0]).toContain('I write myself');
    }
  });

  it('plans no agent reply after a person has replied, and does not generate a planned one', async () => {
    await agents.fresh();
    await agents.agent({ mode: { labels: ['negative'] } });
    conversationId = (await agents.answered())._id.toHexString();
    await byHand();
    await relabelled('negative');
    expect(await agents.replies()).toEqual([]);
  });

  it('leaves a later message to the person while their reply is queued', async () => {
    await agents.fresh();
    await agents.agent();
    conversationId = (await agents.answered('Who are you?'))._id.toHexString();
    await byHand();
    agents.clock.advance(60_000);
    await agents.says({ send: await agents.send() }, INTERESTED);
    expect(await agents.replies()).toEqual([]);
    await agents.settle();
    expect(agents.given()).toHaveLength(1);
    await relabelled('positive');
    expect(await agents.replies()).toEqual([]);
  });

  it('resumes the agent at the next message', async () => {
    await agents.fresh();
    await agents.agent();
    const written = await agents.inbox.written(ADA);
    await agents.says(written, INTERESTED);
    conversationId = (await agents.inbox.conversations())[0]!._id.toHexString();
    await byHand();
    await agents.runMailbox();
    agents.clock.advance(60_000);
    await agents.says(written, 'Great, I am interested, please send me prices and call me.');
    await agents.settle();
    expect((await agents.replies()).map(({ state }) => state)).toEqual(['cancelled', 'sent']);
  });
});

describe('a label', () => {
  it('restarts the agent reply once when the same label is chosen again', async () => {
    await until('handed');
    await relabelled('negative');
    await agents.get(ConversationUpdateService).update(agents.workspace, conversationId, { label: 'positive' });
    expect(await agents.reply()).toMatchObject({ state: 'planned', text: null, replyId: null, cause: null });
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'sent' });
    expect(agents.given()).toHaveLength(1);
  });

  it('leaves messages after a person’s label to people until a new label', async () => {
    const texts = ['Thank you, but please do not contact me again.', 'No thanks, we are not interested.', INTERESTED];
    const emails = texts.map((_text, at) => `ada-${at}@acme.test`);
    await agents.fresh();
    await agents.agent();
    const written = await agents.inbox.allWritten(emails, await agents.inbox.campaign());
    const say = async (words: readonly string[]) => {
      for (const [at, { send }] of written.entries()) {
        const [from, inReplyTo] = [send.email, send.messageId];
        await agents.inbox.comes(mail({ from, inReplyTo, text: words[at] ?? '' }));
      }
      await agents.inbox.look();
    };
    await say(texts.map(() => 'Who are you?'));
    for (const { _id } of await agents.inbox.conversations()) {
      await agents.get(ConversationUpdateService).update(agents.workspace, _id.toHexString(), { label: 'positive' });
    }
    await agents.settle();
    const given = () => agents.given().map((raw) => /^To: .*?(ada-\d@acme\.test)/m.exec(raw)?.[1]);
    expect(new Set(given())).toEqual(new Set(emails));
    expect(given()).toHaveLength(emails.length);
    await say(texts);
    await agents.settle();
    expect((await agents.inbox.conversations()).map(({ messageCount }) => messageCount)).toEqual([3, 3, 3]);
    expect(await agents.replies()).toHaveLength(texts.length);
    expect(given()).toHaveLength(texts.length);
  });

  it('starts a reply to a later message that a person labels', async () => {
    await agents.fresh();
    await agents.agent({ mode: { delayMinutes: 10 } });
    conversationId = (await agents.answered('Who are you?'))._id.toHexString();
    const label = () =>
      agents.get(ConversationUpdateService).update(agents.workspace, conversationId, { label: 'positive' });
    await label();
    await agents.says({ send: await agents.send() }, INTERESTED);
    expect(await agents.reply()).toMatchObject({ state: 'cancelled', cause: 'newer' });
    await label();
    expect((await agents.replies()).map(({ state }) => state)).toEqual(['cancelled', 'planned']);
  });

  it('keeps the agent reply when the new label is also enabled', async () => {
    await agents.fresh();
    await agents.agent({ mode: { labels: ['positive', 'neutral'], delayMinutes: 10 } });
    conversationId = (await agents.answered())._id.toHexString();
    await agents.get(ConversationUpdateService).update(agents.workspace, conversationId, { label: 'neutral' });
    expect(await agents.reply()).toMatchObject({ state: 'planned', label: 'neutral' });
  });
});

describe('a new message of the lead', () => {
  it.each(['planned', 'handed'] as const)('withdraws a %s reply to the previous message', async (state) => {
    await until(state);
    await agents.says({ send: await agents.send() }, 'One more thing: I am interested, please call me tomorrow.');
    const [first, second] = await agents.replies();
    expect(first).toMatchObject({ state: 'cancelled', cause: 'newer' });
    expect(second).toMatchObject({ state: 'planned' });
    agents.clock.advance(3_600_000);
    await agents.settle();
    expect(agents.given()).toHaveLength(1);
  });
});

it('expires a queued reply when the mailbox cannot send', async () => {
  await until('awaiting_approval', 'required');
  await agents.get(MailboxDeletionService).delete(agents.workspace, agents.inbox.mailbox._id.toHexString(), {
    force: 'true',
  });
  await agents.get(AgentRepliesService).approve(agents.workspace, (await agents.reply())._id.toHexString());
  await agents.work();
  expect(await agents.reply()).toMatchObject({ state: 'scheduled', cause: 'mailbox' });
  agents.clock.advance(8 * 86_400_000);
  await agents.work();
  expect(await agents.reply()).toMatchObject({
    state: 'expired',
    reason: expect.stringContaining('deleted') as string,
  });
  expect(await agents.queued()).toEqual([]);
});
