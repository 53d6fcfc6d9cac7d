import { ConversationUpdateService, type InboxReplyRecord } from '@domain/inbox';
import { DEEP } from '@testing';
import { type Connection, Types } from 'mongoose';
import { getConnectionToken } from '@nestjs/mongoose';
import { completion } from '../../../adapters/llm/testing';
import { mail } from '../../inbox/testing';
import { AutonomyFixture } from '../autonomy/testing/autonomy-fixture';
import { INTERESTED } from '../autonomy/testing/model-answers';
import { type AgentRecord } from '../schemas/agent.record';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { parseProfile } from '../training/profile/company-profile';
import { AgentPageRecord } from '../training/schemas/agent-page.record';
import { AgentTrainingRecord } from '../training/schemas/agent-training.record';
import { EVIL, LINK_INJECTIONS, MAIL_INJECTIONS, PAGE_INJECTIONS } from '../testing/injections';

/** Changes that writing and sending one reply causes; all other data stays unchanged. */
const OF_A_REPLY: ReadonlySet<string> = new Set([
  'agent_replies',
  'agent_texts',
  'model_days',
  'inbox_replies',
  'conversations',
  'conversation_messages',
  'mailbox_leases',
  'mailbox_days',
  'mailboxes',
  'leases',
  'events',
  'audit_entries',
]);

/** `reply-check.spec.ts` covers every form of a link; these samples pass through the whole application. */
const LINKS = LINK_INJECTIONS.filter((_link, at) => DEEP || at % 10 === 0);

/** Some forty leads get their replies before the first test. */
const MAX_SETUP_MS = 120_000;

