import { type CreditBalanceResponse, CreditsService } from '@domain/credits';
import { type VerificationResponse } from '@domain/enrichment';
import { eventually, rounds } from '@testing';
import { DnsServer } from '../../libs/adapters/dns/testing';
import { MxServer } from '../../libs/adapters/probe/testing';
import { type Platform, type SeededWorkspace, expectFormA, expectFormB, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';

const PATH = '/v1/enrichment/verify';
/** A verification’s reservation has expired by then, and the search for expired ones is due. */
const LATER_MS = 360_000;
/** Parallel verifications, a third of them without an answer. */
const AT_ONCE = rounds(90, 24);
const mailAt = (exchange: string) => ({ MX: [{ exchange, priority: 10 }] });
const ZONE = {
  'firm.example': mailAt('mx.firm.example'),
  'all.example': mailAt('mx.firm.example'),
  'mailinator.com': mailAt('mx.firm.example'),
  'mx.firm.example': { A: ['127.0.0.1'] },
  'nomail.example': mailAt(''),
  'broken.example': 'servfail',
} as const;

describe('POST /v1/enrichment/verify', () => {
  let dns: DnsServer;
  let mx: MxServer;
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    dns = await DnsServer.start(ZONE);
    mx = await MxServer.start({
      mailboxes: { 'ada@firm.example': 'exists', 'full@firm.example': 'full', 'grey@firm.example': 'greylisted' },
    });
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
    workspace = await platform.seed.workspace({ credits: 100 });
  });
  afterAll(async () => {
    await platform.close();
    await mx.close();
    await dns.close();
  });

  async function verified(email: string, of = workspace): Promise<VerificationResponse> {
    return dataOf(await platform.api.as(of.key).post(PATH).send({ email }).expect(200));
  }
  async function balance(of: SeededWorkspace): Promise<CreditBalanceResponse> {
    return dataOf(await platform.api.as(of.key).get('/v1/credits/balance').expect(200));
  }

  it('reports every finding about an existing mailbox, and nothing else', async () => {
    const response = await platform.api.as(workspace.key).post(PATH).send({ email: 'Ada@Firm.example' }).expect(200);
    expect(response.body).toEqual({
      success: true,
      data: {
        email: 'Ada@Firm.example',
        address: 'ada@firm.example',
        result: 'valid',
        reasons: ['accepted'],
        isDisposable: false,
        isRole: false,
        isFree: false,
        mxHost: 'mx.firm.example',
        suggestion: null,
        retryAt: null,
        creditsUsed: 1,
        checkedAt: expect.any(String) as string,
      },
    });
  });

  it.each([
    ['nobody@firm.example', 'invalid', ['rejected'], 1],
    ['full@firm.example', 'risky', ['full'], 1],
    ['nobody@missing.example', 'invalid', ['domain_not_found'], 1],
    ['ada@nomail.example', 'invalid', ['null_mx'], 1],
    ['ada@mailinator.com', 'risky', ['mailbox_not_asked', 'disposable'], 1],
    ['ada', 'invalid', ['syntax', 'no_at'], 1],
    ['', 'invalid', ['syntax', 'empty'], 1],
    [' ada@firm.example', 'invalid', ['header_only', 'white_space'], 1],
    ['ada@broken.example', 'unknown', ['dns_no_answer'], 0],
    ['grey@firm.example', 'unknown', ['greylisted'], 0],
  ])('classifies %j as %s', async (email, result, reasons, creditsUsed) => {
    expect(await verified(email)).toMatchObject({ email, result, reasons, creditsUsed });
  });

  it('says when to retry a server that greylists', async () => {
    mx.mailboxes.set('grey2@firm.example', 'greylisted');
    const { retryAt } = await verified('grey2@firm.example');
    expect(Date.parse(retryAt ?? '')).toBeGreaterThan(platform.clock.now().getTime());
    expect(await verified('grey2@firm.example')).toMatchObject({ result: 'valid', retryAt: null });
  });

  it('treats a server that accepts every address as no proof of the mailbox', async () => {
    mx.takesEverything = true;
    try {
      expect(await verified('whoever@all.example')).toMatchObject({
        result: 'catch_all',
        reasons: ['takes_everything'],
      });
    } finally {
      mx.takesEverything = false;
    }
  });

  it('charges a credit for a decisive verdict only', async () => {
    const spending = await platform.seed.workspace({ credits: 3 });
    await verified('ada@firm.example', spending);
    expect(await balance(spending)).toEqual({ balance: 2, reserved: 0 });
    await verified('ada@broken.example', spending);
    expect(await balance(spending)).toEqual({ balance: 2, reserved: 0 });
    const ledger = await platform.api
      .as(spending.owner.key)
      .in(spending.workspaceId)
      .get('/v1/credits/ledger')
      .expect(200);
    const entries = dataOf<{ kind: string; amount: number }[]>(ledger);
    expect(entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      'release 1',
      'reserve -1',
      'settle 0',
      'reserve -1',
      'grant 3',
    ]);
    expect(JSON.stringify(entries)).not.toContain('firm.example');
  });

  it('names the missing credits, and asks no server', async () => {
    const poor = await platform.seed.workspace();
    const asked = dns.queries.length;
    const response = await platform.api.as(poor.key).post(PATH).send({ email: 'ada@elsewhere.example' });
    expectFormB(response, 402, 'INSUFFICIENT_CREDITS');
    expect((response.body as { error: { message: string } }).error.message).toBe(
      'This costs 1 credits and the workspace has 0; missing: 1',
    );
    expect(dns.queries).toHaveLength(asked);
  });

  it('verifies and charges once for one Idempotency-Key', async () => {
    const spending = await platform.seed.workspace({ credits: 5 });
    const ask = () =>
      platform.api
        .as(spending.key)
        .post(PATH)
        .set('Idempotency-Key', 'verify-1')
        .send({ email: 'ada@firm.example' })
        .expect(200);
    const first = await ask();
    const asked = mx.recipients.length;
    const again = await ask();
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await balance(spending)).toEqual({ balance: 4, reserved: 0 });
    expect(mx.recipients).toHaveLength(asked);
  });

  it(`runs ${AT_ONCE} verifications in parallel, each charged separately`, async () => {
    const many = await platform.seed.workspace({ credits: AT_ONCE });
    const emails = Array.from({ length: AT_ONCE }, (_, at) =>
      at % 3 === 0 ? `p${at}@broken.example` : `no address ${at}`,
    );
    const found = await Promise.all(emails.map((email) => verified(email, many)));
    expect(found.filter(({ result }) => result === 'invalid')).toHaveLength((AT_ONCE * 2) / 3);
    expect(await balance(many)).toEqual({ balance: AT_ONCE / 3, reserved: 0 });
  });

  it('releases the credit of a process that crashed during the verification', async () => {
    const spending = await platform.seed.workspace({ credits: 5 });
    const reservations = platform.app.get(CreditsService, { strict: false });
    let die = (): void => undefined;
    jest
      .spyOn(reservations, 'settle')
      .mockImplementationOnce(() => new Promise((_, reject) => (die = () => reject(new Error('The process is dead')))));
    const request = platform.api.as(spending.key).post(PATH).send({ email: 'ada@firm.example' });
    const answer = request.then(
      () => 'answered',
      () => 'cut',
    );
    await eventually('a credit is reserved', async () => (await balance(spending)).reserved === 1);
    request.abort();
    expect(await answer).toBe('cut');
    await platform.tick('credit-expiry');
    await platform.drain();
    expect(await balance(spending)).toEqual({ balance: 4, reserved: 1 });
    platform.clock.advance(LATER_MS);
    await platform.tick('credit-expiry');
    await platform.drain();
    expect(await balance(spending)).toEqual({ balance: 5, reserved: 0 });
    die();
  });

  it.each([
    [{}, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: 'x'.repeat(1_001) }, 'email'],
    [{ email: 'a\ud800@b.example' }, 'email'],
    [{ email: 'a@b.example', probe: true }, 'probe'],
  ])('refuses an invalid body and names the field: %#', async (body, field) => {
    expectFormB(await platform.api.as(workspace.key).post(PATH).send(body), 400, 'VALIDATION_ERROR', field);
  });

  it('rejects read-only keys and strangers', async () => {
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await platform.api.as(readOnly).post(PATH).send({ email: 'ada@firm.example' }), 403);
    expectFormA(await platform.api.post(PATH).send({ email: 'ada@firm.example' }), 401);
  });
});
