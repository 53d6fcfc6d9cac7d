import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eventually, mailSandbox, writesGolden } from '@testing';
import { completion, ModelServer } from '../../libs/adapters/llm/testing';
import { Agents, COST } from '../agents/agents';
import { type AgentReply, AgentReplies } from '../agents/replies';
import { activated, newCampaign } from '../campaigns/campaigns';
import { acceptedFrom, type AcceptedMail, type Platform, startPlatform, violations } from '../harness';
import { type Conversation, type ConversationDetail } from '../inbox/inbox-responses';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

const KEY = 'sk-canary-key';
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };
const ANSWER =
  'Hello,\n\nthank you for your interest. Tuesday at ten would suit us well; does that suit you, too?\n\nGrace';
/** The documented example; `WRITE_GOLDEN=1` writes it. */
const DOCUMENT = resolve('docs/reference/agent-reply-transcript.md');
const TRANSCRIPT = /<!-- transcript -->[^]*?<!-- end of transcript -->/;

interface Draft {
  text: string;
  promptVersion: string;
  model: string;
}

describe('a reply to a campaign and an agent’s answer, on the sandbox', () => {
  // A fixed address: the sandbox chooses its reply and its sender name by the address.
  const prospect = 'reply-positive.transcript@prospects.test';
  const lines: string[] = [];
  let model: ModelServer;
  let platform: Platform;
  let agents: Agents;
  let replies: AgentReplies;
  let agentId: string;
  let mailbox: Mailbox;
  let conversation: ConversationDetail;

  beforeAll(async () => {
    model = await ModelServer.start(KEY);
    // The response to every request, including those for labels.
    model.otherwise = completion(JSON.stringify({ refuse: false, reason: 'none', text: ANSWER }));
    const llm = { LLM_BASE_URL: model.baseUrl, LLM_API_KEY: KEY, LLM_MODEL: 'test-model' };
    platform = await startPlatform({ worker: true, env: llm });
    agents = await Agents.of(platform, COST);
    replies = new AgentReplies(agents);
    const { workspace } = agents;
    mailbox = await connected(platform, workspace, { displayName: 'Grace', sendGapSeconds: 0, dailySendLimit: 100 });
    await platform.listen();
    agentId = (await agents.make({ companyInfo: { name: 'Acme', description: 'Heat pumps for old houses' } }))._id;
    const autonomousMode = { enabled: true, labels: ['positive'], delayMinutes: 0, approval: 'required' };
    await agents.update(agentId, { autonomousMode });
    const campaign = await newCampaign(platform, workspace, {
      mailboxes: [mailbox._id],
      emailIntervalMinutes: 0,
      sendingSchedule: ALWAYS,
      sequence: [{ subject: 'Your roadmap', body: '<p>May I show you how it works?</p>' }],
    });
    const leads = { leads: [{ email: prospect }] };
    await agents.api.post(`/v1/campaigns/${campaign._id}/leads`).send(leads).expect(201);
    await activated(platform, workspace.workspaceId, campaign._id);
  });
  afterAll(async () => {
    await platform.close();
    await model.close();
  });

  const given = async (): Promise<AcceptedMail[]> =>
    (await acceptedFrom(new Set([mailbox.email]))).filter((mail) => mail.to.join() === prospect);
  const only = async (): Promise<AgentReply> => {
    const [reply, ...more] = await replies.list();
    if (!reply || more.length > 0) throw new Error(`There are ${more.length + (reply ? 1 : 0)} replies`);
    return reply;
  };
  const mailOf = async ({ queueId }: AcceptedMail) => {
    const response = await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}`);
    const { headers } = (await response.json()) as { headers: { name: string; value: string }[] };
    return (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value ?? '';
  };
  const addSection = (title: string, body: string) =>
    lines.push(`${title}\n\n${body.replace(/^(?=.)/gm, '    ').trimEnd()}`);

  it('gets a draft on request, which is not sent', async () => {
    await eventually(
      'the reply has arrived',
      async () => dataOf<Conversation[]>(await agents.api.get('/v1/inbox')).length > 0,
    );
    const [listed] = dataOf<Conversation[]>(await agents.api.get('/v1/inbox'));
    conversation = dataOf<ConversationDetail>(await agents.api.get(`/v1/inbox/${listed!._id}`));
    expect(conversation).toMatchObject({ label: 'positive', email: prospect });
    const said = conversation.messages.find(({ kind }) => kind === 'reply')!;
    addSection(
      'The lead replies; the rules of the inbox label the reply `positive`:',
      `Subject: ${said.subject}\n\n${said.text ?? ''}`,
    );
    const asked = { conversationId: conversation._id, instructions: 'Offer Tuesday at ten.' };
    const response = await agents.api.post(`/v1/agents/${agentId}/draft`).send(asked).expect(201);
    const { text, promptVersion, model: name } = dataOf<Draft>(response);
    expect(text).toBe(ANSWER);
    addSection(
      '`POST /v1/agents/{id}/draft {conversationId, instructions: "Offer Tuesday at ten."}` returns a draft and sends nothing:',
      [`model: ${name}, promptVersion: ${promptVersion}`, '', text].join('\n'),
    );
    expect(await given()).toHaveLength(1);
  });

  it('gets an answer by the agent, which awaits approval', async () => {
    await eventually('the reply awaits approval', async () => {
      await platform.tick();
      return (await only()).state === 'awaiting_approval';
    });
    const { state, label, text, attempts } = await only();
    addSection(
      'In autonomous mode the agent writes a reply too, which waits for approval (`GET /v1/agents/replies?state=awaiting_approval`):',
      [`state: ${state}, label: ${String(label)}, attempts: ${String(attempts)}`, '', text ?? ''].join('\n'),
    );
    expect(await given()).toHaveLength(1);
  });

  it('gets the answer in its thread after a person’s approval', async () => {
    const { _id } = await only();
    await replies.approve(_id).expect(200);
    await eventually('the reply is sent', async () => {
      // The outcome is processed a little later.
      platform.clock.advance(10_000);
      await platform.tick();
      return (await only()).state === 'sent';
    });
    const [first, second, ...more] = await given();
    expect(more).toEqual([]);
    const header = await mailOf(second!);
    const answer = conversation.messages.find(({ kind }) => kind === 'reply')?.['messageId'] as string;
    expect(header('in-reply-to')).toBe(answer);
    expect(header('references').split(/\s+/)).toEqual([first!.messageId, answer]);
    expect(header('list-unsubscribe')).toBe('');
    const detail = dataOf<ConversationDetail>(await agents.api.get(`/v1/inbox/${conversation._id}`));
    const sent = detail.messages.find(({ kind }) => kind === 'agent')!;
    expect(sent).toMatchObject({ direction: 'sent', text: ANSWER });
    const named = ['from', 'to', 'subject', 'in-reply-to'].map((name) => `${name}: ${header(name)}`);
    addSection(
      '`POST /v1/agents/replies/{id}/approve`; the lead’s server then has one message:',
      [...named, '', sent.text ?? ''].join('\n'),
    );
    const kinds = detail.messages.map(({ kind }) => kind).toSorted();
    addSection('The conversation now contains these kinds of messages:', kinds.join(', '));
    expect(kinds).toEqual(['agent', 'campaign', 'reply']);
  });

  it('violates no invariant', async () => {
    expect(await violations(platform, agents.workspace.workspaceId, { settled: true })).toEqual([]);
  });

  it('matches the documented example, apart from ids', async () => {
    const masked = lines
      .join('\n\n')
      .replaceAll(mailbox.email, 'grace@senders.test')
      .replaceAll(/in-reply-to: .*/g, 'in-reply-to: <id of the answer>');
    const expected = `<!-- transcript -->\n\n${masked}\n\n<!-- end of transcript -->`;
    if (writesGolden()) {
      await writeFile(
        DOCUMENT,
        (await readFile(DOCUMENT, 'utf8')).replace(TRANSCRIPT, () => expected),
      );
    }
    expect(TRANSCRIPT.exec(await readFile(DOCUMENT, 'utf8'))?.[0]).toBe(expected);
  });
});
