import { type WorkspaceScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { MailboxDomainRepository, MailboxRepository } from '@domain/mailboxes';
import { BounceTallyRepository, getWindowStart } from '@domain/protection';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService } from '@platform/database';
import { type PageQuery } from '@platform/validation';
import { type Model, Types } from 'mongoose';
import { MailboxBlacklistStatusRepository } from '../blacklist/runs/mailbox-blacklist-status.repository';
import { type DomainListings, type DomainOverviewResponse, toDomainOverview } from '../dto/domain-overview.dto';
import { getDomain } from '../health/sending-domain';
import { DomainHealthRecord } from '../schemas/domain-health.record';

/** Mailboxes that are read at once. */
const BATCH = 500;

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Delivery figures of a domain in the 28 days of bounce protection. */
export interface SendingFigure {
  readonly sends: number;
  readonly bounces: number;
  readonly complaints: number;
}

/** Overview of all factors of delivery for the sending domains of a workspace. */
@Injectable()
export class DeliverabilityOverviewService {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly domains: MailboxDomainRepository,
    private readonly pages: PageService,
    private readonly statuses: MailboxBlacklistStatusRepository,
    private readonly bounces: BounceTallyRepository,
    private readonly events: EventsService,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Newest first. A page costs a constant number of queries, besides two for every 500 mailboxes with listings. */
  async list(workspace: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<DomainOverviewResponse>> {
    const { workspaceId } = workspace;
    const query = { scope: workspaceId, filter: { workspaceId }, without: ['report'], page: { limit, cursor } };
    const { items, pagination } = await this.pages.read(this.healths, query, (record) => record);
    const names = items.map(({ domain }) => domain);
    const [mailboxes, sending, listings] = await Promise.all([
      this.domains.countByDomain(workspace, names),
      this.#getSendingFigures(workspace, names),
      this.#getListings(workspace, names),
    ]);
    return {
      items: items.map((health) => {
        const { domain } = health;
        const figures = sending.get(domain) ?? { sends: 0, bounces: 0, complaints: 0 };
        return toDomainOverview(health, {
          mailboxes: mailboxes.get(domain),
          listings: listings.get(domain),
          ...figures,
        });
      }),
      pagination,
    };
  }

  /** Each listing once, even if several mailboxes share it. Domains without a test are missing. */
  async #getListings(workspace: Workspace, names: readonly string[]): Promise<Map<string, DomainListings>> {
    const workspaceId = new Types.ObjectId(workspace.workspaceId);
    const byDomain = new Map<string, DomainListings>();
    for await (const mailboxes of this.domains.batches(workspace, names, BATCH)) {
      const ids = mailboxes.map(({ _id }) => _id);
      const statuses = await this.statuses.find(workspaceId, ids);
      for (const { _id, domain } of mailboxes) {
        const status = statuses.get(_id.toHexString());
        if (status) byDomain.set(domain, mergeListings(byDomain.get(domain), status));
      }
    }
    return byDomain;
  }

  /** Returns the figures of every given domain. */
  async #getSendingFigures(workspace: Workspace, domains: readonly string[]): Promise<Map<string, SendingFigure>> {
    const [bounces, complaints] = await Promise.all([
      this.bounces.countByDomain(workspace, domains),
      this.#countComplaints(workspace),
    ]);
    return new Map(
      domains.map((domain) => {
        const { sends, bounces: cameBack } = bounces.get(domain) ?? { sends: 0, bounces: 0 };
        return [domain, { sends, bounces: cameBack, complaints: complaints.get(domain) ?? 0 }];
      }),
    );
  }

  /** Counts complaints from the events, as they are rare. Complaints about deleted mailboxes count for no domain. */
  async #countComplaints({ workspaceId }: Workspace): Promise<Map<string, number>> {
    const span = { from: getWindowStart(this.clock.now()), until: this.clock.in(1) };
    const counts = await this.events.countByQuarter(workspaceId, ['email.complained'], span);
    const ids = new Map(counts.flatMap(({ mailboxId }) => (mailboxId ? [[mailboxId.toHexString(), mailboxId]] : [])));
    const addresses = await this.mailboxes.addresses([...ids.values()]);
    const byDomain = new Map<string, number>();
    for (const { mailboxId, count } of counts) {
      const email = addresses.get(String(mailboxId));
      if (email === undefined) continue;
      const domain = getDomain(email);
      byDomain.set(domain, (byDomain.get(domain) ?? 0) + count);
    }
    return byDomain;
  }
}

function mergeListings(before: DomainListings | undefined, { testedAt, listings }: DomainListings): DomainListings {
  const all = before ?? { testedAt, listings: [] };
  if (testedAt > all.testedAt) all.testedAt = testedAt;
  for (const { zone, subject } of listings) {
    if (!all.listings.some((one) => one.zone === zone && one.subject === subject)) all.listings.push({ zone, subject });
  }
  return all;
}
