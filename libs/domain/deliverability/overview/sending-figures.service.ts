import { type WorkspaceScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { BounceTallyRepository, windowStart } from '@domain/protection';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { getDomain } from '../health/sending-domain';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** What became of the emails of a domain in the 28 days of which protection counts bounces. */
export interface SendingFigure {
  readonly sends: number;
  readonly bounces: number;
  readonly complaints: number;
}

/** How the emails of domains were taken. */
@Injectable()
export class SendingFiguresService {
  constructor(
    private readonly bounces: BounceTallyRepository,
    private readonly events: EventsService,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /** By domain, each of them. */
  async of(workspace: Workspace, domains: readonly string[]): Promise<Map<string, SendingFigure>> {
    const [bounces, complaints] = await Promise.all([
      this.bounces.ofDomains(workspace, domains),
      this.#complaints(workspace),
    ]);
    return new Map(
      domains.map((domain) => {
        const { sends, bounces: cameBack } = bounces.get(domain) ?? { sends: 0, bounces: 0 };
        return [domain, { sends, bounces: cameBack, complaints: complaints.get(domain) ?? 0 }];
      }),
    );
  }

  /** Complaints are rare: they are counted from the events. Those about mailboxes that are gone count for no domain. */
  async #complaints({ workspaceId }: Workspace): Promise<Map<string, number>> {
    const span = { from: windowStart(this.clock.now()), until: this.clock.in(1) };
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
