import { Injectable } from '@nestjs/common';
import { MailboxRepository } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { DueWorkAgeService } from '@platform/database';
import { MaintenanceModeService } from '@platform/maintenance';
import { MetricsService } from '@platform/observability';

/** More of them say nothing more to an operator, and cost the database. */
const MOST_SENDS = 10_000;

/** How the whole installation stands, by the database: every worker tells the same when it is asked. */
@Injectable()
export class InstallationMetricsService {
  constructor(
    metrics: MetricsService,
    due: DueWorkAgeService,
    mailboxes: MailboxRepository,
    sends: SendRepository,
    hold: MaintenanceModeService,
  ) {
    metrics.measureLazily(metrics.maintenanceMode, async () => [
      { labels: {}, value: (await hold.current()) === null ? 0 : 1 },
    ]);
    metrics.measureLazily(metrics.dueAge, async () => {
      const ages = await due.ages();
      return [...ages].map(([work, value]) => ({ labels: { work }, value }));
    });
    metrics.measureLazily(metrics.mailboxes, async () => {
      const counts = await mailboxes.countByConnection();
      return [...counts].map(([state, value]) => ({ labels: { state }, value }));
    });
    metrics.measureLazily(metrics.ambiguousSends, async () => [
      { labels: {}, value: await sends.countAmbiguous(MOST_SENDS) },
    ]);
  }
}
