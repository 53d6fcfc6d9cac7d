import { type INestApplicationContext } from '@nestjs/common';
import { EventRelayService } from '@domain/events';
import { MailboxWatcherService } from '@domain/mailboxes';
import { Config } from '@platform/config';
import { type JobProcessor, JobRunnerService, MaintenanceGateService, TickerService, checkProcessors } from './jobs';
import { processors, sweeps } from './processors';
import { schedules } from './schedules';

/**
 * Checks the worker's tables and starts consuming as soon as maintenance mode is off. Production and tests both call
 * it; tests advance the clock by hand and choose whether mailboxes are watched.
 * @throws BootError when a queue has no processor or more than one
 */
export async function startWorker(
  app: INestApplicationContext,
  { ticking }: { ticking: boolean } = { ticking: true },
): Promise<void> {
  const instances = processors.map((processor) => app.get<JobProcessor>(processor));
  checkProcessors(instances, schedules, app.get(Config).workerQueues);
  const begin = () => {
    app.get(JobRunnerService).start(instances);
    if (ticking) startClocks(app);
  };
  await app.get(MaintenanceGateService).whenAllowed(begin, { polling: ticking });
}

function startClocks(app: INestApplicationContext): void {
  app.get(TickerService).start(
    schedules,
    sweeps.map((sweep) => app.get(sweep, { strict: false })),
  );
  app.get(EventRelayService, { strict: false }).start();
  app.get(MailboxWatcherService, { strict: false }).start();
}
