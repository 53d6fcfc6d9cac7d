import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MailboxRepository } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { CollectionIndexService } from '@platform/database';
import { MaintenanceModeService } from '@platform/maintenance';
import { MetricsService } from '@platform/observability';

/** A larger number does not help an operator and costs database time. */
const MOST_SENDS = 10_000;

/** State of the whole installation, read from the database: every worker reports the same values. */
@Injectable()
export class InstallationMetricsListener implements OnModuleInit {
  constructor(
    private readonly metrics: MetricsService,
    private readonly indexes: CollectionIndexService,
    private readonly mailboxes: MailboxRepository,
    private readonly sends: SendRepository,
    private readonly maintenance: MaintenanceModeService,
  ) {}

  onModuleInit(): void {
    const { metrics } = this;
    metrics.measureLazily(metrics.maintenanceMode, async () => [
      { labels: {}, value: (await this.maintenance.current()) === null ? 0 : 1 },
    ]);
    metrics.measureLazily(metrics.dueAge, async () => {
      const ages = await this.indexes.getDueAges();
      return [...ages].map(([work, value]) => ({ labels: { work }, value }));
    });
    metrics.measureLazily(metrics.mailboxes, async () => {
      const counts = await this.mailboxes.countByConnection();
      return [...counts].map(([state, value]) => ({ labels: { state }, value }));
    });
    metrics.measureLazily(metrics.ambiguousSends, async () => [
      { labels: {}, value: await this.sends.countAmbiguous(MOST_SENDS) },
    ]);
  }
}
