import { type INestApplicationContext } from '@nestjs/common';
import { EventFollower } from '@domain/events';
import { MailboxWatchers } from '@domain/mailboxes';
import { Config } from '@platform/config';
import { checkProcessors, type JobProcessor, JobRunner, Ticker } from './jobs';
import { processors, sweeps } from './processors';
import { schedules } from './schedules';

/**
 * Checks the worker's tables and starts consuming. Production and tests both call it; tests run the clock by hand and say
 * when mailboxes are listened to.
 * @throws BootError when a queue has no processor or more than one
 */
export function startWorker(app: INestApplicationContext, options: { ticking: boolean } = { ticking: true }): void {
  const instances = processors.map((processor) => app.get<JobProcessor>(processor));
  checkProcessors(instances, schedules, app.get(Config).workerQueues);
  app.get(JobRunner).start(instances);
  if (!options.ticking) return;
  app.get(Ticker).start(
    schedules,
    sweeps.map((sweep) => app.get(sweep, { strict: false })),
  );
  app.get(EventFollower, { strict: false }).start();
  app.get(MailboxWatchers, { strict: false }).start();
}
