import { MailboxProbePort } from '@adapters/probe';
import { type CreditBalanceResponse, CreditsService } from '@domain/credits';
import { systemScope } from '@domain/access';
import { LeadVerificationJobService } from '@domain/enrichment';
import { DnsServer } from '../../libs/adapters/dns/testing';
import { MxServer } from '../../libs/adapters/probe/testing';
import { eventually } from '@testing';
import { newCampaign, readyCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace, expectFormB, startPlatform } from '../harness';
import { Leads } from '../leads/leads';
import { dataOf } from '../workspaces/people';

const mailAt = (exchange: string) => ({ MX: [{ exchange, priority: 10 }] });
const ZONE = {
  'firm.example': mailAt('mx.firm.example'),
  'mx.firm.example': { A: ['127.0.0.1'] },
  'broken.example': 'servfail',
} as const;
const VALID = 'ada@firm.example';
const INVALID = 'nobody@firm.example';
const FULL = 'full@firm.example';
const UNKNOWN = 'ada@broken.example';
/** Longer than any wait before an address is checked again. */
const HOUR_MS = 3_700_000;

interface LeadVerification {
  result: string | null;
  reasons: string[];
  checkedAt: string | null;
  nextAt: string | null;
}

describe('leads whose addresses are verified first', () => {
  let dns: DnsServer;
  let mx: MxServer;
  let platform: Platform;
  /** For tests that do not exhaust the credits. */
  let shared: SeededWorkspace;
  let workspace: SeededWorkspace;
  /** Credits before the test. */
  let before: number;

  beforeAll(async () => {
    dns = await DnsServer.start(ZONE);
    mx = await MxServer.start({ mailboxes: { [VALID]: 'exists', [FULL]: 'full' } });
    platform = await startPlatform({
      worker: true,
      env: {
        DNS_SERVERS: dns.address,
        OUTBOUND_ALLOW_PRIVATE: 'true',
        VERIFICATION_PROBE: 'on',
        VERIFICATION_PROBE_PORT: String(mx.smtp.port),
        VERIFICATION_PROBE_GAP_MS: '0',
      },
    });
    shared = await platform.seed.workspace({ credits: 100 });
  });
  beforeEach(async () => {
    workspace = shared;
    before = (await balance()).balance;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await platform.close();
    await mx.close();
    await dns.close();
  });

  async function campaignWith(verification: object): Promise<Leads> {
    const { _id } = await newCampaign(platform, workspace, { verification });
    return new Leads(platform, workspace, _id);
  }
  /** Leaves new leads to the sweep, so that a test can read them before. */
  function withoutHurry(): void {
    const jobs = platform.worker!.get(LeadVerificationJobService, { strict: false });
    jest.spyOn(jobs, 'run').mockResolvedValueOnce();
  }
  /** Runs the sweep of these leads only. */
  async function sweepOnce(): Promise<void> {
    await platform.worker!.get(LeadVerificationJobService, { strict: false }).sweep();
    await platform.drain();
  }
  async function balance(): Promise<CreditBalanceResponse> {
    return dataOf(await platform.api.as(workspace.key).get('/v1/credits/balance').expect(200));
  }
  /** By the test. */
  async function spent(): Promise<{ spent: number; reserved: number }> {
    const { balance: after, reserved } = await balance();
    return { spent: before - after, reserved };
  }
  async function standing(leads: Leads): Promise<Record<string, string>> {
    const { data } = await leads.list('?limit=100');
    return Object.fromEntries(
      data.map(({ email, status, stopReason, verification }) => {
        const { result, reasons } = (verification ?? { result: '-', reasons: [] }) as LeadVerification;
        return [email, [status, stopReason ?? '-', result ?? 'none', ...reasons].join(' ')];
      }),
    );
  }

  it('wait for the verdict, and then get the status that the policy assigns to it', async () => {
    const leads = await campaignWith({ mode: 'on', invalid: 'remove', risky: 'hold', unknown: 'send' });
    withoutHurry();
    await leads.add(VALID, INVALID, FULL, UNKNOWN);
    await platform.drain();
    expect(await standing(leads)).toEqual({
      [VALID]: 'paused verifying none',
      [INVALID]: 'paused verifying none',
      [FULL]: 'paused verifying none',
      [UNKNOWN]: 'paused verifying none',
    });
    await sweepOnce();
    expect(await standing(leads)).toEqual({
      [VALID]: 'active - valid accepted',
      [INVALID]: 'removed verification invalid rejected',
      [FULL]: 'paused verification risky full',
      // Without a verdict, the address is checked again and the lead is kept.
      [UNKNOWN]: 'paused verifying none dns_no_answer',
    });
    expect(await spent()).toEqual({ spent: 3, reserved: 0 });
    for (let again = 1; again < 6; again += 1) {
      platform.clock.advance(HOUR_MS);
      await sweepOnce();
    }
    expect((await standing(leads))[UNKNOWN]).toBe('active - unknown dns_no_answer');
    expect(await spent()).toEqual({ spent: 3, reserved: 0 });
  });

  it('are never removed without a verdict, whatever the policy', async () => {
    for (const field of ['unknown', 'noCredits']) {
      const body = { name: 'Autumn', verification: { mode: 'on', [field]: 'remove' } };
      const response = await platform.api.as(workspace.key).post('/v1/campaigns').send(body);
      expectFormB(response, 400, 'VALIDATION_ERROR', `verification.${field}`);
    }
  });

  it('are explained as waiting for verification, and no bulk action activates them', async () => {
    const campaign = await readyCampaign(platform, workspace);
    const path = `/v1/campaigns/${campaign._id}`;
    await platform.api
      .as(workspace.key)
      .patch(path)
      .send({ verification: { mode: 'on' } })
      .expect(200);
    const leads = new Leads(platform, workspace, campaign._id);
    withoutHurry();
    const [lead] = await leads.add(VALID);
    await platform.drain();
    const explained = await platform.api.as(workspace.key).get(`${leads.path}/${lead}/explain`).expect(200);
    expect(dataOf(explained)).toMatchObject({ decision: 'wait', reason: 'lead_verifying' });
    expect(await leads.modified({ action: 'resume', selectAll: true })).toBe(0);
    expect(await leads.get(lead!)).toMatchObject({ status: 'paused', stopReason: 'verifying' });
    await sweepOnce();
    expect(await leads.get(lead!)).toMatchObject({ status: 'active', stopReason: null });
  });

  it('are activated by a person after a verdict has paused them', async () => {
    const leads = await campaignWith({ mode: 'on' });
    const [lead] = await leads.add(FULL);
    await sweepOnce();
    expect(await leads.get(lead!)).toMatchObject({ status: 'paused', stopReason: 'verification' });
    expect(await leads.modified({ action: 'resume', leadIds: [lead] })).toBe(1);
    expect(await leads.get(lead!)).toMatchObject({ status: 'active', verification: { result: 'risky' } });
  });

  it('are verified or not as the request that adds them says', async () => {
    const off = await campaignWith({ mode: 'off' });
    await off.post({ email: VALID, verify: true }).expect(201);
    await off.add(FULL);
    const on = await campaignWith({ mode: 'on' });
    await on.post({ leads: [{ email: VALID }], verify: false }).expect(201);
    await sweepOnce();
    expect(await standing(off)).toEqual({ [VALID]: 'active - valid accepted', [FULL]: 'active - -' });
    expect(await standing(on)).toEqual({ [VALID]: 'active - -' });
    expect(await spent()).toEqual({ spent: 1, reserved: 0 });
  });

  it('are verified when an import adds them', async () => {
    const leads = await campaignWith({ mode: 'off' });
    const upload = platform.api.as(workspace.key).post(`${leads.path}/import?verify=true`).type('text/csv');
    await upload.send(`email\n${VALID}\n${INVALID}\n`).expect(202);
    await platform.drain();
    await sweepOnce();
    expect(await standing(leads)).toEqual({
      [VALID]: 'active - valid accepted',
      [INVALID]: 'paused verification invalid rejected',
    });
  });

  it('wait for credits, and the first leads get those that are available', async () => {
    workspace = await platform.seed.workspace({ credits: 1 });
    const leads = await campaignWith({ mode: 'on' });
    await leads.add(VALID, FULL);
    await sweepOnce();
    expect(await standing(leads)).toEqual({
      [VALID]: 'active - valid accepted',
      [FULL]: 'paused verifying none no_credits',
    });
    const scope = systemScope(workspace.workspaceId);
    await platform.app.get(CreditsService, { strict: false }).grant(scope, { amount: 5, reason: 'More' });
    platform.clock.advance(HOUR_MS);
    await sweepOnce();
    expect((await standing(leads))[FULL]).toBe('paused verification risky full');
    expect(await balance()).toEqual({ balance: 4, reserved: 0 });
  });

  it('continue unverified without credits if the campaign allows it', async () => {
    workspace = await platform.seed.workspace();
    const leads = await campaignWith({ mode: 'on', noCredits: 'send' });
    await leads.add(VALID);
    await sweepOnce();
    expect(await standing(leads)).toEqual({ [VALID]: 'active - none no_credits' });
  });

  it('are charged once when the first write of a verdict fails', async () => {
    const leads = await campaignWith({ mode: 'on' });
    const reservations = platform.worker!.get(CreditsService, { strict: false });
    jest.spyOn(reservations, 'settle').mockRejectedValueOnce(new Error('The database is away'));
    await leads.add(VALID);
    await platform.drain();
    expect(await spent()).toEqual({ spent: 0, reserved: 0 });
    expect(await standing(leads)).toEqual({ [VALID]: 'paused verifying none' });
    await sweepOnce();
    expect(await standing(leads)).toEqual({ [VALID]: 'active - valid accepted' });
    await sweepOnce();
    expect(await spent()).toEqual({ spent: 1, reserved: 0 });
  });

  it('do not wait for a lead whose verification fails', async () => {
    const leads = await campaignWith({ mode: 'on' });
    withoutHurry();
    await leads.add(INVALID, VALID);
    await platform.drain();
    const probe = platform.worker!.get(MailboxProbePort, { strict: false });
    jest.spyOn(probe, 'ask').mockRejectedValueOnce(new TypeError('A mistake of ours'));
    await sweepOnce();
    const [failed, judged] = Object.values(await standing(leads))
      .toSorted()
      .toReversed();
    expect([failed, judged]).toEqual([
      'paused verifying none verification_failed',
      expect.not.stringContaining('none'),
    ]);
    expect(await spent()).toEqual({ spent: 1, reserved: 0 });
    platform.clock.advance(HOUR_MS);
    await sweepOnce();
    expect(await standing(leads)).toEqual({
      [VALID]: 'active - valid accepted',
      [INVALID]: 'paused verification invalid rejected',
    });
  });

  it('of one workspace delay no other: two of its campaigns are processed in parallel, and finally all', async () => {
    const api = platform.worker!.get(MailboxProbePort, { strict: false });
    const ask = api.ask.bind(api);
    const [waiting, finished] = [new Set<string>(), Promise.withResolvers<void>()];
    jest.spyOn(api, 'ask').mockImplementation(async (question) => {
      waiting.add(question.address);
      if (question.address.startsWith('slow')) await finished.promise;
      return ask(question);
    });
    const slow = ['slow-1', 'slow-2', 'slow-3'].map((name) => `${name}@firm.example`);
    for (const email of slow) await (await campaignWith({ mode: 'on' })).add(email);
    workspace = await platform.seed.workspace({ credits: 100 });
    const other = await campaignWith({ mode: 'on' });
    await other.add(VALID);
    try {
      await eventually('the other workspace has its answer', async () => {
        return (await standing(other))[VALID] === 'active - valid accepted';
      });
      expect(waiting).toEqual(new Set([...slow.slice(0, 2), VALID]));
    } finally {
      finished.resolve();
    }
    await platform.drain();
    await sweepOnce();
    await sweepOnce();
    expect(waiting).toEqual(new Set([...slow, VALID]));
  });

  it('cost nothing when they are deleted before the verdict', async () => {
    withoutHurry();
    workspace = await platform.seed.workspace({ credits: 100 });
    const leads = await campaignWith({ mode: 'on' });
    const [lead] = await leads.add(VALID);
    await platform.drain();
    await platform.api
      .as(workspace.key)
      .post('/v1/suppressions')
      .send({ addresses: [VALID] })
      .expect(201);
    await sweepOnce();
    expect(await leads.get(lead!)).toMatchObject({ status: 'completed', stopReason: 'suppressed' });
    expect(await balance()).toEqual({ balance: 100, reserved: 0 });
  });

  it('keep the policy when a change omits it, and pass it on to a copy of the campaign', async () => {
    const { _id } = await newCampaign(platform, workspace, { verification: { mode: 'on', catchAll: 'hold' } });
    const api = platform.api.as(workspace.key);
    await api
      .patch(`/v1/campaigns/${_id}`)
      .send({ verification: { risky: 'send' } })
      .expect(200);
    const copy = dataOf<{ _id: string }>(await api.post(`/v1/campaigns/${_id}/duplicate`).send({}));
    for (const id of [_id, copy._id]) {
      expect(dataOf(await api.get(`/v1/campaigns/${id}/settings`).expect(200))).toMatchObject({
        verification: {
          mode: 'on',
          invalid: 'hold',
          risky: 'send',
          catchAll: 'hold',
          unknown: 'send',
          noCredits: 'hold',
        },
      });
    }
  });
});