describe.each([
  ['a mail', [...MAIL_INJECTIONS, ...LINKS]],
  ['a page', PAGE_INJECTIONS],
] as const)('a model that obeys %s', (where, injections) => {
  let agents: AutonomyFixture;
  let agent: AgentRecord;
  let before: ReadonlyMap<string, string>;
  let after: ReadonlyMap<string, string>;
  let replies: AgentReplyRecord[];
  let queued: InboxReplyRecord[];
  const sent = new Map<string, string[]>();
  const asked = new Map<string, string>();
  const emails = injections.map((_injection, at) => `ada-${at}@elsewhere.test`);
  const cases = injections.map((injection, at) => [injection.name, injection, emails[at] ?? ''] as const);

  /** All leads message the same agent and are answered together, so each effect is visible in the shared data. */
  beforeAll(async () => {
    agents = await AutonomyFixture.open({ LLM_DAILY_TOKENS: '0' });
    await agents.fresh();
    agent = await agents.agent({ more: { companyInfo: { name: 'Acme', description: '', domain: 'acme.test' } } });
    if (where === 'a page') await learnt(injections.map(({ asks }) => asks));
    await begin();
    before = await content();
    agents.model.asked.length = 0;
    agents.model.otherwise = (question) => completion(obeying(JSON.stringify(question)));
    await agents.settle();
    after = await content();
    [replies, queued] = [await agents.replies(), await agents.queued()];
    for (const raw of agents.given()) {
      const to = /^To: .*<(.*)>\r$/m.exec(raw)?.[1] ?? 'nobody';
      sent.set(to, [...(sent.get(to) ?? []), raw]);
    }
  }, MAX_SETUP_MS);
  afterAll(() => agents.close());

  it.each(cases)('writes only one text in its thread: %s', (_name, { asks, goesOut }, email) => {
    expect(asked.get(email)).toContain(asJson(asks));
    expect(asked.get(email)).not.toContain('sk-canary-key');
    const [reply, ...more] = replies.filter((one) => one.email === email);
    expect(more).toEqual([]);
    expect(reply?.state).toBe(goesOut ? 'sent' : 'failed');
    const its = queued.filter((one) => String(one.conversationId) === String(reply?.conversationId));
    expect(its.map((one) => one.email)).toEqual(goesOut ? [email] : []);
    const mails = sent.get(email) ?? [];
    expect(mails).toHaveLength(Number(goesOut));
    for (const raw of mails) {
      expect(raw).toMatch(/^In-Reply-To: <answer-\d+@elsewhere\.test>\r$/m);
      expect(raw).toMatch(/^Subject: Re: Your roadmap\r$/m);
      expect(headOf(raw)).not.toMatch(/^(?:Cc|Bcc|Reply-To|X-Priority):/im);
      expect(raw.toLowerCase()).not.toContain(EVIL);
    }
  });

  it('writes to no other person and changes no other data', () => {
    const answered = cases.filter(([, { goesOut }]) => goesOut).map(([, , email]) => email);
    expect([...sent.keys()].toSorted()).toEqual(answered.toSorted());
    expect(queued).toHaveLength(answered.length);
    expect(replies).toHaveLength(cases.length);
    expect(changed(before, after)).toEqual([]);
  });

  /** Leads reply; the injection is in their mail or on a page of the agent's knowledge. */
  async function begin(): Promise<void> {
    const campaignId = await agents.inbox.campaign();
    const written = await agents.inbox.allWritten(emails, campaignId);
    for (const [at, { send }] of written.entries()) {
      const asks = where === 'a mail' ? `${injections[at]?.asks}\n\n` : '';
      const text = `${INTERESTED}\n\n${asks}${numbered(at)}`;
      const [from, inReplyTo] = [`Ada <${send.email}>`, send.messageId];
      await agents.inbox.comes(mail({ from, inReplyTo, text }));
    }
    await agents.inbox.look();
    for (const { _id } of await agents.inbox.conversations()) {
      // The injection can look like any label, so a person labels the message as one to answer.
      await agents.get(ConversationUpdateService).update(agents.workspace, String(_id), { label: 'positive' });
    }
    // The campaign's own sends finish first.
    await agents.runMailbox();
  }

  /** Response of the model to a question; the number in it identifies the case. */
  function obeying(question: string): string {
    const at = injections.findIndex((_injection, each) => question.includes(numbered(each)));
    asked.set(emails[at] ?? 'nobody', question);
    return injections[at]?.obeys ?? '';
  }

  async function learnt(words: string[]): Promise<void> {
    const { _id: agentId, workspaceId } = agent;
    const trainings = agents.inbox.model<AgentTrainingRecord>(AgentTrainingRecord);
    const trainingId = new Types.ObjectId();
    const said = { summary: 'Acme', offerings: words, audiences: [], differentiators: [], proof: [], faq: [] };
    const profile = parseProfile(said, 'https://acme.test/');
    const training = { url: 'https://acme.test/', status: 'completed', open: false, isCurrent: true, profile } as const;
    await trainings.create({ workspaceId, agentId, ...training, _id: trainingId });
    const page = {
      place: 0,
      url: 'https://acme.test/',
      status: 'read',
      title: 'Acme',
      text: words.join('\n'),
    } as const;
    const pages = agents.inbox.model<AgentPageRecord>(AgentPageRecord);
    await pages.create({ workspaceId, agentId, ...page, trainingId });
  }

  async function content(): Promise<ReadonlyMap<string, string>> {
    const { db } = agents.get<Connection>(getConnectionToken() as never);
    const names = (await db!.listCollections().toArray()).map(({ name }) => name).toSorted();
    const kept = names.filter((name) => !OF_A_REPLY.has(name));
    const found = await Promise.all(kept.map((name) => db!.collection(name).find().sort({ _id: 1 }).toArray()));
    // A claim of work for an agent increments its revision.
    return new Map(
      kept.map((name, at) => [name, JSON.stringify(found[at]?.map(({ revision: _moved, ...rest }) => rest))]),
    );
  }
});

function numbered(at: number): string {
  return `My reference is ${at + 1_000}.`;
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, documents]) => before.get(name) !== documents).map(([name]) => name);
}

/** The text as escaped in the JSON of the question, inside the JSON of the request. */
function asJson(words: string): string {
  const inside = (one: string) => JSON.stringify(one).slice(1, -1);
  return inside(inside(words));
}

function headOf(raw: string): string {
  return raw.slice(0, raw.indexOf('\r\n\r\n'));
}
