import { type WorkspaceScope } from '@domain/access';
import { MailboxDomainRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { BlacklistStandingsRepository } from '../blacklist/runs/blacklist-standings.repository';

/** A blacklist that lists something of a domain. */
export interface DomainListing {
  readonly zone: string;
  /** What it lists: the domain, or an address that its mailboxes send from. */
  readonly subject: string;
}

/** What the latest blacklist tests found of a domain. */
export interface DomainListings {
  /** When the latest of them ended. */
  testedAt: Date;
  readonly listings: DomainListing[];
}

/** Mailboxes that are read at once. */
const BATCH = 500;

/** What blacklist tests have found, by domain: they know mailboxes. */
@Injectable()
export class DomainListingsReaderService {
  constructor(
    private readonly domains: MailboxDomainRepository,
    private readonly standings: BlacklistStandingsRepository,
  ) {}

  /** Each listing once, however many mailboxes share it. Domains that were never tested are not among them. */
  async of(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    names: readonly string[],
  ): Promise<Map<string, DomainListings>> {
    const workspaceId = new Types.ObjectId(workspace.workspaceId);
    const byDomain = new Map<string, DomainListings>();
    for await (const mailboxes of this.domains.batches(workspace, names, BATCH)) {
      const ids = mailboxes.map(({ _id }) => _id);
      const standings = await this.standings.of(workspaceId, ids);
      for (const { _id, domain } of mailboxes) {
        const standing = standings.get(_id.toHexString());
        if (standing) byDomain.set(domain, joined(byDomain.get(domain), standing));
      }
    }
    return byDomain;
  }
}

function joined(before: DomainListings | undefined, { testedAt, listings }: DomainListings): DomainListings {
  const all = before ?? { testedAt, listings: [] };
  if (testedAt > all.testedAt) all.testedAt = testedAt;
  for (const { zone, subject } of listings) {
    if (!all.listings.some((one) => one.zone === zone && one.subject === subject)) all.listings.push({ zone, subject });
  }
  return all;
}
