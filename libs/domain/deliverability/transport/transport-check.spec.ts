import { OutboundError, type OutboundReason, type OutboundRequest, type OutboundResponse } from '@platform/outbound';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { type PolicyClient } from './mta-sts-check';
import { checkTransport } from './transport-check';

const POLICY = 'version: STSv1\r\nmode: enforce\r\nmx: *.mail.example\r\nmax_age: 604800\r\n';
const RECORD = 'v=STSv1; id=20160831085700Z;';
const ZONE: ZoneTable = {
  '_mta-sts.example.com': { TXT: [RECORD] },
  'example.com': { MX: [{ priority: 10, exchange: 'a.mail.example' }] },
};

class PolicyServer implements PolicyClient {
  readonly requests: OutboundRequest[] = [];

  constructor(private readonly answer: Partial<OutboundResponse> | Error | string = POLICY) {}

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    await Promise.resolve();
    this.requests.push(request);
    const { answer } = this;
    if (answer instanceof Error) throw answer;
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const response = { status: 200, headers, truncated: false, incomplete: false, url: request.url };
    const [body, other] = typeof answer === 'string' ? [answer, {}] : [POLICY, answer];
    return { ...response, body: Buffer.from(body), ...other };
  }
}

const check = (zone: ZoneTable, server = new PolicyServer()) =>
  checkTransport(new ZoneDnsDriver(zone), server, 'Example.COM');
const codes = ({ problems }: { problems: readonly { code: string; severity: string }[] }) =>
  problems.map(({ code, severity }) => `${severity} ${code}`);

describe('MTA-STS (RFC 8461)', () => {
  it('passes when the policy names the mail servers of the domain', async () => {
    const server = new PolicyServer();
    const { mtaSts } = await check(ZONE, server);
    const policy = { mode: 'enforce', mx: ['*.mail.example'], maxAge: 604_800 };
    expect(mtaSts).toEqual({ status: 'pass', record: RECORD, policy, problems: [] });
    expect(server.requests).toEqual([
      {
        url: 'https://mta-sts.example.com/.well-known/mta-sts.txt',
        method: 'GET',
        timeoutMs: 10_000,
        maxResponseBytes: 65_536,
        signal: undefined,
      },
    ]);
  });

  it.each<[string, ZoneTable[string]]>([
    ['nothing', {}],
    ['other text', { TXT: ['v=spf1 -all'] }],
    ['a version in capitals', { TXT: ['V=STSv1; id=1;'] }],
    ['another version', { TXT: ['v=STSv2; id=1;'] }],
    ['a version without a semicolon', { TXT: ['v=STSv1'] }],
  ])('is absent with %s at the name, and no policy is fetched', async (_what, entry) => {
    const server = new PolicyServer();
    const { mtaSts } = await check({ ...ZONE, '_mta-sts.example.com': entry }, server);
    expect(mtaSts).toMatchObject({ status: 'absent', record: null, policy: null });
    expect(codes(mtaSts)).toEqual(['info no_mta_sts']);
    expect(server.requests).toEqual([]);
  });

  it.each<[string, string[], string]>([
    ['several records', [RECORD, 'v=STSv1; id=2;'], 'several_records'],
    ['no id', ['v=STSv1;'], 'id_invalid'],
    ['an id with other characters', ['v=STSv1; id=2026-11-21;'], 'id_invalid'],
    ['an id of 33 characters', [`v=STSv1; id=${'1'.repeat(33)};`], 'id_invalid'],
  ])('gets a warning with %s, and no policy is fetched', async (_what, records, code) => {
    const server = new PolicyServer();
    const { mtaSts } = await check({ ...ZONE, '_mta-sts.example.com': { TXT: records } }, server);
    expect(mtaSts).toMatchObject({ status: 'warn', record: records[0], policy: null });
    expect(codes(mtaSts)).toEqual([`warn ${code}`]);
    expect(server.requests).toEqual([]);
  });

  it.each<[string, Partial<OutboundResponse> | string, string]>([
    ['is not found', { status: 404 }, 'the server answers 404'],
    ['is somewhere else', { status: 301, headers: { location: 'https://example.com/' } }, 'the server answers 301'],
    ['is a page', { headers: { 'content-type': 'text/html' } }, '"text/html"'],
    ['has no type', { headers: {} }, 'instead of text/plain'],
    ['is longer than 64 kB', { truncated: true }, 'longer than 64 kB'],
    ['cannot be read', 'version: 1', '"1" instead of STSv1'],
  ])('gets a warning when the policy %s', async (_what, answer, fault) => {
    const { mtaSts } = await check(ZONE, new PolicyServer(answer));
    expect(mtaSts).toMatchObject({ status: 'warn', record: RECORD, policy: null });
    expect(codes(mtaSts)).toEqual(['warn policy_unusable']);
    expect(mtaSts.problems[0]!.message).toContain(fault);
  });

  it.each<[OutboundReason, boolean, string, string]>([
    ['timeout', true, 'unknown', 'info policy_no_answer'],
    ['connect', true, 'unknown', 'info policy_no_answer'],
    ['dns', true, 'unknown', 'info policy_no_answer'],
    ['dns', false, 'warn', 'warn policy_unusable'],
    ['tls', true, 'warn', 'warn policy_unusable'],
    ['protocol', true, 'warn', 'warn policy_unusable'],
    ['address_refused', false, 'warn', 'warn policy_unusable'],
  ])('that fails with %s (temporary: %j) is %s', async (reason, retry, status, problem) => {
    const { mtaSts } = await check(ZONE, new PolicyServer(new OutboundError(reason, 'No luck', { retry })));
    expect(mtaSts).toMatchObject({ status, record: RECORD, policy: null });
    expect(codes(mtaSts)).toEqual([problem]);
  });

  it.each<[string, string, string, string[]]>([
    ['a mail server that it does not name', POLICY.replace('*.mail', '*.post'), 'warn', ['warn mx_not_in_policy']],
    ['an age below a day', POLICY.replace('604800', '86399'), 'warn', ['warn max_age_short']],
    ['an age of a day', POLICY.replace('604800', '86400'), 'pass', []],
    ['the mode testing', POLICY.replace('enforce', 'testing'), 'pass', ['info mode_testing']],
    ['the mode none', POLICY.replace('enforce', 'none'), 'absent', ['info mode_none']],
  ])('with %s', async (_what, policy, status, problems) => {
    const { mtaSts } = await check(ZONE, new PolicyServer(policy));
    expect(mtaSts.status).toBe(status);
    expect(codes(mtaSts)).toEqual(problems);
  });

  it.each<[string, ZoneTable[string]]>([
    ['without mail servers', { MX: [{ priority: 0, exchange: '' }] }],
    ['whose mail servers are not known', 'timeout'],
  ])('of a domain %s is not compared with any', async (_what, entry) => {
    expect((await check({ ...ZONE, 'example.com': entry })).mtaSts).toMatchObject({ status: 'pass', problems: [] });
  });

  it('is unknown when DNS does not answer', async () => {
    const { mtaSts } = await check({ ...ZONE, '_mta-sts.example.com': 'servfail' });
    expect(mtaSts).toMatchObject({ status: 'unknown', record: null, policy: null });
  });

  it('rethrows programming errors and the reason of the signal', async () => {
    await expect(check(ZONE, new PolicyServer(new RangeError('a bug')))).rejects.toThrow('a bug');
    const gone = AbortSignal.abort(new Error('enough'));
    await expect(
      checkTransport(new ZoneDnsDriver(ZONE), new PolicyServer(), 'example.com', { signal: gone }),
    ).rejects.toThrow('enough');
  });
});

