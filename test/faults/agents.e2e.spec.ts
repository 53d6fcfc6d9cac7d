import { randomBytes } from 'node:crypto';
import { systemScope } from '@domain/access';
import { AgentReplyJobService } from '@domain/agents';
import { CreditsService } from '@domain/credits';
import { MailboxWatcherService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { RedisClient } from '@platform/queues';
import { eventually, LONG } from '@testing';
import { Types } from 'mongoose';
import { completion, failure, FAILURES, ModelServer } from '../../libs/adapters/llm/testing';
import { Agents, COST } from '../agents/agents';
import { activated, newCampaign } from '../campaigns/campaigns';
import { acceptedFrom, type Platform, startPlatform, startTestWorker, violations } from '../harness';
import { isEventually, getDatabase, expireLeases, settleSending } from '../harness/sending';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { Fleet } from './cluster';
import { OwnServices } from './own-services';
import { Chance, SEED, tell } from './seeded';

const KEY = 'sk-canary-key';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };
const WORKERS = LONG ? 4 : 2;
const LEADS = LONG ? 90 : 40;
const MAILBOXES = 2;
/** Shorter than the work of a day: the handover continues for days. */
const DAILY_LIMIT = LONG ? 30 : 15;
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? (LONG ? 10 : 4));
/** Replies that a worker processes in parallel (`agent-reply` in queue-table.ts): a crash loses as many questions. */
const AT_ONCE = 4;
/** Delay before the agent writes: by then all leads have answered, and the worker that read their mail has ended. */
const DELAY_MINUTES = 60;
/** Longer than the lease of an agent reply. */
const MISSED_MS = 16 * MINUTE_MS;

const ANSWER =
  'Hello,\n\nthank you for your interest. Tuesday at ten would suit us well; does that suit you, too?\n\nGrace';
/** Shorter than LLM_TIMEOUT_MS. */
const SLOW_MS = 700;
const GOOD = completion(JSON.stringify({ refuse: false, reason: 'none', text: ANSWER }));
/** Responses of the model before a good one; `slow` delays a good one. */
type Trouble = readonly (Parameters<ModelServer['next']>[number] | 'slow')[];
/** Unusable responses come alone: two of them end a reply. */
const NO_USE: Trouble = [
  FAILURES.malformed(),
  completion('{"text":"Hello"}'),
  completion(JSON.stringify({ refuse: false, reason: 'none', text: 'Hello [Name], Tuesday?' })),
];
const TROUBLES: readonly Trouble[] = [
  [],
  ['slow'],
  ['silence'],
  [FAILURES.rate_limited({ 'retry-after-ms': '50' })],
  [failure(500, { message: 'Internal error', type: 'server_error' })],
  [FAILURES.rate_limited({ 'retry-after-ms': '50' }), FAILURES.server()],
  ...NO_USE.map((answer) => [answer]),
];

/**
 * Several worker processes write and send an agent’s answers and are killed meanwhile, while the model fails at times
 * and Redis is emptied. The moment of a kill depends on the seed and on the progress of the work.
 */
