import { type INestApplicationContext } from '@nestjs/common';
import { EventRelayService } from '@domain/events';
import { MailboxWatcherService } from '@domain/mailboxes';
import { Config } from '@platform/config';
import { type JobProcessor, JobWorkerService, MaintenanceGateService, TickerService } from './jobs';
import { periodicTasks, sweeps } from '@domain/assembly';
import { selectProcessors } from './processors';

/**
 * Starts consuming as soon as maintenance mode is off. Production and tests both call it; tests advance the clock by
 * hand and choose whether mailboxes are watched.
 * @throws Error when the service of a periodic task is missing
 */
export async function startWorker(
  app: INestApplicationContext,
  { ticking }: { ticking: boolean } = { ticking: true },
): Promise<void> {
  const processors = selectProcessors(app.get(Config).workerQueues).map((processor) =>
    app.get<JobProcessor>(processor),
  );
  for (const { service } of periodicTasks) app.get(service, { strict: false });
  const begin = () => {
    app.get(JobWorkerService).start(processors);
    if (ticking) startClocks(app);
  };
  await app.get(MaintenanceGateService).whenAllowed(begin, { polling: ticking });
}

function startClocks(app: INestApplicationContext): void {
  app.get(TickerService).start(
    periodicTasks,
    sweeps.map((sweep) => app.get(sweep, { strict: false })),
  );
  app.get(EventRelayService, { strict: false }).start();
  app.get(MailboxWatcherService, { strict: false }).start();
}