describe('TLS-RPT (RFC 8460)', () => {
  const NAME = '_smtp._tls.example.com';
  const report = async (entry: ZoneTable[string]) => (await check({ [NAME]: entry })).tlsRpt;

  it.each<[string, string[]]>([
    ['v=TLSRPTv1; rua=mailto:reports@example.com', ['mailto:reports@example.com']],
    [
      'v=TLSRPTv1;rua=mailto:a@example.com,https://reporting.example.com/v1/tlsrpt;',
      ['mailto:a@example.com', 'https://reporting.example.com/v1/tlsrpt'],
    ],
    ['v=TLSRPTv1; x=y; rua = mailto:a@example.com?subject=tls', ['mailto:a@example.com?subject=tls']],
  ])('passes: %s', async (record, rua) => {
    expect(await report({ TXT: [record, 'other text'] })).toEqual({ status: 'pass', record, rua, problems: [] });
  });

  it.each<[string, string[], string]>([
    ['no report address', ['v=TLSRPTv1;'], 'report_uri_invalid'],
    ['an address without mailto', ['v=TLSRPTv1; rua=a@example.com'], 'report_uri_invalid'],
    ['an address that is none', ['v=TLSRPTv1; rua=mailto:a@exa mple'], 'report_uri_invalid'],
    ['an address without encryption', ['v=TLSRPTv1; rua=http://example.com/'], 'report_uri_invalid'],
    ['one address of two that is none', ['v=TLSRPTv1; rua=mailto:a@example.com,x'], 'report_uri_invalid'],
    ['a byte beyond ASCII', ['v=TLSRPTv1; rua=mailto:a@example.com,https://\xe4.example'], 'report_uri_invalid'],
    [
      'several records',
      ['v=TLSRPTv1; rua=mailto:a@example.com', 'v=TLSRPTv1; rua=mailto:b@example.com'],
      'several_records',
    ],
  ])('gets a warning with %s', async (_what, records, code) => {
    const result = await report({ TXT: records });
    expect(result.status).toBe('warn');
    expect(codes(result)).toEqual([`warn ${code}`]);
  });

  it('is absent without a record, without an effect on the score', async () => {
    const result = await report({ TXT: ['v=TLSRPTv2; rua=mailto:a@example.com', 'v=TLSRPTv1'] });
    expect(result).toMatchObject({ status: 'absent', record: null, rua: [] });
    expect(codes(result)).toEqual(['info no_tls_rpt']);
  });

  it('is unknown when DNS does not answer', async () => {
    expect(await report('refused')).toMatchObject({ status: 'unknown', record: null });
  });

  it('takes at most three queries for both', async () => {
    const dns = new ZoneDnsDriver({
      ...ZONE,
      [NAME]: { TXT: [`v=TLSRPTv1; rua=${'mailto:a@example.com,'.repeat(5_000)}`] },
    });
    const { tlsRpt } = await checkTransport(dns, new PolicyServer(), 'example.com', { fresh: true });
    expect(tlsRpt.rua).toHaveLength(20);
    expect(dns.queries.map(({ type, fresh }) => `${type} ${fresh}`).toSorted()).toEqual([
      'MX true',
      'TXT true',
      'TXT true',
    ]);
  });
});
