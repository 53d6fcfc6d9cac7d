import { sandboxDns } from '@testing';
import { type api } from '@outreach/client';
import { createClient, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { connected } from '../mailboxes/sandbox';

type Report = api.MailboxesHealthCheckAnswer['data'];

describe('a check against a real name server', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ env: { DNS_SERVERS: sandboxDns() } });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  async function check(domain: string): Promise<Report> {
    const { _id } = await connected(platform, workspace, { email: `ada-${Date.now()}@${domain}` });
    return createClient(platform, workspace.key).mailboxes.health.check(_id);
  }
  const statuses = ({ mx, spf, dkim, dmarc }: Report) => [mx, spf, dkim, dmarc].map(({ status }) => status);

  it('finds no problem in a well-configured domain', async () => {
    const report = await check('demo.test');
    expect(statuses(report)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(report.healthScore).toBe(100);
  });

  it('requests the MTA-STS policy at the address from that name server, where no server answers', async () => {
    expect((await check('demo.test')).mtaSts).toMatchObject({
      status: 'unknown',
      problems: [{ code: 'policy_no_answer' }],
    });
  });

  it('finds the problems of a badly configured domain', async () => {
    const report = await check('careless.test');
    expect(statuses(report)).toEqual(['warn', 'fail', 'fail', 'warn']);
    expect(report.spf.problems).toMatchObject([{ code: 'multiple_records' }]);
    expect(report.dkim.problems).toMatchObject([{ code: 'key_malformed' }]);
    expect(report.mx.problems.map(({ code }) => code).toSorted()).toEqual(['mx_is_alias', 'mx_unresolved']);
  });

  it('reports a domain that accepts no mail', async () => {
    expect(await check('nomail.test')).toMatchObject({ mx: { status: 'fail', problems: [{ code: 'null_mx' }] } });
  });

  it('reports nothing about a domain whose name server fails', async () => {
    const report = await check('servfail.test');
    expect(statuses(report)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(report.healthScore).toBeNull();
  });
});
