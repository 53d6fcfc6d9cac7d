import { type WorkspaceScope } from '@domain/access';
import { MailboxDomainRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { type PageQuery } from '@platform/validation';
import { type Model } from 'mongoose';
import { type DomainOverviewResponse, toDomainOverview } from '../dto/domain-overview.dto';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { DomainListingsReaderService } from './domain-listings-reader.service';
import { SendingFiguresService } from './sending-figures.service';

/** How the sending domains of a workspace stand in everything that decides whether their mail arrives. */
@Injectable()
export class DeliverabilityOverviewService {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly domains: MailboxDomainRepository,
    private readonly sending: SendingFiguresService,
    private readonly listings: DomainListingsReaderService,
    private readonly pages: PageService,
  ) {}

  /** Newest first; a page costs the same few queries whatever is on it, but for the listings: two for every 500 mailboxes. */
  async list(workspace: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<DomainOverviewResponse>> {
    const { workspaceId } = workspace;
    const query = { scope: workspaceId, filter: { workspaceId }, without: ['report'], page: { limit, cursor } };
    const { items, pagination } = await this.pages.read(this.healths, query, (record) => record);
    const names = items.map(({ domain }) => domain);
    const [mailboxes, sending, listings] = await Promise.all([
      this.domains.countByDomain(workspace, names),
      this.sending.of(workspace, names),
      this.listings.of(workspace, names),
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
}
