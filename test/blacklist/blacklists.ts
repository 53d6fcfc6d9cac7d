import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemScope } from '@domain/access';
import { MailboxCreationService, type NewMailbox } from '@domain/mailboxes';
import { eventually } from '@testing';
import { Types } from 'mongoose';
import { DnsServer, type ZoneTable } from '../../libs/adapters/dns/testing';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { getDatabase } from '../harness/sending';
import { dataOf } from '../workspaces/people';

export interface ListedTest {
  _id: string;
  testName: string;
  status: string;
  overallSummary: { totalChecked: number; clean: number; blacklisted: number } | null;
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
}

export interface Result {
  mailboxId: string;
  email: string;
  verdict: string;
  counts: Record<string, number>;
  listings: Record<string, unknown>[];
  notChecked: Record<string, unknown>[];
}

export interface BlacklistTest extends ListedTest {
  testCode: string;
  userId: string;
  workspaceId: string;
  mailboxIds: string[];
  mailboxes: { mailboxId: string; email: string }[];
  progress: { done: number; total: number };
  error: { code: string; message: string } | null;
  scheduleId: string | null;
  results: Result[];
  updatedAt: string;
}

export const LISTED = { A: ['127.0.0.2'] };
const ZONES = [
  {
    zone: 'bl.test',
    kind: 'ipv4',
    name: 'Test list',
    weight: 80,
    removalUrl: 'https://bl.test/out',
    suffix: 'canary-key.bl.test',
  },
  { zone: 'bl6.test', kind: 'ipv6' },
  { zone: 'dbl.test', kind: 'domain', weight: 100, removalUrl: 'https://dbl.test/out' },
  { zone: 'gossip.test', kind: 'domain', weight: 0 },
];
const POINTS: ZoneTable = {
  '2.0.0.127.canary-key.bl.test': LISTED,
  '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.bl6.test': LISTED,
  'test.dbl.test': LISTED,
  'test.gossip.test': LISTED,
};

interface BlacklistsOptions {
  readonly worker?: boolean;
  readonly domainLists?: readonly string[];
}

/** A platform whose blacklists answer on a DNS server of the test. */
export class Blacklists {
  #serial = 0;

  private constructor(
    readonly platform: Platform,
    readonly dns: DnsServer,
    private readonly folder: string,
  ) {}

  /** @param domainLists names of further domain lists to ask */
  static async start({ worker = true, domainLists = [] }: BlacklistsOptions = {}): Promise<Blacklists> {
    const dns = await DnsServer.start(POINTS);
    const zones = [...ZONES, ...domainLists.map((zone) => ({ zone, kind: 'domain' }))];
    dns.zone.change(Object.fromEntries(domainLists.map((zone) => [`test.${zone}`, LISTED])));
    const folder = mkdtempSync(join(tmpdir(), 'blacklists-'));
    const file = join(folder, 'zones.json');
    writeFileSync(file, JSON.stringify({ base: 'none', zones }));
    const env = { BLACKLIST_ZONES_FILE: file, DNS_SERVERS: `${dns.host}:${dns.port}` };
    const platform = await startPlatform({ env, worker });
    return new Blacklists(platform, dns, folder);
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.dns.close();
    rmSync(this.folder, { recursive: true });
  }

  /** Stores a mailbox without a login; at a provider, without a host. */
  async mailbox(
    { workspaceId }: SeededWorkspace,
    domain: string,
    smtpHost?: string,
  ): Promise<{ _id: string; email: string }> {
    const _id = new Types.ObjectId();
    const email = `ada-${(this.#serial += 1)}@${domain}`;
    const google = { provider: 'google', connectionType: 'oauth' } as const;
    const custom = { provider: 'custom', connectionType: 'smtp', smtpHost, smtpPort: 587, smtpSecure: false } as const;
    const mailbox = { _id, email, ...(smtpHost === undefined ? google : custom) } as NewMailbox;
    const insertion = this.platform.app.get(MailboxCreationService, { strict: false });
    await insertion.insert(systemScope(workspaceId), mailbox);
    return { _id: _id.toHexString(), email };
  }

  async create({ key }: Pick<SeededWorkspace, 'key'>, body: object): Promise<BlacklistTest> {
    return dataOf(await this.platform.api.as(key).post('/v1/blacklist-tests').send(body));
  }

  async read({ key }: Pick<SeededWorkspace, 'key'>, testId: string): Promise<BlacklistTest> {
    return dataOf(await this.platform.api.as(key).get(`/v1/blacklist-tests/${testId}`));
  }

  /** Waits until a test is over, and reads it. */
  async over(workspace: Pick<SeededWorkspace, 'key'>, testId: string): Promise<BlacklistTest> {
    const tests = getDatabase(this.platform).collection('blacklist_tests');
    const _id = new Types.ObjectId(testId);
    // Each read through the API costs as much as a whole test.
    const isOver = async () => (await tests.countDocuments({ _id, status: { $in: ['pending', 'running'] } })) === 0;
    await eventually('the test is over', isOver, 25_000);
    return this.read(workspace, testId);
  }

  /** Starts a test of mailboxes and waits until it is over. */
  async test(workspace: Pick<SeededWorkspace, 'key'>, ...mailboxes: { _id: string }[]): Promise<BlacklistTest> {
    const { _id } = await this.create(workspace, { mailboxIds: mailboxes.map((mailbox) => mailbox._id) });
    return this.over(workspace, _id);
  }
}