describe(`an agent that answers while its workers are killed (seed ${SEED})`, () => {
  const chance = new Chance(SEED);
  const troubles = Array.from({ length: LEADS }, (): Trouble => chance.pick(TROUBLES));
  /** Number of questions about each lead so far. */
  const asked = troubles.map(() => 0);
  let services: OwnServices;
  let model: ModelServer;
  let platform: Platform;
  let agents: Agents;
  let fleet: Fleet;
  let mailboxes: Mailbox[];
  let emails: string[];

  beforeAll(async () => {
    services = await OwnServices.start({ mongo: false });
    model = await ModelServer.start(KEY);
    model.otherwise = async ({ messages }) => {
      const lead = Number(/Roadmap for Lead(\d+)/.exec(messages[1]?.content ?? '')?.[1] ?? -1);
      // Questions about labels come too.
      if (!troubles[lead] || !messages[0]?.content.includes('answer their last message')) return GOOD;
      const trouble = troubles[lead][asked[lead]!];
      asked[lead]! += 1;
      if (trouble !== 'slow') return trouble ?? GOOD;
      await isEventually(() => Promise.resolve(false), SLOW_MS);
      return GOOD;
    };
    const llm = { LLM_BASE_URL: model.baseUrl, LLM_API_KEY: KEY, LLM_MODEL: 'test-model', LLM_TIMEOUT_MS: '1500' };
    const { url } = await services.behind('redis');
    platform = await startPlatform({ env: { ...llm, LLM_DAILY_TOKENS: '0', REDIS_URL: url } });
    fleet = await Fleet.of(
      platform,
      Array.from({ length: WORKERS }, () => ({})),
    );
  });
  afterAll(async () => {
    await fleet.killAll();
    await platform.close();
    await services.stop();
    await model.close();
  });

  const stored = (name: string) =>
    getDatabase(platform)
      .collection(name)
      .find({ workspaceId: new Types.ObjectId(agents.workspace.workspaceId) })
      .toArray();
  const countOf = async (state: string) =>
    (await stored('agent_replies')).filter((reply) => reply['state'] === state).length;
  const questions = () => asked.reduce((sum, count) => sum + count, 0);
  const accepted = () => acceptedFrom(new Set(mailboxes.map(({ email }) => email)));
  const moves = async () => questions() + (await accepted()).length;

  /** Every lead has received its email and has answered, and the agent has not yet begun. */
  async function answered(): Promise<void> {
    agents = await Agents.of(platform, COST);
    const { workspace } = agents;
    const settings = { displayName: 'Grace', sendGapSeconds: 0, dailySendLimit: 1_000 };
    mailboxes = [];
    for (let at = 0; at < MAILBOXES; at += 1) mailboxes.push(await connected(platform, workspace, settings));
    const { _id } = await agents.make({ companyInfo: { name: 'Acme', description: 'Heat pumps for old houses' } });
    const autonomousMode = { enabled: true, labels: ['positive'], approval: 'auto', delayMinutes: DELAY_MINUTES };
    await agents.update(_id, { autonomousMode: { ...autonomousMode, dailyLimit: DAILY_LIMIT } });
    const campaign = await newCampaign(platform, workspace, {
      mailboxes: mailboxes.map((mailbox) => mailbox._id),
      emailIntervalMinutes: 0,
      sendingSchedule: ALWAYS,
      sequence: [{ subject: 'Roadmap for {{firstName}}', body: '<p>May I show you how it works?</p>' }],
    });
    const run = randomBytes(4).toString('hex');
    // The sandbox chooses its reply by the local part of the address and by its length.
    emails = troubles.map((_, at) => `reply-positive.${run}${String(at).padStart(2, '0')}@prospects.test`);
    const leads = emails.map((email, at) => ({ email, firstName: `Lead${at}` }));
    await agents.api.post(`/v1/campaigns/${campaign._id}/leads`).send({ leads }).expect(201);
    const worker = await startTestWorker(platform);
    await worker.get(MailboxWatcherService, { strict: false }).divide();
    await activated(platform, workspace.workspaceId, campaign._id);
    await eventually('all leads have answered', async () => (await countOf('planned')) === LEADS, 120_000);
    await worker.close();
    expect(questions()).toBe(0);
    platform.clock.advance(DELAY_MINUTES * MINUTE_MS);
  }

  /** Runs the sweeps, as the ticker does every few seconds. */
  async function swept(): Promise<void> {
    await platform.app.get(AgentReplyJobService, { strict: false }).sweep();
    await platform.app.get(MailboxLeaseService, { strict: false }).sweep();
  }

  /** Lets workers run for a while, kills one at work and then all; then empties Redis and advances the clock. */
  async function interrupted(passesMs: number): Promise<void> {
    await fleet.start();
    await swept();
    for (const kill of [() => fleet.killOne(chance), () => fleet.killAll()]) {
      const until = (await moves()) + 3 + chance.below(10);
      await isEventually(async () => (await moves()) >= until, 5_000);
      await kill();
    }
    await platform.app.get(RedisClient).client.flushall();
    await expireLeases(platform);
    platform.clock.advance(passesMs);
  }

  /** Completes the remaining work. */
  async function settled(): Promise<boolean> {
    const worker = await startTestWorker(platform);
    let isOver = false;
    for (let day = 0; day < LEADS / DAILY_LIMIT + 2 && !isOver; day += 1) {
      // Written, handed over, sent, and resolved afterwards.
      for (const passesMs of [MISSED_MS, MISSED_MS, MINUTE_MS]) {
        await swept();
        await platform.drain();
        await settleSending(platform, worker, agents.workspace.workspaceId);
        platform.clock.advance(passesMs);
      }
      isOver = (await countOf('sent')) === LEADS;
      if (!isOver) platform.clock.advance(DAY_MS);
    }
    await worker.close();
    return isOver;
  }

  it('gives each lead one answer, records its cost, and keeps the daily limit', async () => {
    await answered();
    for (let round = 0; round < ROUNDS; round += 1) {
      await interrupted(round % 2 === 0 ? MISSED_MS : DAY_MS);
      expect(await violations(platform, agents.workspace.workspaceId)).toEqual([]);
    }
    const halfway = (await stored('inbox_replies')).length;
    // The kills came in the middle: some leads had their answer, and others did not.
    expect([halfway > 0, halfway < LEADS]).toEqual([true, true]);
    expect(await settled()).toBe(true);
    await expectAnsweredOnce();
    await expectOnRecord();
    const uncertain = (await stored('inbox_replies')).filter((reply) => reply['state'] === 'sent_unconfirmed').length;
    // One email per mailbox can be in transit when its worker is interrupted.
    expect(uncertain).toBeLessThanOrEqual(fleet.kills * MAILBOXES);
    tell(SEED, { kills: fleet.kills, questions: questions(), halfway, uncertain });
  }, 300_000);

  async function expectAnsweredOnce(): Promise<void> {
    const { workspaceId } = agents.workspace;
    expect(await violations(platform, workspaceId, { settled: true })).toEqual([]);
    const replies = await stored('agent_replies');
    expect(replies.map((reply) => String(reply['email'])).toSorted()).toEqual(emails.toSorted());
    const inbox = (await stored('inbox_replies')).filter((reply) => reply['state'] !== 'cancelled');
    expect(inbox.map((reply) => String(reply['email'])).toSorted()).toEqual(emails.toSorted());
    // By the server’s log alone: the campaign’s email and the answer.
    const mails = Map.groupBy(await accepted(), ({ to }) => to.join());
    const unconfirmed = new Set(
      inbox.filter(({ state }) => state === 'sent_unconfirmed').map(({ email }) => String(email)),
    );
    for (const email of emails) {
      const count = mails.get(email)?.length ?? 0;
      expect({ email, isRight: count === 2 || (count === 1 && unconfirmed.has(email)) }).toEqual({
        email,
        isRight: true,
      });
    }
    const days = Map.groupBy(replies, (reply) => String(reply['handedDay']));
    for (const [day, handed] of days)
      expect({ day, isWithin: handed.length <= DAILY_LIMIT }).toEqual({ day, isWithin: true });
  }

  async function expectOnRecord(): Promise<void> {
    const texts = (await stored('agent_texts')).filter((text) => text['text'] === ANSWER);
    const perReply = Map.groupBy(texts, (text) => String(text['conversationId']));
    expect(perReply.size).toBe(LEADS);
    expect([...perReply.values()].filter(({ length }) => length > 1)).toEqual([]);
    // Only questions that were lost with a worker are repeated, and not before the lease of the reply ends.
    const needs = troubles.map((trouble) => trouble.length + (trouble[0] === 'slow' ? 0 : 1));
    expect(asked.filter((count, at) => count < needs[at]! || count > needs[at]! + ROUNDS)).toEqual([]);
    const needed = needs.reduce((sum, count) => sum + count, 0);
    expect(questions()).toBeLessThanOrEqual(needed + fleet.kills * AT_ONCE);
    const unused = texts.flatMap((text) => text['unused'] as { fault: string }[]);
    const spoilt = troubles.filter((trouble) => trouble.some((one) => NO_USE.includes(one))).length;
    expect(unused.length).toBeLessThanOrEqual(spoilt);
    expect(unused.length).toBeGreaterThanOrEqual(spoilt - fleet.kills * AT_ONCE);
    const scope = systemScope(agents.workspace.workspaceId);
    const credits = platform.app.get(CreditsService, { strict: false });
    expect(await credits.balance(scope)).toEqual({ balance: 0, reserved: 0 });
    expect(await credits.verify(scope)).toMatchObject({ ok: true, problems: [] });
  }
});
