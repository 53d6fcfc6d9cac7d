import { ConversationUpdate } from '@domain/inbox';
import { type Connection, Types } from 'mongoose';
import { getConnectionToken } from '@nestjs/mongoose';
import { completion } from '../../../adapters/llm/testing';
import { AutonomyFixture, INTERESTED } from '../autonomy/testing/autonomy.fixture';
import { type AgentRecord } from '../schemas/agent.record';
import { profileOf } from '../training/profile/company.profile';
import { AgentPageRecord } from '../training/schemas/agent-page.record';
import { AgentTrainingRecord } from '../training/schemas/agent-training.record';
import { EVIL, type Injection, MAIL_INJECTIONS, PAGE_INJECTIONS } from '../testing/injections';

/** What writing and sending one reply writes; everything else is as it was. */
const OF_A_REPLY: ReadonlySet<string> = new Set([
  'agent_replies',
  'agent_texts',
  'model_days',
  'inbox_replies',
  'conversations',
  'conversation_messages',
  'mailbox_turns',
  'mailbox_days',
  'mailboxes',
  'leases',
  'events',
  'audit_entries',
]);

describe.each([
  ['a mail', MAIL_INJECTIONS],
  ['a page', PAGE_INJECTIONS],
] as const)('a model that does what %s tells it', (where, injections) => {
  let agents: AutonomyFixture;
  let agent: AgentRecord;
  let campaignId: string;
  let serial = 0;

  beforeAll(async () => {
    agents = await AutonomyFixture.open({ LLM_DAILY_TOKENS: '0' });
    await agents.fresh();
    agent = await agents.agent({ more: { companyInfo: { name: 'Acme', description: '', domain: 'acme.test' } } });
    campaignId = await agents.inbox.campaign();
  });
  afterAll(() => agents.close());

  it.each(injections.map((injection) => [injection.name, injection] as const))(
    'does nothing but write one text in its thread: %s',
    async (_name, injection) => {
      const email = await begin(injection);
      const [before, sentBefore] = [await content(), agents.given().length];
      agents.model.asked.length = 0;
      agents.model.otherwise = completion(injection.obeys);
      await agents.settle();
      const asked = JSON.stringify(agents.model.asked);
      expect(asked).toContain(asJson(injection.asks));
      expect(asked).not.toContain('sk-canary-key');
      expect(changed(before, await content())).toEqual([]);
      await expectOneTextAtMost(injection, email, sentBefore);
    },
  );

  /** Somebody answers, and the words are in their mail or on a page that the agent has learnt from. @returns who answers */
  async function begin({ asks }: Injection): Promise<string> {
    const email = `ada-${(serial += 1)}@elsewhere.test`;
    const isMail = where === 'a mail';
    if (!isMail) await learnt(asks);
    const written = await agents.inbox.written(email, {}, campaignId);
    await agents.says(written, isMail ? `${INTERESTED}\n\n${asks}` : INTERESTED, email);
    const conversation = (await agents.inbox.conversations()).find((one) => one.email === email);
    // Whatever the rules take such words for: a person has said that it is to be answered.
    const id = String(conversation?._id);
    await agents.get(ConversationUpdate).update(agents.workspace, id, { label: 'positive' });
    // What the campaign itself has to do is done before.
    await agents.turn();
    return email;
  }

  async function learnt(words: string): Promise<void> {
    const { _id: agentId, workspaceId } = agent;
    const trainings = agents.inbox.model<AgentTrainingRecord>(AgentTrainingRecord);
    await trainings.deleteMany({ workspaceId, agentId });
    const trainingId = new Types.ObjectId();
    const said = { summary: words, offerings: [words], audiences: [], differentiators: [], proof: [], faq: [] };
    const profile = profileOf(said, 'https://acme.test/');
    const training = { url: 'https://acme.test/', status: 'completed', open: false, isCurrent: true, profile } as const;
    await trainings.create({ workspaceId, agentId, ...training, _id: trainingId });
    const page = { place: 0, url: 'https://acme.test/', status: 'read', title: 'Acme', text: words } as const;
    const pages = agents.inbox.model<AgentPageRecord>(AgentPageRecord);
    await pages.create({ workspaceId, agentId, ...page, trainingId });
  }

  async function expectOneTextAtMost({ goesOut }: Injection, email: string, sentBefore: number): Promise<void> {
    const mails = agents.given().slice(sentBefore);
    expect(mails).toHaveLength(Number(goesOut));
    const [reply, ...more] = (await agents.replies()).filter((one) => one.email === email);
    expect(more).toEqual([]);
    expect(reply?.state).toBe(goesOut ? 'sent' : 'failed');
    const queued = (await agents.queued()).filter(
      (one) => String(one.conversationId) === String(reply?.conversationId),
    );
    expect(queued.map((one) => one.email)).toEqual(goesOut ? [email] : []);
    for (const raw of mails) {
      expect(/^To: .*$/m.exec(raw)?.[0]).toContain(`<${email}>`);
      expect(raw).toMatch(/^In-Reply-To: <answer-\d+@elsewhere\.test>\r$/m);
      expect(raw).toMatch(/^Subject: Re: Your roadmap\r$/m);
      expect(headOf(raw)).not.toMatch(/^(?:Cc|Bcc|Reply-To|X-Priority):/im);
      expect(raw.toLowerCase()).not.toContain(EVIL);
    }
  }

  async function content(): Promise<ReadonlyMap<string, string>> {
    const { db } = agents.get<Connection>(getConnectionToken() as never);
    const names = (await db!.listCollections().toArray()).map(({ name }) => name).toSorted();
    const kept = names.filter((name) => !OF_A_REPLY.has(name));
    const found = await Promise.all(kept.map((name) => db!.collection(name).find().sort({ _id: 1 }).toArray()));
    // Who begins something for an agent moves its revision on.
    return new Map(
      kept.map((name, at) => [name, JSON.stringify(found[at]?.map(({ revision: _moved, ...rest }) => rest))]),
    );
  }
});

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, documents]) => before.get(name) !== documents).map(([name]) => name);
}

/** As it stands in the JSON of the question, which stands in the JSON of the request. */
function asJson(words: string): string {
  const inside = (one: string) => JSON.stringify(one).slice(1, -1);
  return inside(inside(words));
}

function headOf(raw: string): string {
  return raw.slice(0, raw.indexOf('\r\n\r\n'));
}
