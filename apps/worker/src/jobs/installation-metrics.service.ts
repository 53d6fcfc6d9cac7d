import { Injectable } from '@nestjs/common';
import { MailboxRepository } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { DueWorkAgeService } from '@platform/database';
import { MaintenanceModeService } from '@platform/maintenance';
import { MetricsService } from '@platform/observability';

/** A larger number does not help an operator and costs database time. */
const MOST_SENDS = 10_000;

/** State of the whole installation, read from the database: every worker reports the same values. */
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
